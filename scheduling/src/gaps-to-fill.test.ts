/** Gaps, what fits into them, and what the gap rule kept whole, each also against the brute-force oracle. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gapsBetween, hiddenBeside, servicesThatFit } from './gaps-to-fill.ts'
import type { InstituteDiary } from './model.ts'
import { anyCase } from './testing/diary-arbitrary.ts'
import { CASES, SEED } from './testing/oracle-days.ts'
import { plansOfDay } from './testing/oracle.ts'
import { ASKING, at, busy, institute, member, service, TUESDAY, wallOf } from './testing/small-institute.ts'
import { allThatFit, firstThatFits, type WaitingRequest } from './waiting-list.ts'
import { spanOfDay } from './wall-clock.ts'

const services = [service('cut', { minutes: 40 }), service('colour', { minutes: 120 })]
const rules = { gridMinutes: 20, gaps: 'hide' } as const
/** Ana has something at ten, and from twelve on; Bea works all day and has one visit. */
const DIARY = institute({
  services,
  rules,
  members: [
    member('ana', ['cut', 'colour'], { busy: busy('09:00-10:00', '12:00-13:00', '13:20-18:00') }),
    member('bea', ['cut'], { busy: busy('10:00-11:00') }),
  ],
})
const day = { fromDay: TUESDAY, days: 1 }
const shown = (now = ASKING.now, diary = DIARY): string[] =>
  gapsBetween(diary, day, now).map(({ memberId, from, to }) => `${memberId} ${wallOf(from)}-${wallOf(to)}`)

describe('gaps', () => {
  it('lie between two things of a member on one day: not before the first, nor after the last', () => {
    expect(shown()).toEqual(['ana 10:00-12:00', 'ana 13:00-13:20'])
  })

  it('are what is left of them once they have begun', () => {
    expect(shown(at('10:30'))).toEqual(['ana 10:30-12:00', 'ana 13:00-13:20'])
    expect(shown(at('12:00'))).toEqual(['ana 13:00-13:20'])
  })

  it('are in nobody’s break, nor where the institute is shut', () => {
    const ana = DIARY.members[0]!
    expect(shown(ASKING.now, { ...DIARY, members: [{ ...ana, busy: busy('09:00-10:00', '17:00-18:00') }] })).toEqual(['ana 10:00-17:00'])
    const shut = { ...DIARY, closures: [{ fromDay: TUESDAY, toDay: TUESDAY }] }
    expect(shown(ASKING.now, shut)).toEqual([])
  })

  it('name what could be booked wholly inside, by every rule', () => {
    const fit = (diary: InstituteDiary, now = ASKING.now) => servicesThatFit(diary, gapsBetween(diary, day, now), ['colour', 'cut'], now)
    expect(fit(DIARY)).toEqual([['colour', 'cut'], []])
    expect(fit(DIARY, at('10:10'))).toEqual([['cut'], []])
    expect(fit({ ...DIARY, rules: { ...DIARY.rules, noticeMinutes: 90 } }, at('10:10'))).toEqual([[], []])
  })

  it('name the same as trying every start does, on random days', () => {
    let named = 0
    fc.assert(
      fc.property(anyCase, ({ diary, day: fromDay, now }) => {
        const gaps = gapsBetween(diary, { fromDay, days: 1 }, now)
        const ids = [...diary.services.keys()]
        const plans = (serviceId: string, memberId: string) => [
          ...plansOfDay({ diary, cart: [{ serviceId, memberId }], day: fromDay, now, client: undefined, forInstitute: false }).values(),
        ]
        const wanted = gaps.map((gap) =>
          ids.filter((id) => plans(id, gap.memberId).some(({ startsAt, endsAt }) => gap.from <= startsAt && endsAt <= gap.to)),
        )
        expect(servicesThatFit(diary, gaps, ids, now)).toEqual(wanted)
        named += wanted.flat().length
      }),
      { numRuns: Math.ceil(CASES / 25), seed: SEED },
    )
    expect(named).toBeGreaterThan(0)
  })
})

describe('a gap is offered', () => {
  const gap = { from: at('10:00'), to: at('12:00'), memberId: 'ana' }
  const waiting = (id: string, more: Partial<WaitingRequest> = {}): WaitingRequest => ({
    id,
    cart: [{ serviceId: 'cut' }],
    fromDay: TUESDAY,
    toDay: TUESDAY,
    askedAt: at('2027-03-01 10:00'),
    declined: [],
    ...more,
  })

  it('to who takes its member, though others are free', () => {
    const requests = [waiting('a', { cart: [{ serviceId: 'cut', memberId: 'bea' }] }), waiting('b'), waiting('c')]
    expect(firstThatFits(DIARY, requests, gap, ASKING.now)).toMatchObject({
      request: { id: 'b', cart: [{ serviceId: 'cut', memberId: 'ana' }] },
      offer: { startsAt: at('10:00') },
    })
    expect(allThatFit(DIARY, requests, gap, ASKING.now).map(({ request }) => request.id)).toEqual(['b', 'c'])
  })

  it('only to whom all of the visit lies within', () => {
    const long = waiting('long', { cart: [{ serviceId: 'colour' }] })
    expect(allThatFit(DIARY, [long], gap, ASKING.now)).toHaveLength(1)
    expect(allThatFit(DIARY, [long], { ...gap, from: at('10:20') }, ASKING.now)).toEqual([])
    expect(allThatFit(DIARY, [waiting('late', { part: 'afternoon' })], gap, ASKING.now)).toEqual([])
  })
})

describe('what the gap rule kept whole', () => {
  const cut = [{ serviceId: 'cut', memberId: 'ana' }]

  it('is what the starts of the day would have stranded on average, for a start that strands nothing', () => {
    // 10:00 and 11:20 touch a neighbour, 10:40 leaves 40 on both sides; 10:20 and 11:00 strand 20 minutes each.
    expect(hiddenBeside(DIARY, cut, at('10:40'), ASKING)).toEqual({ starts: 5, strandedMinutes: 40 })
    expect(hiddenBeside(DIARY, cut, at('10:20'), ASKING)).toBeUndefined()
    expect(hiddenBeside({ ...DIARY, rules: { ...DIARY.rules, gaps: 'rank' } }, cut, at('10:40'), ASKING)).toBeUndefined()
  })

  it('is nothing on a day of which the rule hid nothing', () => {
    expect(hiddenBeside(DIARY, [{ serviceId: 'colour', memberId: 'ana' }], at('10:00'), ASKING)).toBeUndefined()
  })

  it('equals that of trying every start, on random days', () => {
    let counted = 0
    fc.assert(
      fc.property(anyCase, fc.nat(), ({ diary, cart, day: asked, now, client }, at_) => {
        const ranked: InstituteDiary = { ...diary, rules: { ...diary.rules, gaps: 'rank' } }
        const hiding: InstituteDiary = { ...diary, rules: { ...diary.rules, gaps: 'hide' } }
        const all = [...plansOfDay({ diary: ranked, cart, day: asked, now, client, forInstitute: false }).values()]
        const left = [...plansOfDay({ diary: hiding, cart, day: asked, now, client, forInstitute: false }).values()]
        const chosen = all[at_ % Math.max(1, all.length)]
        const startsAt = chosen?.startsAt ?? spanOfDay(diary.timeZone, asked).from
        const hid = left.length < all.length && left.some((one) => one.startsAt === startsAt)
        const strandedMinutes = all.reduce((sum, one) => sum + one.strandedMinutes, 0)
        if (hid) counted++
        expect(hiddenBeside(hiding, cart, startsAt, { now, client })).toEqual(hid ? { starts: all.length, strandedMinutes } : undefined)
      }),
      { numRuns: Math.ceil(CASES / 25), seed: SEED },
    )
    expect(counted).toBeGreaterThan(0)
  })
})
