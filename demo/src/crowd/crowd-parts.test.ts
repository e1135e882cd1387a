import { dayNumber, dayOfNumber } from '@soigne/scheduling/days'
import { categories } from '@soigne/contract/wire'
import { describe, expect, it } from 'vitest'
import { readDemoContent } from '#/content/read-content.ts'
import { randomFrom } from '#/random.ts'
import { closureRow } from '#/rows/institute.ts'
import type { InstituteRows } from '#/rows/tables.ts'
import { absenceRow, overrideRow } from '#/rows/team.ts'
import { inventWeek } from './hours.ts'
import { inventInstitute } from './institutes.ts'
import { inventCategories, inventMenu, inventResources } from './menus.ts'
import { inventName, slugFor, slugOf } from '#/content/invented-names.ts'
import { inventTeamSize } from './teams.ts'
import type { Seat, Town } from './towns.ts'
import { workDaysOf } from '#/diaries/work-days.ts'

const content = readDemoContent()
const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

describe('weeks of a crowd', () => {
  const weeks = many(400, (at) =>
    inventWeek(categories[at % categories.length] ?? 'hair', at % 2 === 0 ? 'FR' : 'EG', randomFrom(`week ${at}`)),
  )

  it('have seven days, some of them open, in ranges one after the other on five minutes', () => {
    for (const week of weeks) {
      expect(week).toHaveLength(7)
      expect(week.filter((day) => day.length > 0).length).toBeGreaterThanOrEqual(4)
      for (const day of week) {
        let before = 0
        for (const { opensAt, closesAt } of day) {
          expect(opensAt).toBeGreaterThanOrEqual(before)
          expect(closesAt).toBeGreaterThan(opensAt)
          expect(closesAt).toBeLessThanOrEqual(1440)
          expect((opensAt % 5) + (closesAt % 5)).toBe(0)
          before = closesAt
        }
      }
    }
  })

  it('rest on Friday where that is the custom, else on Sunday', () => {
    const open = (day: number, odd: number): number => weeks.filter((week, at) => at % 2 === odd && (week[day - 1]?.length ?? 0) > 0).length
    expect(open(5, 1)).toBeLessThan(open(7, 1))
    expect(open(7, 0)).toBeLessThan(open(5, 0))
  })
})

describe('teams and trades of a crowd', () => {
  it('one to eight people work in an institute, three on average, and in one of four hundred twenty', () => {
    const random = randomFrom('sizes')
    const sizes = many(40_000, () => inventTeamSize(random))
    const large = sizes.filter((size) => size === 20).length
    expect(large).toBeGreaterThan(60)
    expect(large).toBeLessThan(150)
    expect(new Set(sizes)).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, 20]))
    const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length
    expect(mean).toBeGreaterThan(2.7)
    expect(mean).toBeLessThan(3.3)
  })

  it('every category comes first somewhere, and none twice in one institute', () => {
    const random = randomFrom('trades')
    const kinds = many(5000, () => inventCategories(random))
    expect(new Set(kinds.map(([first]) => first))).toEqual(new Set(categories))
    for (const one of kinds) {
      expect(new Set(one).size).toBe(one.length)
      expect(one.length).toBeLessThanOrEqual(3)
    }
  })

  it.each(categories)('a menu of %s has words in three languages, a price or none, and what it needs', (category) => {
    for (let at = 0; at < 30; at++) {
      const random = randomFrom(`${category} ${at}`)
      const menu = inventMenu({ instituteId: 'x', currency: 'EUR', categories: [category], priceLevel: 1, at: 0 }, content, random)
      expect(menu.services.length).toBeGreaterThanOrEqual(3)
      const types = new Set(inventResources(menu.services, 3, 0, random).map(({ type }) => type))
      for (const service of menu.services) {
        expect([service.name.en, service.name.fr, service.name.ar].every(Boolean)).toBe(true)
        expect(service.price_kind === 'on_request').toBe(service.price_amount === null)
        expect(service.idle_minutes === 0).toBe(service.active_after_minutes === 0)
        if (service.resource_type !== null) expect(types).toContain(service.resource_type)
      }
      for (const row of menu.prerequisites) expect(menu.services.some(({ id }) => id === row.required_service_id)).toBe(true)
    }
  })
})

describe('names of a crowd', () => {
  it.each(['en', 'fr', 'ar'] as const)('are put together whole in %s, thousands of them', (speech) => {
    const random = randomFrom(`names ${speech}`)
    const names = many(6000, (at) => inventName(speech, categories[at % categories.length] ?? 'hair', random))
    for (const { name, latin, street } of names) {
      expect(`${name} ${latin} ${street}`).not.toMatch(/[{}|]|undefined/)
      expect(name.length).toBeLessThanOrEqual(120)
      expect(latin).toMatch(/^\p{Script=Latin}/u)
    }
    expect(new Set(names.map(({ name }) => name)).size).toBeGreaterThan(2000)
  })

  it('make addresses of Latin letters also in a town that has none', () => {
    const name = { name: 'صالون ياسمين', latin: 'Salon Yasmin', street: '' }
    expect(slugFor(name, 'lyon', 0)).toBe('salon-yasmin-lyon-c1')
    expect(slugFor(name, '', 35)).toBe('salon-yasmin-c10')
    expect(slugFor({ ...name, latin: 'x'.repeat(200) }, slugOf('y'.repeat(200)), 999_999).length).toBeLessThanOrEqual(120)
  })
})

describe('working days of a made-up institute', () => {
  const town: Town = {
    geonameId: 1,
    name: 'Paris',
    nameAr: 'باريس',
    countryCode: 'FR',
    lat: 48.85341,
    lon: 2.3488,
    population: 2_138_551,
    timeZone: 'Europe/Paris',
    slug: 'paris',
    currency: 'EUR',
    languages: ['French'],
  }
  const seat: Seat = { index: 3, town, ordinal: 3, count: 40 }
  const now = Date.parse('2027-03-20T00:00:00Z')
  const build = (change: (institute: InstituteRows) => void): InstituteRows => {
    const { institute } = inventInstitute(seat, 1, content, now)
    institute.closures = []
    institute.absences = []
    institute.overrides = []
    change(institute)
    return institute
  }
  const today = dayNumber('2027-03-20')
  const worked = (institute: InstituteRows, position: number): number[] => {
    const days = workDaysOf(institute)
    return many(20, (at) => today + at).filter((number) => days.day(number) !== null && days.work(position, number).length > 0)
  }

  it('leave out closed days, leave, single days off, and days on which the clock changes', () => {
    const open = worked(
      build(() => {}),
      0,
    )
    expect(open.length).toBeGreaterThan(5)
    expect(open).not.toContain(dayNumber('2027-03-28'))
    const [first = 0, second = 0, third = 0] = open
    const instituteId = build(() => {}).institute.id
    const left = worked(
      build((institute) => {
        const made = { id: 'x', instituteId, memberId: institute.members[0]?.id ?? '' }
        const on = (number: number): { fromDay: string; toDay: string } => ({ fromDay: dayOfNumber(number), toDay: dayOfNumber(number) })
        institute.closures = [closureRow({ ...made, ...on(first), reason: {} })]
        institute.absences = [absenceRow({ ...made, ...on(second), kind: 'sick_leave' })]
        institute.overrides = [overrideRow({ ...made, day: dayOfNumber(third), shifts: [] })]
      }),
      0,
    )
    expect(left).toEqual(open.filter((number) => ![first, second, third].includes(number)))
  })

  it('end where a part of the day is closed', () => {
    const [first = 0] = worked(
      build(() => {}),
      0,
    )
    const institute = build((one) => {
      const day = dayOfNumber(first)
      one.closures = [
        closureRow({ id: 'x', instituteId: '', fromDay: day, toDay: day, part: { opensAt: 720, closesAt: 1440 }, reason: {} }),
      ]
    })
    expect(
      workDaysOf(institute)
        .day(first)
        ?.open.every(({ closesAt }) => closesAt <= 720),
    ).toBe(true)
  })
})
