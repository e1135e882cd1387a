import type { Institute } from '@soigne/contract/institutes'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeInstitute } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

// Friday noon in Paris.
const now = '2026-11-20T11:00:00Z'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp({ at: now })
})
afterAll(() => t.close())

async function page(slug: string, locale = 'en'): Promise<Institute> {
  const answer = await t.inject('GET', `/api/v1/client/institutes/${slug}`, { locale })
  expect(answer.status).toBe(200)
  return answer.body as unknown as Institute
}

describe('[R-08] the page of an institute', () => {
  it('shows hours, menu, team, rules and picture in one answer of two statements', async () => {
    const made = await makeInstitute(t.db, { cancelWindow: 90, rescheduleWindow: null })
    const before = t.context.database.statements()
    const institute = await page(made.slug)
    expect(t.context.database.statements() - before).toBe(2)
    expect(institute).toMatchObject({
      _id: made.id,
      slug: made.slug,
      name: 'Atelier Test',
      claimed: true,
      timeZone: 'Europe/Paris',
      currency: 'EUR',
      openUntil: '18:00',
      closures: [],
      address: { city: 'Lyon', countryCode: 'FR', country: 'France' },
      location: { lat: 45.764, lon: 4.8357 },
      rules: { cancelWindowHours: 1.5, rescheduleWindowHours: null, noticeMinutes: 0, horizonDays: 90, payAtSalon: true },
      rating: { average: 0, count: 0 },
      averageWelcoming: null,
      pictures: [{ url: `/art/cover/hair/${made.slug}.svg`, alt: 'Atelier Test' }],
    })
    expect(institute.openingHours.map(({ weekday, ranges }) => [weekday, ranges.length])).toEqual([
      ['Monday', 1],
      ['Tuesday', 1],
      ['Wednesday', 1],
      ['Thursday', 1],
      ['Friday', 1],
      ['Saturday', 1],
      ['Sunday', 0],
    ])
    expect(
      institute.services.map(({ name, durationMinutes, price, performers }) => [name, durationMinutes, price?.amount, performers.length]),
    ).toEqual([
      ['Cut', 40, 3500, 2],
      ['Colour', 60, 6000, 2],
    ])
    expect(institute.team.map(({ name, availability }) => [name, availability])).toEqual([
      ['Member 1', 'available'],
      ['Member 2', 'available'],
    ])
  })

  it('[E-09] has the four averages and their mean, pictures and words in the language of the caller', async () => {
    const made = await makeInstitute(t.db, {})
    await sql`update institutes set rating_count = 7, average_welcoming = 5, average_hygiene = 4.5, average_atmosphere = 4.2, average_service_quality = 4.8, description = '{"en":"Quiet","fr":"Calme","ar":"هادئ"}' where id = ${made.id}`.execute(
      t.db,
    )
    await sql`insert into institute_pictures (institute_id, position, url, alt) values (${made.id}, 0, '/files/one.jpg', '{"en":"The room","fr":"La salle"}')`.execute(
      t.db,
    )
    await sql`update services set name = '{"en":"Cut","fr":"Coupe","ar":"قص"}', minimum_age = 16 where id = ${made.services[0]}`.execute(
      t.db,
    )
    const institute = await page(made.slug, 'fr')
    expect(institute).toMatchObject({
      description: 'Calme',
      rating: { average: 4.63, count: 7 },
      averageWelcoming: 5,
      averageHygiene: 4.5,
      averageAtmosphere: 4.2,
      averageServiceQuality: 4.8,
      pictures: [{ url: '/files/one.jpg', alt: 'La salle' }],
    })
    expect(institute.services[0]).toMatchObject({ name: 'Coupe', conditions: ['À partir de 16 ans'] })
    expect((await page(made.slug, 'ar')).services[0]?.name).toBe('قص')
  })

  it('names what must come before a service, and each member’s own price and time', async () => {
    const made = await makeInstitute(t.db, { services: [{ name: 'Patch test', active: 10 }, { name: 'Tint' }] })
    await sql`insert into service_prerequisites (service_id, institute_id, required_service_id, min_hours, max_months) values (${made.services[1]}, ${made.id}, ${made.services[0]}, 48, 6)`.execute(
      t.db,
    )
    await sql`update member_services set price_amount = 4200, active_minutes = 50, idle_minutes = 0, active_after_minutes = 0 where member_id = ${made.members[0]} and service_id = ${made.services[1]}`.execute(
      t.db,
    )
    const [patchTest, tint] = (await page(made.slug)).services
    expect(patchTest).not.toHaveProperty('needs')
    expect(tint?.needs).toEqual([{ serviceId: made.services[0], minHours: 48, maxMonths: 6 }])
    expect(tint?.conditions).toEqual(['Needs Patch test at least 48 hours before'])
    expect(tint?.performers).toEqual([
      { staffId: made.members[0], durationMinutes: 50, price: { amount: 4200, currency: 'EUR' }, onlyByName: true },
      { staffId: made.members[1], durationMinutes: 40, price: { amount: 3000, currency: 'EUR' } },
    ])
  })

  it('tells who is away today, never why, and which closed days lie ahead', async () => {
    const made = await makeInstitute(t.db, {})
    await sql`insert into absences (institute_id, member_id, kind, from_day, to_day) values (${made.id}, ${made.members[0]}, 'sick_leave', '2026-11-18', '2026-11-20'), (${made.id}, ${made.members[1]}, 'on_holiday', '2026-11-21', '2026-11-30')`.execute(
      t.db,
    )
    await sql`insert into closures (institute_id, from_day, to_day, opens_at, closes_at, reason) values (${made.id}, '2026-11-10', '2026-11-19', null, null, '{}'), (${made.id}, '2026-12-25', '2026-12-26', null, null, '{"en":"Holidays","fr":"Fêtes"}'), (${made.id}, '2026-12-01', '2026-12-01', 600, 700, '{}')`.execute(
      t.db,
    )
    const institute = await page(made.slug, 'fr')
    expect(institute.team.map(({ availability }) => availability)).toEqual(['away', 'available'])
    expect(institute.closures).toEqual([{ fromDay: '2026-12-25', toDay: '2026-12-26', reason: 'Fêtes' }])
  })

  it('is open until the end of the range, and closed before it and on closed days', async () => {
    const made = await makeInstitute(t.db, {})
    const untilAt = async (at: string): Promise<string | null> => {
      t.clock.set(at)
      return (await page(made.slug)).openUntil
    }
    expect(await untilAt('2026-11-20T07:59:00Z')).toBeNull()
    expect(await untilAt('2026-11-20T08:00:00Z')).toBe('18:00')
    expect(await untilAt('2026-11-20T17:00:00Z')).toBeNull()
    expect(await untilAt('2026-11-22T11:00:00Z')).toBeNull()
    await sql`insert into closures (institute_id, from_day, to_day, opens_at, closes_at) values (${made.id}, '2026-11-20', '2026-11-20', 900, 1080)`.execute(
      t.db,
    )
    expect(await untilAt(now)).toBe('15:00')
  })

  it('is not found for unknown names, drafts, suspended institutes and hostile names', async () => {
    const hidden = await Promise.all(['draft', 'suspended'].map((state) => makeInstitute(t.db, { state })))
    for (const slug of [...hidden.map((one) => one.slug), 'nobody', '%00', '%ED%A0%80', "a'--", '..%2f..', 'é', 'a'.repeat(120)]) {
      expect([slug, [400, 404].includes((await t.inject('GET', `/api/v1/client/institutes/${slug}`)).status)]).toEqual([slug, true])
    }
  })
})
