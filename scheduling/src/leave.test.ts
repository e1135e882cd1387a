/** What absences mean in instants, and that nobody is booked into them, buffers included. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayNumber } from './days.ts'
import { leaveSpans } from './leave.ts'
import type { DayRange, MemberDiary, Span } from './model.ts'
import { offersForDays } from './offers.ts'
import { planVisit } from './plan-visit.ts'
import { anyCase } from './testing/diary-arbitrary.ts'
import { lookAt } from './testing/oracle-world.ts'
import { at, everyDay, hours, institute, member, service, shown, TUESDAY } from './testing/small-institute.ts'

const CASES = Number(process.env['SLOTS_CASES'] ?? 500)
const SEED = Number(process.env['SLOTS_SEED'] ?? 20_261_122)
const whole = (fromDay = TUESDAY, toDay = fromDay): DayRange => ({ fromDay, toDay })
const spans = (one: MemberDiary, absence: DayRange): readonly Span[] => leaveSpans('Europe/Paris', one, absence)
const between = (from: string, to: string): Span => ({ from: at(from), to: at(to) })

test('whole days are taken from midnight to midnight, as the clock of the zone has it', () => {
  const ana = member('ana', ['cut'])
  expect(spans(ana, whole())).toEqual([between('2027-03-09 00:00', '2027-03-10 00:00')])
  const spring = spans(ana, whole('2027-03-27', '2027-03-28'))
  expect(spring).toEqual([between('2027-03-27 00:00', '2027-03-29 00:00')])
  expect(spring[0]!.to - spring[0]!.from).toBe(47 * 60)
})

test('a night shift goes with the day it begins on, before and after midnight', () => {
  const night = everyDay('20:00-26:00', ['24:30-25:00'])
  const ana = member('ana', ['cut'], { rotas: [night], absences: [whole()] })
  // She works Monday's shift to its end at two, her break is no work, and Tuesday's shift would have ended on Wednesday at two.
  expect(spans(ana, whole())).toEqual([
    between('2027-03-09 00:30', '2027-03-09 01:00'),
    between('2027-03-09 02:00', '2027-03-10 00:30'),
    between('2027-03-10 01:00', '2027-03-10 02:00'),
  ])
  const longer = { ...ana, absences: [whole(), whole('2027-03-08')] }
  expect(spans(longer, whole())[0]).toEqual(between('2027-03-09 00:00', '2027-03-10 00:30'))
})

test('hours of several days are taken on each of them', () => {
  const ana = member('ana', ['cut'])
  const lunch = { fromDay: TUESDAY, toDay: '2027-03-10', part: hours('12:00-13:00') }
  expect(spans(ana, lunch)).toEqual([between('2027-03-09 12:00', '2027-03-09 13:00'), between('2027-03-10 12:00', '2027-03-10 13:00')])
})

test('an absence without end is taken as far as clocks are known', () => {
  const ana = member('ana', ['cut'])
  const [one, ...more] = spans(ana, { fromDay: '0001-01-01', toDay: '9999-12-31' })
  expect(more).toEqual([])
  expect(one!.to - one!.from).toBeGreaterThan(100 * 365 * 1440)
  expect(spans(ana, { fromDay: TUESDAY, toDay: '9999-12-31', part: hours('12:00-13:00') })).toHaveLength(1500)
})

test('a buffer keeps out of leave as it keeps out of visits, in the times offered and in the reason why not', () => {
  const away = [{ fromDay: TUESDAY, toDay: TUESDAY, part: hours('12:00-14:00') }]
  const diary = institute({
    services: [service('cut', { bufferAfterMinutes: 10, bufferBeforeMinutes: 5 })],
    members: [member('ana', ['cut'], { absences: away })],
    rules: { gridMinutes: 30 },
  })
  const [day] = offersForDays(diary, [{ serviceId: 'cut' }], { now: at('08:00'), fromDay: TUESDAY, days: 1 })
  expect(shown(day!.times)).toBe('09:00 09:30 10:00 10:30 14:30 15:00 15:30 16:00 16:30 17:00')
  expect(planVisit(diary, [{ serviceId: 'cut' }], at('11:00'), { now: at('08:00') })).toMatchObject({
    reason: 'buffer',
    members: [{ blocking: between('12:00', '14:00') }],
  })
})

test('leave in instants is what the oracle finds minute by minute, and no plan takes any of it', () => {
  let minutes = 0
  fc.assert(
    fc.property(anyCase, (one) => {
      const { diary, day } = one
      const world = lookAt(one)
      const number = dayNumber(day)
      for (const { id, absences, ...rest } of diary.members) {
        const taken = new Set<number>()
        const within = { from: number - 2, to: number + 2 }
        for (const absence of absences) {
          for (const { from, to } of leaveSpans(diary.timeZone, { ...rest, absences }, absence, within))
            for (let minute = from; minute < to; minute++) taken.add(minute)
        }
        const gone = world.gone.get(id)!
        const ofDay = world.moments.filter((moment) => moment.day === day)
        expect(ofDay.filter((moment) => taken.has(moment.at))).toEqual(ofDay.filter((moment) => gone.has(moment.at)))
        minutes += gone.size
      }
      for (const { startsAt } of offersForDays(diary, one.cart, { ...one, fromDay: day, days: 1 })[0]!.times.slice(0, 5)) {
        const planned = planVisit(diary, one.cart, startsAt, one)
        if (!planned.ok) throw new Error('what is offered can be planned')
        for (const { subject, id, from, to } of planned.plan.occupations) {
          for (let minute = from; subject === 'member' && minute < to; minute++) expect(world.gone.get(id)!.has(minute)).toBe(false)
        }
      }
    }),
    { numRuns: CASES, seed: SEED },
  )
  expect(minutes).toBeGreaterThan(CASES * 10)
})
