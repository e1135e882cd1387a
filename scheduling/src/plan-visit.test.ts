/** Visits planned one after the other, with what was read for the one before and without, on random institutes. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { InstituteDiary, VisitPlan } from './model.ts'
import { offersForDays } from './offers.ts'
import { type LastReading, planVisit } from './plan-visit.ts'
import { anyCase } from './testing/diary-arbitrary.ts'

const CASES = Number(process.env['SLOTS_CASES'] ?? 400)
const SEED = Number(process.env['SLOTS_SEED'] ?? 20_261_129)

/** The diary with a visit in it. */
function withPlan(diary: InstituteDiary, { occupations }: VisitPlan): InstituteDiary {
  const taken = <T extends { readonly id: string; readonly busy: readonly { from: number; to: number }[] }>(subjects: readonly T[]): T[] =>
    subjects.map((subject) => {
      const own = occupations.filter(({ id }) => id === subject.id)
      return own.length === 0 ? subject : { ...subject, busy: [...subject.busy, ...own].toSorted((a, b) => a.from - b.from) }
    })
  return { ...diary, members: taken(diary.members), resources: taken(diary.resources) }
}

test('what was read for the visit before, of the same day or another, changes no plan', () => {
  let [planned, again] = [0, 0]
  fc.assert(
    fc.property(anyCase, fc.array(fc.nat(), { minLength: 3, maxLength: 6 }), ({ diary, cart, now, day, client }, picks) => {
      const asking = { now, ...(client && { client }) }
      const last: LastReading = {}
      let before = diary
      for (const pick of picks) {
        const offers = offersForDays(before, cart, { ...asking, fromDay: day, days: 2 }).flatMap(({ times }) => times)
        const at = offers[pick % Math.max(1, offers.length)]?.startsAt ?? now + pick
        const known = last.free
        const anew = planVisit(before, cart, at, asking)
        expect(planVisit(before, cart, at, asking, last)).toEqual(anew)
        if (!anew.ok) continue
        planned++
        if (known?.members.some((member) => last.free?.members.includes(member))) again++
        before = withPlan(before, anew.plan)
      }
    }),
    { numRuns: CASES, seed: SEED },
  )
  expect(planned).toBeGreaterThan(CASES / 2)
  expect(again).toBeGreaterThan(CASES / 10)
})
