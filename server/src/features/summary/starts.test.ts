// What is kept of a diary that was read: visits come one after the other, and what is told of each is what reading all of it anew says.
import { addDays } from '@soigne/scheduling/days'
import type { CartLine, InstituteDiary, Span } from '@soigne/scheduling/model'
import { anyCase } from '@soigne/scheduling/testing/diary-arbitrary'
import { spanOfDay } from '@soigne/scheduling/wall-clock'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { binMinutes, type DaysOfCover, startBits, startBitsOfBoth } from './starts.ts'

const lines: readonly CartLine[] = ['a', 'b', 'c'].map((serviceId) => ({ serviceId }))

function daysFrom({ timeZone }: InstituteDiary, fromDay: string, days: number): DaysOfCover {
  const nearFrom = Math.floor(spanOfDay(timeZone, fromDay).from / binMinutes)
  return { fromDay, days, nearFrom, nearCount: Math.ceil(spanOfDay(timeZone, addDays(fromDay, days - 1)).to / binMinutes) - nearFrom }
}

/** The same diary after a visit of one of its people. */
const withVisit = (diary: InstituteDiary, place: number, span: Span): InstituteDiary => ({
  ...diary,
  members: diary.members.map((member, at) => (at === place % diary.members.length ? { ...member, busy: [...member.busy, span] } : member)),
})

it('visit after visit, on the same days and on others, the index is told what reading anew says, and only the same days are remembered', () => {
  const cases = 150
  let [remembered, changed] = [0, 0]
  const visit = fc.record({
    place: fc.nat(20),
    at: fc.integer({ min: 400, max: 1200 }),
    minutes: fc.integer({ min: 5, max: 120 }),
    later: fc.nat(1),
  })
  fc.assert(
    fc.property(anyCase, fc.array(visit, { minLength: 2, maxLength: 5 }), ({ diary, day }, visits) => {
      let before = diary
      let last: { asked: DaysOfCover; fresh: unknown } | null = null
      for (const { place, at, minutes, later } of visits) {
        const from = spanOfDay(diary.timeZone, addDays(day, later)).from + at
        const after = withVisit(before, place, { from, to: from + minutes })
        const asked = daysFrom(diary, addDays(day, later - 1), 3)
        const { old, fresh } = startBitsOfBoth(before, after, lines, asked)
        expect(old).toEqual(startBits(before, lines, asked))
        expect(fresh).toEqual(startBits(after, lines, asked))
        const isSame = last?.asked.fromDay === asked.fromDay
        expect(old === last?.fresh).toBe(isSame)
        remembered += Number(isSame)
        changed += Number(JSON.stringify(old) !== JSON.stringify(fresh))
        last = { asked, fresh }
        before = after
      }
    }),
    { numRuns: cases, seed: 20_261_129 },
  )
  expect(remembered).toBeGreaterThan(cases / 2)
  expect(changed).toBeGreaterThan(cases / 5)
})
