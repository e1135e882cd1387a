import { categories } from '@soigne/contract/wire'
import { describe, expect, it } from 'vitest'
import { type CompleteText, readDemoContent } from '#/content/read-content.ts'
import { localPrice } from './prices.ts'
import { buildDemo, type Demo, demoAccounts, demoPassword } from './seed-demo.ts'

const noon = Date.parse('2026-11-20T11:00:00Z')
const arabicLetters = /\p{Script=Arabic}/u

/** Everything but the salted hashes. */
const withoutHashes = ({ users, institutes }: Demo): unknown => ({ users: users.map(({ email, id }) => ({ email, id })), institutes })

describe('the content of the demo', () => {
  const content = readDemoContent()
  const institutes = content.cities.flatMap((city) => city.institutes)

  it('has about sixty institutes in eight cities of five countries and all fourteen categories', () => {
    expect(institutes.length).toBeGreaterThanOrEqual(60)
    expect(content.cities.length).toBeGreaterThanOrEqual(6)
    expect(new Set(content.cities.map((city) => city.countryCode)).size).toBeGreaterThanOrEqual(4)
    expect(new Set(institutes.flatMap((institute) => institute.categories))).toEqual(new Set(categories))
    expect(content.cities.find((city) => city.name === 'Lyon')?.institutes.length).toBeGreaterThanOrEqual(16)
  })

  it('gives every institute its own name, address and slug', () => {
    for (const key of ['name', 'slug', 'street'] as const)
      expect(new Set(institutes.map((institute) => institute[key])).size).toBe(institutes.length)
  })

  it('speaks English, French and Arabic in every menu and description', () => {
    const menus = Object.values(content.menus)
    const services = menus.flatMap((menu) => Object.values(menu.services))
    const words: CompleteText[] = [
      ...institutes.map((institute) => institute.description),
      ...services.flatMap((service) => [service.name, service.description]),
      ...menus.flatMap((menu) => Object.values(menu.sections)),
    ]
    for (const { en, fr, ar } of words) {
      expect(ar).toMatch(arabicLetters)
      expect(en).not.toMatch(arabicLetters)
      expect(fr).not.toMatch(arabicLetters)
    }
  })

  it('prices in the steps people use in each country', () => {
    expect(localPrice(38, 1, 'EUR')).toBe(3800)
    expect(localPrice(38, 1, 'MAD')).toBe(16_000)
    expect(localPrice(38, 1, 'TND')).toBe(49_500)
    expect(localPrice(38, 1, 'GBP')).toBe(3400)
  })
})

describe('the demo as a whole', () => {
  it('is the same for the same instant', async () => {
    expect(withoutHashes(await buildDemo(noon))).toEqual(withoutHashes(await buildDemo(noon)))
  })

  it('gives no member and no resource two visits at once', async () => {
    const { institutes } = await buildDemo(noon)
    for (const { visits } of institutes) {
      const bySubject = Map.groupBy(visits.occupations, (row) => row.subject_id)
      for (const rows of bySubject.values()) {
        const ends = rows.map((row) => row.during.slice(1, -1).split(',')).sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
        ends.forEach(([from = ''], index) => {
          if (index > 0) expect((ends[index - 1]?.[1] ?? '') <= from).toBe(true)
        })
      }
    }
  })

  it('has menus of 6 to 16 services, teams of 2 to 7, and somebody for every service', async () => {
    const { institutes } = await buildDemo(noon)
    for (const { institute } of institutes) {
      expect(institute.services.length).toBeGreaterThanOrEqual(6)
      expect(institute.services.length).toBeLessThanOrEqual(16)
      expect(institute.members.length).toBeGreaterThanOrEqual(2)
      expect(institute.members.length).toBeLessThanOrEqual(7)
      for (const service of institute.services) {
        expect(institute.memberServices.some((row) => row.service_id === service.id)).toBe(true)
        expect(institute.resources.some((row) => row.type === service.resource_type)).toBe(true)
      }
    }
  })

  it('shows split shifts, rotas of two weeks, leave, idle parts, patch tests, own prices and a member not bookable online', async () => {
    const { institutes } = await buildDemo(noon)
    const all = institutes.map(({ institute }) => institute)
    expect(all.some((institute) => institute.openingHours.filter((row) => row.weekday === 2).length === 2)).toBe(true)
    expect(all.some((institute) => institute.rotas.some((rota) => rota.weeks === 2))).toBe(true)
    expect(all.some((institute) => institute.shifts.some((shift) => shift.breaks.length > 0))).toBe(true)
    expect(all.some((institute) => institute.overrides.length > 0)).toBe(true)
    expect(all.some((institute) => institute.absences.some((row) => row.kind === 'sick_leave'))).toBe(true)
    expect(all.some((institute) => institute.closures.length > 0)).toBe(true)
    expect(all.some((institute) => institute.services.some((service) => service.idle_minutes > 0))).toBe(true)
    expect(all.some((institute) => institute.prerequisites.length > 0)).toBe(true)
    expect(all.some((institute) => institute.memberServices.some((row) => row.price_amount !== null))).toBe(true)
    expect(all.some((institute) => institute.memberServices.some((row) => row.active_minutes !== null))).toBe(true)
    expect(all.some((institute) => institute.members.some((member) => !member.bookable_online))).toBe(true)
  })

  it('has three accounts, and visits behind and ahead of its client', async () => {
    const { users, institutes } = await buildDemo(noon)
    expect(demoAccounts.map((account) => account.email)).toEqual(['client@soigne.test', 'pro@soigne.test', 'new@soigne.test'])
    expect(demoPassword.length).toBeGreaterThanOrEqual(10)
    const mine = institutes.flatMap(({ visits }) => visits.appointments.filter((visit) => visit.user_id === users[0]?.id))
    const ahead = mine.filter((visit) => Date.parse(visit.starts_at) > noon)
    expect(ahead.length).toBeGreaterThanOrEqual(2)
    expect(mine.length - ahead.length).toBeGreaterThanOrEqual(2)
    expect(institutes.find(({ institute }) => institute.institute.owner_id === users[1]?.id)?.institute.institute.slug).toBe(
      'atelier-nacre',
    )
  })
})
