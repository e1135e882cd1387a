import { describe, expect, test } from 'vitest'
import type { CartLine, InstituteDiary, PartOfDay } from './model.ts'
import { daysWithRoom, nearestOffers, nextOffers, offersForDays } from './offers.ts'
import { planVisit } from './plan-visit.ts'
import { ASKING, at, busy, clock, everyDay, hours, institute, member, service, shown, TUESDAY } from './testing/small-institute.ts'

const CUT: readonly CartLine[] = [{ serviceId: 'cut' }]
const BOTH = [service('cut'), service('fringe', { minutes: 20 })]

function tuesday(diary: InstituteDiary, cart = CUT, part?: PartOfDay): string {
  const [day] = offersForDays(diary, cart, { ...ASKING, fromDay: TUESDAY, days: 1, part })
  return shown(day?.times ?? [])
}

describe('the grid of starts', () => {
  test('begins at the start of the shift, not at the opening of the institute', () => {
    const diary = institute({ services: [service('cut')], members: [member('ana', ['cut'], { rotas: [everyDay('09:10-13:10')] })] })
    expect(tuesday(diary)).toBe('09:10 10:10 11:10 12:10')
  })

  test('goes on after a break as if there had been none', () => {
    const rotas = [everyDay('09:00-16:00', ['12:15-12:45'])]
    const diary = institute({ services: [service('cut')], members: [member('ana', ['cut'], { rotas })] })
    expect(tuesday(diary)).toBe('09:00 10:00 11:00 13:00 14:00 15:00')
  })

  test('of a split day begins anew with each shift, and shifts that touch are one', () => {
    const shifts = [hours('09:00-11:30'), hours('14:20-16:30'), hours('16:30-17:30')].map((one) => ({ ...one, breaks: [] }))
    const ana = member('ana', ['cut'], { overrides: [{ day: TUESDAY, shifts }] })
    expect(tuesday(institute({ services: [service('cut')], members: [ana] }))).toBe('09:00 10:00 14:20 15:20 16:20')
  })

  test('for any member is that of all members together, each start on the grid of the one who takes it', () => {
    const ana = member('ana', ['cut'], { rotas: [everyDay('09:00-12:00')] })
    const bea = member('bea', ['cut'], { rotas: [everyDay('09:30-12:00')], busy: busy('10:30-11:30') })
    expect(tuesday(institute({ services: [service('cut')], members: [ana, bea] }))).toBe('09:00 09:30 10:00 11:00')
  })

  test.each([
    [5, 13],
    [10, 7],
    [15, 5],
    [20, 4],
    [30, 3],
    [60, 2],
  ] as const)('of %i minutes offers %i starts in two hours for an hour', (gridMinutes, count) => {
    const diary = institute({
      services: [service('cut')],
      rules: { gridMinutes },
      members: [member('ana', ['cut'], { rotas: [everyDay('09:00-11:00')] })],
    })
    expect(tuesday(diary).split(' ')).toHaveLength(count)
  })
})

describe('what takes time away', () => {
  test('a visit, a partial absence, a partial closure and the end of the opening hours', () => {
    const ana = member('ana', ['cut'], {
      busy: busy('10:00-10:30'),
      absences: [{ fromDay: TUESDAY, toDay: TUESDAY, part: hours('11:30-12:30') }],
    })
    const diary = institute({
      services: [service('cut')],
      members: [ana],
      open: ['08:00-17:30'],
      closures: [{ fromDay: TUESDAY, toDay: TUESDAY, part: hours('14:00-14:10') }],
    })
    expect(tuesday(diary)).toBe('09:00 13:00 15:00 16:00')
  })

  test('a whole day closed or away leaves nothing', () => {
    const off = [{ fromDay: '2027-03-08', toDay: '2027-03-12' }]
    const ana = member('ana', ['cut'])
    expect(tuesday(institute({ services: [service('cut')], members: [ana], closures: off }))).toBe('')
    expect(tuesday(institute({ services: [service('cut')], members: [{ ...ana, absences: off }] }))).toBe('')
  })

  test('the whole visit lies inside one opening range', () => {
    const diary = institute({
      services: [service('cut', { minutes: 90 })],
      members: [member('ana', ['cut'])],
      open: ['08:00-12:00', '13:00-20:00'],
    })
    expect(tuesday(diary)).toBe('09:00 10:00 13:00 14:00 15:00 16:00')
  })
})

describe('notice, horizon and last start', () => {
  const ana = member('ana', ['cut', 'colour'])

  test('a start is offered from exactly now plus notice on', () => {
    const diary = institute({ services: [service('cut')], rules: { noticeMinutes: 120 }, members: [ana] })
    const ask = (now: number): string => shown(offersForDays(diary, CUT, { now, fromDay: TUESDAY, days: 1 })[0]?.times ?? [])
    expect(ask(at('13:00'))).toBe('15:00 16:00 17:00')
    expect(ask(at('13:00') + 0.01)).toBe('16:00 17:00')
  })

  test('a service may ask for less or more notice than the institute, and of a cart the strictest holds', () => {
    const services = [service('cut', { noticeMinutes: 0 }), service('colour', { noticeMinutes: 240 })]
    const diary = institute({ services, rules: { noticeMinutes: 120 }, members: [ana] })
    const ask = (...ids: string[]): string => {
      const cart = ids.map((serviceId) => ({ serviceId }))
      return shown(offersForDays(diary, cart, { now: at('11:30'), fromDay: TUESDAY, days: 1 })[0]?.times ?? [])
    }
    expect(ask('cut')).toBe('12:00 13:00 14:00 15:00 16:00 17:00')
    expect(ask('cut', 'colour')).toBe('16:00')
  })

  test('the last day of the horizon is offered whole and the next not at all', () => {
    const diary = institute({ services: [service('cut')], rules: { horizonDays: 2 }, members: [ana] })
    const days = offersForDays(diary, CUT, { ...ASKING, fromDay: '2027-03-09', days: 3 })
    expect(days.map(({ times }) => times.length)).toEqual([9, 9, 0])
  })

  test('a service is not offered after its last start', () => {
    const diary = institute({ services: [service('cut', { latestStart: clock('11:00') })], members: [ana] })
    expect(tuesday(diary)).toBe('09:00 10:00 11:00')
  })

  test('in a night that opened the evening before, the last start counts on from that evening', () => {
    const night = member('ana', ['cut'], { rotas: [everyDay('20:00-27:00')] })
    const diary = institute({ services: [service('cut', { latestStart: clock('25:00') })], members: [night], open: ['20:00-27:00'] })
    expect(tuesday(diary)).toBe('00:00 01:00 20:00 21:00 22:00 23:00')
  })
})

describe('time too short to sell', () => {
  const rotas = [everyDay('09:00-12:00')]
  const diary = (gaps: InstituteDiary['rules']['gaps'], taken: readonly string[] = []): InstituteDiary =>
    institute({
      services: BOTH,
      rules: { gridMinutes: 10, gaps },
      members: [member('ana', ['cut', 'fringe'], { rotas, busy: busy(...taken) })],
    })

  test('is told with each start', () => {
    const [day] = offersForDays(diary('rank'), CUT, { ...ASKING, fromDay: TUESDAY, days: 1 })
    const stranding = day?.times.filter(({ strandedMinutes }) => strandedMinutes > 0) ?? []
    expect(stranding.map(({ strandedMinutes }) => strandedMinutes)).toEqual([10, 10])
    expect(shown(stranding)).toBe('09:10 10:50')
    expect(day?.times).toHaveLength(13)
  })

  test('is never left when the institute hides such starts', () => {
    expect(tuesday(diary('hide'))).toBe('09:00 09:20 09:30 09:40 09:50 10:00 10:10 10:20 10:30 10:40 11:00')
  })

  test('is not counted when the rule is off', () => {
    const [day] = offersForDays(diary('off'), CUT, { ...ASKING, fromDay: TUESDAY, days: 1 })
    expect(day?.times.every(({ strandedMinutes }) => strandedMinutes === 0)).toBe(true)
  })

  test('does not empty a day on which every start would leave some', () => {
    expect(tuesday(diary('hide', ['09:00-09:50', '11:00-12:00']))).toBe('09:50 10:00')
    expect(tuesday(diary('hide', ['09:00-09:55', '11:00-12:00']))).toBe('10:00')
  })

  test('may be left by a booking exactly where it is offered', () => {
    const booked = (start: string, ...taken: readonly string[]): boolean => planVisit(diary('hide', taken), CUT, at(start), ASKING).ok
    expect([booked('09:10'), booked('09:20'), booked('10:00', '09:00-09:55', '11:00-12:00')]).toEqual([false, true, true])
  })

  test('counts no minutes outside opening hours, which nobody could buy', () => {
    const late = institute({
      services: BOTH,
      open: ['08:00-11:50'],
      rules: { gridMinutes: 10, gaps: 'hide' },
      members: [member('ana', ['cut', 'fringe'], { rotas })],
    })
    expect(tuesday(late)).toContain('10:50')
  })
})

describe('asking for times', () => {
  const diary = institute({
    services: [service('cut')],
    members: [member('ana', ['cut'], { rotas: [everyDay('10:00-19:00')], absences: [{ fromDay: '2027-03-10', toDay: '2027-03-30' }] })],
  })

  test.each([
    ['morning', '10:00 11:00'],
    ['afternoon', '12:00 13:00 14:00 15:00 16:00'],
    ['evening', '17:00 18:00'],
  ] as const)('in the %s gives the starts of that part of the day', (part, times) => {
    expect(tuesday(diary, CUT, part)).toBe(times)
  })

  test('gives every day asked for, also those without offers', () => {
    const days = offersForDays(diary, CUT, { ...ASKING, fromDay: '2027-03-07', days: 5 })
    expect(days.map(({ day, times }) => `${day} ${String(times.length)}`)).toEqual([
      '2027-03-07 0',
      '2027-03-08 7',
      '2027-03-09 9',
      '2027-03-10 0',
      '2027-03-11 0',
    ])
  })

  test('soonest gives the first ones, across three weeks of holidays', () => {
    const next = nextOffers(diary, CUT, { ...ASKING, from: at('18:00'), limit: 3, untilDay: '2027-04-30' })
    expect(next.map(({ startsAt }) => startsAt)).toEqual([at('18:00'), at('2027-03-31 10:00'), at('2027-03-31 11:00')])
  })

  test('near an asked start that is taken gives the closest, the earlier of two equally close', () => {
    expect(shown(nearestOffers(diary, CUT, at('13:00'), { ...ASKING, limit: 3 }))).toBe('11:00 12:00 14:00')
    const late = nearestOffers(diary, CUT, at('2027-03-30 18:00'), { ...ASKING, limit: 2 })
    expect(late.map(({ startsAt }) => startsAt)).toEqual([at('2027-03-31 10:00'), at('2027-03-31 11:00')])
  })

  test('by month tells which days have room and which are closed', () => {
    const closed = { ...diary, closures: [{ fromDay: '2027-03-31', toDay: '2027-03-31' }] }
    expect(daysWithRoom(closed, CUT, { ...ASKING, fromDay: '2027-03-09', days: 2 })).toEqual([
      { day: '2027-03-09', room: 'some', closed: false },
      { day: '2027-03-10', room: 'none', closed: false },
    ])
    expect(daysWithRoom(closed, CUT, { ...ASKING, fromDay: '2027-03-31', days: 2 })).toEqual([
      { day: '2027-03-31', room: 'none', closed: true },
      { day: '2027-04-01', room: 'some', closed: false },
    ])
  })

  test('for nothing, or for a service that does not exist, gives days without offers', () => {
    expect(tuesday(diary, [])).toBe('')
    expect(tuesday(diary, [{ serviceId: 'gone' }])).toBe('')
    expect(tuesday(diary, [{ serviceId: 'cut', memberId: 'gone' }])).toBe('')
  })
})
