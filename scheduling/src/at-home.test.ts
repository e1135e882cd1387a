/** Visits at home: against the oracle on random institutes, and readable days of a small one. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withOnlyAtHome } from './at-home.ts'
import { planVisit } from './plan-visit.ts'
import { anyHomeCase } from './testing/diary-arbitrary.ts'
import { CASES, checkDay, type Counted, SEED } from './testing/oracle-days.ts'
import { ASKING, at, busy, institute, member, resource, service, shown, TUESDAY } from './testing/small-institute.ts'
import { COLOUR, occupied, plan, segments } from './testing/small-visits.ts'
import { nextOffers, offersForDays } from './offers.ts'

test('offers, plans and what they take at home equal those of the brute-force oracle', () => {
  const counted: Counted = { offers: 0, empty: 0, refused: new Map() }
  fc.assert(
    fc.property(anyHomeCase, (one) => checkDay(one, counted)),
    { numRuns: Math.ceil(CASES / 8), seed: SEED },
  )
  expect(counted.offers).toBeGreaterThan(CASES / 10)
  expect(counted.refused.has('buffer')).toBe(CASES >= 1000)
})

const cart = [{ serviceId: 'cut', atHome: true }]
const starts = (diary: Parameters<typeof offersForDays>[0], lines = cart): string =>
  shown(offersForDays(diary, lines, { ...ASKING, fromDay: TUESDAY, days: 1 })[0]?.times ?? [])

test('the way there and back keeps other visits away, and two ways lie between two homes', () => {
  const cut = service('cut', { venue: 'either', resourceType: 'chair', bufferAfterMinutes: 5 })
  const taken = { busy: busy('12:00-13:00') }
  const chairs = [resource('c', { busy: busy('09:00-18:00') })]
  const diary = institute({ services: [cut], members: [member('ana', ['cut'], taken)], resources: chairs, travelMinutes: 30 })
  expect(starts(diary)).toBe('09:00 10:00 14:00 15:00 16:00 17:00')
  expect(occupied(plan(diary, '10:00', cart))).toEqual(['ana 09:30-11:35'])
  expect(planVisit(diary, cart, at('11:00'), ASKING)).toMatchObject({ ok: false, reason: 'buffer' })
  // In the salon there is no chair.
  expect(starts(diary, [{ serviceId: 'cut', atHome: false }])).toBe('')
  // The first visit takes until 11:35; the next leaves at 12:30 at the soonest where the way is an hour.
  const far = { ...diary, travelMinutes: 55, members: [member('ana', ['cut'], { busy: busy('08:05-11:00') })] }
  expect(starts(far)).toBe('12:00 13:00 14:00 15:00 16:00 17:00')
})

test('an idle part at home is no free time', () => {
  const diary = institute({
    services: [{ ...COLOUR, venue: 'either' }, service('fringe', { minutes: 20 })],
    members: [
      member('ana', ['colour', 'fringe'], {
        performs: new Map([
          ['colour', {}],
          ['fringe', {}],
        ]),
      }),
    ],
    travelMinutes: 20,
  })
  const colour = plan(diary, '10:00', [{ serviceId: 'colour', atHome: true }])
  expect(segments(colour)).toEqual(['ana 10:00-11:30'])
  expect(occupied(colour)).toEqual(['ana 09:40-11:50'])
})

test('what is only done at home is so for who asks without saying it, once', () => {
  const diary = withOnlyAtHome(
    institute({
      services: [service('cut', { venue: 'home', resourceType: 'chair' })],
      members: [member('ana', ['cut'])],
      travelMinutes: 15,
    }),
  )
  for (const atHome of [true, false]) expect(occupied(plan(diary, '10:00', [{ serviceId: 'cut', atHome }]))).toEqual(['ana 09:45-11:15'])
  const next = nextOffers(diary, cart, { ...ASKING, from: at('09:00'), limit: 2, untilDay: TUESDAY })
  expect(shown(next)).toBe('09:00 10:00')
})
