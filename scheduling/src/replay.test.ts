/** Asking again under other rules: what turns, and that nothing turns where the rules are the same or can only give more. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays } from './days.ts'
import { nextOffers } from './offers.ts'
import { type PastBooking, replay } from './replay.ts'
import { anyCase } from './testing/diary-arbitrary.ts'
import { CASES, SEED } from './testing/oracle-days.ts'
import { ASKING, at, institute, member, service } from './testing/small-institute.ts'

const DIARY = institute({ services: [service('cut', { minutes: 40 })], rules: { gridMinutes: 20 }, members: [member('ana', ['cut'])] })
const cut = [{ serviceId: 'cut' }]
const booking = (id: string, time: string): PastBooking => ({ id, askedAt: ASKING.now, startsAt: at(time), cart: cut })
const taken = (from: string, to: string, since: number, visitId: string | null = null) => ({
  subjectId: 'ana',
  from: at(from),
  to: at(to),
  since,
  visitId,
})
const nothing = { bookings: [], searches: [], taken: [] }

describe('a replay', () => {
  it('leaves out what the rules as they are would refuse, such as a start taken before', () => {
    const bookings = [booking('one', '10:00'), booking('two', '11:20')]
    const before = [taken('10:00', '10:40', ASKING.now - 60)]
    expect(replay(DIARY, { rules: { gridMinutes: 60 } }, { ...nothing, bookings, taken: before })).toMatchObject({
      bookings: 1,
      lostBookings: [{ at: 1, reason: 'off_grid' }],
    })
  })

  it('takes neither its own time nor what was taken later as taken', () => {
    const own = [taken('10:00', '10:40', ASKING.now - 1, 'one'), taken('10:00', '10:40', ASKING.now + 1, 'two')]
    const past = { ...nothing, bookings: [booking('one', '10:00')], taken: own }
    expect(replay(DIARY, {}, past)).toMatchObject({ bookings: 1, lostBookings: [] })
  })

  it('turns nothing under the same rules, loses nothing to looser ones and wins nothing by stricter ones', () => {
    let counted = 0
    fc.assert(
      fc.property(anyCase, fc.integer({ min: 0, max: 600 }), ({ diary, day, now, cart }, more) => {
        const [offer] = nextOffers(diary, cart, { now, from: now, limit: 1, untilDay: addDays(day, 2) })
        const busy = [...diary.members, ...diary.resources].flatMap(({ id, busy: spans }) =>
          spans.map((span) => ({ ...span, subjectId: id, since: now - 1, visitId: null })),
        )
        const past = {
          bookings: offer ? [{ id: 'one', askedAt: now, startsAt: offer.startsAt, cart }] : [],
          searches: [true, false].map((found) => ({ askedAt: now, fromDay: day, days: 2, cart, found })),
          taken: busy,
        }
        const same = replay(diary, {}, past)
        expect([same.lostBookings, same.wonSearches, same.lostSearches]).toEqual([[], [], []])
        counted += same.bookings + same.searches
        const { noticeMinutes, horizonDays } = diary.rules
        const looser = replay(diary, { rules: { noticeMinutes: Math.max(0, noticeMinutes - more), horizonDays: horizonDays + more } }, past)
        expect(looser.lostSearches).toEqual([])
        const stricter = replay(diary, { rules: { noticeMinutes: noticeMinutes + more } }, past)
        expect(stricter.wonSearches).toEqual([])
        for (const { reason } of stricter.lostSearches) expect(['notice', 'past']).toContain(reason)
      }),
      { numRuns: Math.min(CASES, 150), seed: SEED },
    )
    expect(counted).toBeGreaterThan(0)
  })
})
