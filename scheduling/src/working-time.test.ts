import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { addDays } from './days.ts'
import type { Day, DayRange, InstituteDiary, MemberDiary, Rota, Shift, Weekday } from './model.ts'
import { daysWithRoom, offersForDays } from './offers.ts'
import { ASKING, everyDay, hours, institute, member, service, shown, TUESDAY } from './testing/small-institute.ts'

const CUT = [{ serviceId: 'cut' }]
const LONG_AGO = Date.UTC(2024, 0) / 60_000

function rota(
  weeks: 1 | 2 | 3 | 4,
  anchorDay: Day,
  shifts: readonly (readonly [1 | 2 | 3 | 4, Weekday, string])[],
  more: Partial<Rota> = {},
): Rota {
  return {
    weeks,
    anchorDay,
    shifts: shifts.map(([week, weekday, range]): Shift => ({ week, weekday, ...hours(range), breaks: [] })),
    ...more,
  }
}

function salon(more: Partial<MemberDiary>, rest: Partial<InstituteDiary> & { open?: readonly string[] } = {}): InstituteDiary {
  const { openingHours: _, services: __, rules: ___, ...others } = rest
  return institute({ services: [service('cut')], rules: { horizonDays: 3000 }, members: [member('ana', ['cut'], more)], ...others })
}

/** '12-31 09:00 10:00' for each day that has offers. */
function week(diary: InstituteDiary, fromDay: Day, days: number): readonly string[] {
  return offersForDays(diary, CUT, { now: LONG_AGO, fromDay, days })
    .filter(({ times }) => times.length > 0)
    .map(({ day, times }) => `${day.slice(5)} ${shown(times)}`)
}

function workdays(diary: InstituteDiary, fromDay: Day, days: number): readonly string[] {
  return daysWithRoom(diary, CUT, { now: LONG_AGO, fromDay, days }).flatMap(({ day, room }) => (room === 'some' ? [day] : []))
}

describe('rotas', () => {
  test('of two weeks alternate across the end of the year, 53 weeks or not', () => {
    const ana = salon({
      rotas: [
        rota(2, '2026-12-16', [
          [1, 3, '10:00-11:00'],
          [2, 5, '10:00-11:00'],
        ]),
      ],
    })
    expect(workdays(ana, '2026-12-14', 35)).toEqual(['2026-12-16', '2026-12-25', '2026-12-30', '2027-01-08', '2027-01-13'])
  })

  test('of three and four weeks come round in order, also before their anchor', () => {
    const three = salon({
      rotas: [
        rota(3, '2027-01-06', [
          [1, 1, '10:00-11:00'],
          [2, 2, '10:00-11:00'],
          [3, 3, '10:00-11:00'],
        ]),
      ],
    })
    expect(workdays(three, '2026-12-21', 28)).toEqual(['2026-12-22', '2026-12-30', '2027-01-04', '2027-01-12'])
    const four = salon({
      rotas: [
        rota(4, '2027-01-04', [
          [1, 7, '10:00-11:00'],
          [4, 1, '10:00-11:00'],
        ]),
      ],
    })
    expect(workdays(four, '2026-12-28', 56)).toEqual(['2026-12-28', '2027-01-10', '2027-01-25', '2027-02-07'])
  })

  test('the week of a rota begins on Monday whatever day the anchor is', () => {
    const shifts = [
      [1, 7, '10:00-11:00'],
      [2, 1, '12:00-13:00'],
    ] as const
    for (const anchor of ['2027-03-08', '2027-03-11', '2027-03-14'] as const) {
      expect(week(salon({ rotas: [rota(2, anchor, shifts)] }), '2027-03-08', 14)).toEqual(['03-14 10:00', '03-15 12:00'])
    }
  })

  test('follow one another by their dates, the latest one valid counts', () => {
    const rotas = [
      rota(1, '2027-03-08', [
        [1, 2, '09:00-10:00'],
        [1, 3, '09:00-10:00'],
      ]),
      rota(1, '2027-03-08', [[1, 2, '11:00-12:00']], { validFrom: '2027-03-16', validTo: '2027-03-22' }),
    ]
    expect(week(salon({ rotas }), '2027-03-08', 21)).toEqual(['03-09 09:00', '03-10 09:00', '03-16 11:00', '03-23 09:00', '03-24 09:00'])
    expect(week(salon({ rotas: rotas.toReversed() }), '2027-03-16', 2)).toEqual(['03-16 11:00'])
  })

  test('give way to the override of a day, also to a day off', () => {
    const overrides = [
      { day: '2027-03-09', shifts: [{ ...hours('12:00-14:00'), breaks: [] }] },
      { day: '2027-03-10', shifts: [] },
    ]
    expect(week(salon({ rotas: [everyDay('09:00-10:00')], overrides }), '2027-03-08', 4)).toEqual([
      '03-08 09:00',
      '03-09 12:00 13:00',
      '03-11 09:00',
    ])
  })
})

describe('a shift past midnight', () => {
  const night = { rotas: [rota(1, '2027-03-08', [[1, 5, '22:00-26:00']])] }
  const open = ['20:00-27:00']

  test('offers its late starts on the next calendar day', () => {
    expect(week(salon(night, { open }), '2027-03-11', 4)).toEqual(['03-12 22:00 23:00', '03-13 00:00 01:00'])
  })

  test('goes with the day it opens when that day is closed or taken off, and stays when the next one is', () => {
    const friday: readonly DayRange[] = [{ fromDay: '2027-03-12', toDay: '2027-03-12' }]
    const saturday: readonly DayRange[] = [{ fromDay: '2027-03-13', toDay: '2027-03-13' }]
    expect(week(salon(night, { open, closures: friday }), '2027-03-11', 4)).toEqual([])
    expect(week(salon({ ...night, absences: friday }, { open }), '2027-03-11', 4)).toEqual([])
    expect(week(salon(night, { open, closures: saturday }), '2027-03-11', 4)).toHaveLength(2)
    expect(week(salon({ ...night, absences: saturday }, { open }), '2027-03-11', 4)).toHaveLength(2)
  })

  test('of a closed day does not reach into the opening hours of the next', () => {
    const friday: readonly DayRange[] = [{ fromDay: '2027-03-12', toDay: '2027-03-12' }]
    expect(week(salon(night, { open: ['00:00-24:00'] }), '2027-03-13', 1)).toEqual(['03-13 00:00 01:00'])
    expect(week(salon(night, { open: ['00:00-24:00'], closures: friday }), '2027-03-13', 1)).toEqual([])
  })

  test('loses the hours of the next day that a partial closure takes', () => {
    const part = [{ fromDay: '2027-03-13', toDay: '2027-03-13', part: hours('01:00-05:00') }]
    expect(week(salon(night, { open, closures: part }), '2027-03-11', 4)).toEqual(['03-12 22:00 23:00', '03-13 00:00'])
  })

  test('lasts its elapsed hours when the clock changes in it', () => {
    const saturday = { rotas: [rota(1, '2027-03-08', [[1, 6, '23:00-28:00']])] }
    expect(week(salon(saturday, { open: ['20:00-30:00'] }), '2027-03-27', 2)).toEqual(['03-27 23:00', '03-28 00:00 01:00 03:00'])
    expect(week(salon(saturday, { open: ['20:00-30:00'] }), '2026-10-24', 2)).toEqual(['10-24 23:00', '10-25 00:00 01:00 02:00 03:00'])
  })

  test('that ends where the next day begins lets a visit run through midnight', () => {
    const long = institute({
      services: [service('cut', { minutes: 120 })],
      open: ['00:00-24:00'],
      members: [member('ana', ['cut'], { rotas: [everyDay('00:00-24:00')] })],
    })
    const [day] = offersForDays(long, CUT, { ...ASKING, fromDay: TUESDAY, days: 1 })
    expect(shown(day?.times ?? [])).toContain('23:00')
  })
})

const OPEN_DATA = process.env['OPEN_DATA_DIR']
const holidays = join(OPEN_DATA ?? '', 'holidays', 'public_holidays_2025_2029.json')
const hasData = OPEN_DATA !== undefined && existsSync(holidays)
if (!hasData) process.stderr.write('OPEN_DATA_DIR holds no public holidays: the test against them is left out\n')

interface Holiday {
  readonly country: string
  readonly state: string | null
  readonly date: string
  readonly start: string
  readonly end: string
  readonly type: string
}

const ZONES: Readonly<Record<string, string>> = {
  AD: 'Europe/Andorra',
  AE: 'Asia/Dubai',
  CH: 'Europe/Zurich',
  DE: 'Europe/Berlin',
  DZ: 'Africa/Algiers',
  FI: 'Europe/Helsinki',
  FR: 'Europe/Paris',
  MA: 'Africa/Casablanca',
  MC: 'Europe/Monaco',
  MT: 'Europe/Malta',
  SA: 'Asia/Riyadh',
  TN: 'Africa/Tunis',
}

if (hasData) {
  describe('closures on public holidays', () => {
    test('close exactly these days, in every country and region of the open data', () => {
      const all = JSON.parse(readFileSync(holidays, 'utf8')) as readonly Holiday[]
      const regions = Map.groupBy(
        all.filter(({ type }) => type === 'public'),
        ({ country, state }) => `${country} ${state ?? ''}`,
      )
      expect(regions.size).toBeGreaterThan(10)
      for (const [region, list] of regions) {
        const closures = list.map(({ date, start, end }): DayRange => {
          const fromDay = date.slice(0, 10)
          return { fromDay, toDay: addDays(fromDay, Math.max(Math.round((Date.parse(end) - Date.parse(start)) / 86_400_000), 1) - 1) }
        })
        const closed = new Set(
          closures.flatMap(({ fromDay, toDay }) => {
            const days: Day[] = []
            for (let day = fromDay; day <= toDay; day = addDays(day, 1)) days.push(day)
            return days
          }),
        )
        const diary = { ...salon({}, { closures }), timeZone: ZONES[region.slice(0, 2)]! }
        const shut = daysWithRoom(diary, CUT, { now: LONG_AGO, fromDay: '2025-01-01', days: 1826 })
        expect(shut.filter((one) => one.closed).map(({ day }) => day)).toEqual(
          [...closed].filter((day) => day >= '2025' && day < '2030').sort(),
        )
        expect(shut.every((one) => one.closed === (one.room === 'none'))).toBe(true)
      }
    })
  })
}
