import { planVisit } from '@soigne/scheduling/plan-visit'
import { dayOf, wallMinuteOf } from '@soigne/scheduling/wall-clock'
import { beforeAll, describe, expect, it } from 'vitest'
import { readDemoContent } from '#/content/read-content.ts'
import { copyLine, GrowingText } from '#/storage/copy-text.ts'
import type { MadeInstitute } from '#/storage/rows-by-table.ts'
import { demoHost as host } from '#/testing/bare-host.ts'
import { diaryOfRows, minuteOf } from '#/testing/diary-of-rows.ts'
import { type CrowdSources, makeChunk, makeOne } from './chunk.ts'
import { menuPrice } from './prices.ts'
import { radiusKm, seatsFor, type Town } from './towns.ts'

const now = Date.parse('2026-11-20T00:00:00Z')
const content = readDemoContent()
const sources: CrowdSources = { content, host, taken: new Set() }

const spoken: Record<string, string[]> = {
  FR: ['French'],
  MC: ['French'],
  EG: ['Arabic'],
  MA: ['French', 'Arabic'],
  US: ['English'],
  NG: ['English'],
}

const town = (
  geonameId: number,
  name: string,
  countryCode: string,
  lat: number,
  lon: number,
  population: number,
  timeZone: string,
): Town => ({
  geonameId,
  name,
  nameAr: null,
  countryCode,
  lat,
  lon,
  population,
  timeZone,
  slug: name.toLowerCase().replaceAll(' ', '-'),
  currency: 'EUR',
  languages: spoken[countryCode] ?? ['Other'],
})
/** Cities of many kinds: by the sea, at a border, over the date line, where clocks change and where Friday is free. */
const towns: Town[] = [
  town(1, 'Shanghai', 'CN', 31.22222, 121.45806, 24_874_500, 'Asia/Shanghai'),
  town(2, 'Lagos', 'NG', 6.45407, 3.39467, 15_388_000, 'Africa/Lagos'),
  town(3, 'Cairo', 'EG', 30.06263, 31.24967, 9_606_916, 'Africa/Cairo'),
  town(4, 'Kinshasa', 'CD', -4.32758, 15.31357, 16_000_000, 'Africa/Kinshasa'),
  town(5, 'Paris', 'FR', 48.85341, 2.3488, 2_138_551, 'Europe/Paris'),
  town(6, 'Casablanca', 'MA', 33.58831, -7.61138, 3_144_909, 'Africa/Casablanca'),
  town(7, 'New York City', 'US', 40.71427, -74.00597, 8_804_190, 'America/New_York'),
  town(8, 'Suva', 'FJ', -18.14161, 178.44149, 77_366, 'Pacific/Fiji'),
  town(9, 'Monaco', 'MC', 43.73333, 7.41667, 32_965, 'Europe/Monaco'),
  town(10, 'Kathmandu', 'NP', 27.70169, 85.3206, 1_442_271, 'Asia/Kathmandu'),
]

let crowd: MadeInstitute[]
beforeAll(() => {
  crowd = seatsFor(towns, 300, 7).map((seat) => makeOne(seat, { seedNumber: 7, now }, sources))
}, 180_000)

describe('where a crowd stands', () => {
  it('each town has its share of the people, give or take one institute', () => {
    const people = towns.reduce((sum, { population }) => sum + population, 0)
    const seats = seatsFor(towns, 10_000, 3)
    expect(seats).toHaveLength(10_000)
    for (const one of towns) {
      const share = (10_000 * one.population) / people
      expect(Math.abs(seats.filter((seat) => seat.town === one).length - share)).toBeLessThanOrEqual(1)
    }
    expect(seats.map(({ index }) => index)).toEqual(seats.map((_, index) => index))
  })

  it.each([0, 1, 2, 999])('makes exactly %d when so many were asked for', (institutes) => {
    expect(seatsFor(towns, institutes, 5)).toHaveLength(institutes)
  })

  it('a town reaches further the more people it has, some 15 to 20 km at most', () => {
    expect(radiusKm(500)).toBe(0.3)
    expect(radiusKm(1_000_000)).toBeGreaterThan(radiusKm(100_000))
    expect(radiusKm(24_874_500)).toBeGreaterThan(15)
    expect(radiusKm(24_874_500)).toBeLessThanOrEqual(20)
  })

  it('institutes stand in their town, in the zone of their town, no two at one point', () => {
    const points = new Set<string>()
    for (const { institute: rows } of crowd) {
      const { lat, lon, city, time_zone: zone } = rows.institute
      const home = towns.find(({ name }) => name === city)
      expect(zone).toBe(home?.timeZone)
      expect(Math.abs(lat - (home?.lat ?? 0))).toBeLessThan(0.19)
      points.add(`${lat} ${lon}`)
    }
    expect(points.size).toBe(crowd.length)
  })
})

describe('what a crowd is made of', () => {
  it('is the same again from the same numbers on the same day', () => {
    const [seat] = seatsFor(towns, 300, 7)
    const again = seat && makeOne(seat, { seedNumber: 7, now }, sources)
    expect(again).toEqual(crowd[0])
  })

  it('has names in three scripts of speech that seldom come twice, and addresses that never do', () => {
    const names = crowd.map(({ institute: rows }) => rows.institute.name)
    expect(new Set(names).size).toBeGreaterThan(crowd.length * 0.8)
    expect(names.some((name) => /\p{Script=Arabic}/u.test(name))).toBe(true)
    expect(names.some((name) => name.startsWith('Atelier'))).toBe(true)
    const slugs = crowd.map(({ institute: rows }) => rows.institute.slug)
    expect(new Set(slugs).size).toBe(crowd.length)
    expect(slugs.filter((slug) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug) || slug.length > 120)).toEqual([])
  })

  it('has every category, most of all hair', () => {
    const counts = Map.groupBy(crowd, ({ institute: rows }) => rows.institute.categories[0])
    expect(counts.size).toBeGreaterThanOrEqual(13)
    for (const [category, list] of counts) if (category !== 'hair') expect(list.length).toBeLessThan(counts.get('hair')?.length ?? 0)
  })

  it('has menus of four to a dozen services whose minutes are multiples of five', () => {
    for (const { institute: rows } of crowd) {
      expect(rows.services.length).toBeGreaterThanOrEqual(3)
      expect(rows.services.length).toBeLessThanOrEqual(13)
      for (const service of rows.services)
        expect((service.active_minutes + service.idle_minutes + service.active_after_minutes) % 5).toBe(0)
      for (const row of rows.memberServices) expect((row.active_minutes ?? 0) % 5).toBe(0)
    }
    expect(crowd.some(({ institute: rows }) => rows.services.some(({ idle_minutes: idle }) => idle > 0))).toBe(true)
    expect(crowd.some(({ institute: rows }) => rows.resources.length > 0)).toBe(true)
    expect(crowd.some(({ institute: rows }) => rows.resources.length === 0)).toBe(true)
  })

  it('has teams of three on average', () => {
    const mean = crowd.reduce((sum, { institute: rows }) => sum + rows.members.length, 0) / crowd.length
    expect(mean).toBeGreaterThan(2.5)
    expect(mean).toBeLessThan(3.6)
  })

  it('has hours and shifts on five minutes, rotas of two weeks, lunch breaks and split days', () => {
    const shifts = crowd.flatMap(({ institute: rows }) => rows.shifts)
    expect(shifts.every(({ opens_at: from, closes_at: to }) => from % 5 === 0 && to % 5 === 0)).toBe(true)
    expect(shifts.some(({ week }) => week === 2)).toBe(true)
    expect(shifts.some(({ breaks }) => breaks.length > 0)).toBe(true)
    expect(crowd.some(({ institute: rows }) => rows.openingHours.filter(({ weekday }) => weekday === 2).length === 2)).toBe(true)
  })

  it('every visit stands where the time engine would have let the institute put it', () => {
    const refused: string[] = []
    let checked = 0
    for (const { institute: rows, visits } of crowd) {
      visits.appointments.forEach((visit, index) => {
        if (index % 3 !== 0 || visit.life === 'cancelled') return
        checked++
        const cart = visit.cart.map((line) => ({ serviceId: line.serviceId, memberId: line.staffId }))
        const planning = planVisit(diaryOfRows(rows, visits, visit.id), cart, minuteOf(visit.starts_at), {
          now: minuteOf(visit.created_at),
          forInstitute: true,
        })
        if (!planning.ok) refused.push(`${rows.institute.slug} ${visit.starts_at} ${planning.reason}`)
        else if (planning.plan.endsAt !== minuteOf(visit.ends_at)) refused.push(`${rows.institute.slug} ${visit.starts_at} ends otherwise`)
      })
    }
    expect(checked).toBeGreaterThan(1000)
    expect(refused).toEqual([])
  })

  it('every visit starts on the grid of a shift of its member', () => {
    const off: string[] = []
    for (const { institute: rows, visits } of crowd) {
      const { grid_minutes: grid, time_zone: zone, slug } = rows.institute
      for (const { member_id: member, starts_at: startsAt } of visits.segments) {
        const day = dayOf(zone, minuteOf(startsAt))
        const override = rows.overrides.find((row) => row.member_id === member && row.day === day)
        const rota = rows.rotas.find((row) => row.member_id === member)
        const shifts =
          override?.shifts.map(({ opensAt }) => opensAt) ?? rows.shifts.filter((row) => row.rota_id === rota?.id).map((row) => row.opens_at)
        const start = wallMinuteOf(zone, minuteOf(startsAt))
        if (!shifts.some((opensAt) => start >= opensAt && (start - opensAt) % grid === 0)) off.push(`${slug} ${startsAt}`)
      }
    }
    expect(off).toEqual([])
  })

  it('no visit has the reference of another', () => {
    const references = crowd.flatMap(({ visits }) => visits.appointments.map(({ reference }) => reference))
    expect(new Set(references).size).toBe(references.length)
    expect(references.filter((reference) => !/^Q[A-Z2-9]{3}-[A-Z2-9]{3}$/.test(reference))).toEqual([])
  })
})

describe('prices of a crowd', () => {
  it.each([
    [52, 'EUR', 5200],
    [52, 'JPY', 6200],
    [52, 'TND', 68_000],
    [4, 'KWD', 1300],
    [52, 'ZZZ', 5200],
  ])('%d euros in Lyon is %s in its own minor units', (euros, currency, amount) => {
    expect(menuPrice(euros, 1, currency)).toBe(amount)
  })
})

describe('text for COPY', () => {
  it('writes nothing, lists, words and odd characters as the database reads them', () => {
    const row = {
      a: null,
      b: 'tab\there \\ and\nline',
      categories: ['hair', 'nails'],
      breaks: [{ opensAt: 1 }],
      name: { en: 'x\\y' },
      on: true,
      no: false,
      n: 1.5,
    }
    expect(copyLine(Object.keys(row), row)).toBe(
      '\\N\ttab\\there \\\\ and\\nline\t{"hair","nails"}\t[{"opensAt":1}]\t{"en":"x\\\\\\\\y"}\tt\tf\t1.5\n',
    )
  })

  it('grows over any number of pieces without losing a byte, in every alphabet', () => {
    const text = new GrowingText()
    const pieces = Array.from({ length: 3000 }, (_, at) => `${at} Salon مكان متخيَّل 部屋 🌸\n`)
    for (const piece of pieces) text.add(piece)
    const whole = pieces.join('')
    expect(new TextDecoder().decode(text.bytes())).toBe(whole)
    const long = new GrowingText()
    long.add(whole)
    expect(new TextDecoder().decode(long.bytes())).toBe(whole)
  })

  it('carries institutes before what hangs on them', () => {
    const chunk = makeChunk({ seats: seatsFor(towns, 5, 1), seedNumber: 1, now }, sources)
    const order = chunk.tables.map(({ table }) => table)
    expect(order[0]).toBe('institutes')
    expect(order.indexOf('services')).toBeLessThan(order.indexOf('segments'))
    expect(order.indexOf('appointments')).toBeLessThan(order.indexOf('occupations'))
    expect(chunk.tables[0]?.rows).toBe(5)
  })
})
