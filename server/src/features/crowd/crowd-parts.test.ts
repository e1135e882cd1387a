import { dayNumber, dayOfNumber } from '@soigne/scheduling/days'
import { categories } from '@soigne/contract/wire'
import { describe, expect, it } from 'vitest'
import { randomFrom, readDemoContent } from '#/features/demo/service.ts'
import { workDaysOf } from './days.ts'
import { buildHouse } from './house.ts'
import { inventWeek } from './hours.ts'
import { inventCategories, inventMenu, inventResources } from './menu.ts'
import { inventName, slugFor } from './names.ts'
import type { CrowdHouse } from './rows.ts'
import { inventTeamSize } from './team.ts'
import type { Seat, Town } from './towns.ts'

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
  it('one to eight people work in a house, three on average, and in one of four hundred twenty', () => {
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

  it('every category comes first somewhere, and none twice in one house', () => {
    const random = randomFrom('trades')
    const houses = many(5000, () => inventCategories(random))
    expect(new Set(houses.map(([first]) => first))).toEqual(new Set(categories))
    for (const house of houses) {
      expect(new Set(house).size).toBe(house.length)
      expect(house.length).toBeLessThanOrEqual(3)
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
    expect(slugFor(name, 'Lyon', 0)).toBe('salon-yasmin-lyon-c1')
    expect(slugFor(name, 'القاهرة', 35)).toBe('salon-yasmin-c10')
    expect(slugFor({ ...name, latin: 'x'.repeat(200) }, 'y'.repeat(200), 999_999).length).toBeLessThanOrEqual(120)
  })
})

describe('working days of a made-up house', () => {
  const town: Town = {
    geonameId: 1,
    name: 'Paris',
    nameAr: 'باريس',
    countryCode: 'FR',
    lat: 48.85341,
    lon: 2.3488,
    population: 2_138_551,
    timeZone: 'Europe/Paris',
  }
  const seat: Seat = { index: 3, town, ordinal: 3, count: 40 }
  const now = Date.parse('2027-03-20T00:00:00Z')
  const build = (change: (house: CrowdHouse) => void): CrowdHouse => {
    const { house } = buildHouse(seat, 1, content, now)
    house.closures = []
    house.absences = []
    house.overrides = []
    change(house)
    return house
  }
  const today = dayNumber('2027-03-20')
  const worked = (house: CrowdHouse, position: number): number[] => {
    const days = workDaysOf(house)
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
      build((house) => {
        const row = { id: 'x', institute_id: instituteId, opens_at: null, closes_at: null }
        const member = house.members[0]?.id ?? ''
        house.closures = [{ ...row, from_day: dayOfNumber(first), to_day: dayOfNumber(first), reason: { en: '', fr: '', ar: '' } }]
        house.absences = [
          { ...row, member_id: member, kind: 'sick_leave', from_day: dayOfNumber(second), to_day: dayOfNumber(second), note: null },
        ]
        house.overrides = [{ member_id: member, institute_id: instituteId, day: dayOfNumber(third), shifts: [] }]
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
    const house = build((one) => {
      one.closures = [
        {
          id: 'x',
          institute_id: '',
          from_day: dayOfNumber(first),
          to_day: dayOfNumber(first),
          opens_at: 720,
          closes_at: 1440,
          reason: { en: '', fr: '', ar: '' },
        },
      ]
    })
    expect(
      workDaysOf(house)
        .day(first)
        ?.open.every(({ closesAt }) => closesAt <= 720),
    ).toBe(true)
  })
})
