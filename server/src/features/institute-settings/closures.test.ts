/** Closed days: what they take from clients, the visits they hit, and the public holidays of a country and its regions. */
import type { Closure, HitVisit } from '@soigne/contract/institute-settings'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, wall } from '#/testing/booking.ts'
import { eventsOf, startsOffered, summaryIsTrue } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'
import { holidayRegion, publicHolidays } from './holidays.ts'
import { closedSpans, leftOutside, within } from './outside.ts'

let t: TestApp
let owner: MadeUser
let client: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp()
  client = await makeUser(t.db, { firstName: 'Camille' })
})
afterAll(() => t.close())
beforeEach(async () => {
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { ownerId: owner.id })
})

const path = '/api/v1/secure/mysalon/closures'
const ask = (method: 'GET' | 'POST' | 'DELETE', at = '', body?: object, user = owner, locale = 'en'): Promise<TestAnswer> =>
  t.inject(method, `${path}${at}`, { token: user.token, locale, ...(body && { body }) })
const close = (body: object, query = ''): Promise<TestAnswer> => ask('POST', query, body)
const hitsOf = (answer: TestAnswer): HitVisit[] => answer.body['hits'] as unknown as HitVisit[]
const list = async (locale?: string): Promise<Closure[]> =>
  (await ask('GET', '', undefined, owner, locale)).body['items'] as unknown as Closure[]
interface Holidays {
  country: string
  region: string | null
  items: { day: string; name: string; closureId: string | null; isOpenDay: boolean }[]
}
const holidays = async (locale = 'en'): Promise<Holidays> =>
  (await ask('GET', '', undefined, owner, locale)).body['holidays'] as unknown as Holidays

describe('a closure', () => {
  it('[P-11] of a day answers the visits it hits, first without closing; none is lost, and nothing more is offered', async () => {
    const visit = await bookVisit(t, client, institute, { startsAt: wall('2026-11-25T10:00'), lines: [[0, 0]] })
    const other = await bookVisit(t, client, institute, { startsAt: wall('2026-11-26T10:00'), lines: [[0, 0]] })
    const day = { fromDay: '2026-11-25', reason: 'Boiler repair' }
    const looked = await close(day, '?dryRun=1')
    expect([looked.status, looked.body['closure'], hitsOf(looked).map(({ _id }) => _id)]).toEqual([201, null, [visit._id]])
    expect(await list()).toEqual([])
    const made = await close(day)
    expect(hitsOf(made)).toMatchObject([{ _id: visit._id, customer: { name: 'Camille Benali' }, services: ['Cut'] }])
    expect(await list()).toEqual([
      {
        _id: expect.any(String),
        fromDay: '2026-11-25',
        toDay: '2026-11-25',
        part: null,
        reason: 'Boiler repair',
        visits: 1,
        isBookable: true,
      },
    ])
    expect(await startsOffered(t, institute, '2026-11-25')).toEqual([])
    const page = await t.inject('GET', `/api/v1/client/institutes/${institute.slug}`)
    expect(page.body['closures']).toEqual([{ fromDay: '2026-11-25', toDay: '2026-11-25', reason: 'Boiler repair' }])
    const { rows } = await sql<{
      id: string
    }>`select id from appointments where institute_id = ${institute.id} and life = 'booked' order by starts_at`.execute(t.db)
    expect(rows.map(({ id }) => id)).toEqual([visit._id, other._id])
    expect((await eventsOf(t.db, institute)).at(-1)).toMatchObject({ kind: 'institute.changed', payload: { what: 'closures' } })
    await summaryIsTrue(t, institute)
  })

  it('of a part of each day leaves the rest', async () => {
    const early = await bookVisit(t, client, institute, { startsAt: wall('2026-11-25T10:00'), lines: [[0, 0]] })
    const late = await bookVisit(t, client, institute, { startsAt: wall('2026-11-25T15:40'), lines: [[0, 0]] })
    const made = await close({ fromDay: '2026-11-25', part: { opensAt: '16:00', closesAt: '24:00' }, reason: 'Early evening' })
    expect(hitsOf(made).map(({ _id }) => _id)).toEqual([late._id])
    const starts = await startsOffered(t, institute, '2026-11-25')
    expect(starts.at(-1)).toBe(wall('2026-11-25T15:20'))
    expect(starts).toContain(early.endsAt)
    expect((await list())[0]?.part).toEqual({ opensAt: '16:00', closesAt: '24:00' })
  })

  it('is taken away again, and the day is offered as before', async () => {
    const before = await startsOffered(t, institute, '2026-11-25')
    const id = String((await close({ fromDay: '2026-11-25' })).body['closure']?.['_id'])
    expect((await ask('DELETE', `/${id}`)).status).toBe(200)
    expect(await startsOffered(t, institute, '2026-11-25')).toEqual(before)
    expect((await ask('DELETE', `/${id}`)).status).toBe(404)
    await summaryIsTrue(t, institute)
  })

  it('is refused for days that are over, turned round or too many, and to everybody else', async () => {
    const fields = async (body: object): Promise<string[]> => Object.keys((await close(body)).body['details']?.['fields'] ?? {})
    expect(await fields({ fromDay: '2026-11-19' })).toEqual(['fromDay'])
    expect(await fields({ fromDay: '2026-12-02', toDay: '2026-12-01' })).toEqual(['toDay'])
    expect(await fields({ fromDay: '2026-12-01', toDay: '2028-01-01' })).toEqual(['toDay'])
    expect(await fields({ fromDay: '2026-12-01', part: { opensAt: '18:00', closesAt: '09:00' } })).toEqual(['part.closesAt'])
    expect(await fields({ fromDay: 'soon' })).toEqual(['fromDay'])
    expect(await fields({ fromDay: '2026-12-02', isHoliday: true })).toEqual(['fromDay'])
    expect((await t.inject('POST', path, { body: { fromDay: '2026-12-01' } })).status).toBe(401)
    const neighbour = await makeUser(t.db, { role: 'isPro' })
    await makeInstitute(t.db, { ownerId: neighbour.id })
    const id = String((await close({ fromDay: '2026-12-01' })).body['closure']?.['_id'])
    expect((await ask('DELETE', `/${id}`, undefined, neighbour)).status).toBe(404)
    expect(await list()).toHaveLength(1)
  })
})

describe('public holidays', () => {
  it('[P-11] are those of the country, with one tap to close; 26 December in Alsace-Moselle only', async () => {
    const days = async (): Promise<string[]> => (await holidays()).items.map(({ day }) => day)
    expect(await days()).toContain('2026-12-25')
    expect(await days()).not.toContain('2026-12-26')
    await sql`update institutes set postal_code = '67000', city = 'Strasbourg' where id = ${institute.id}`.execute(t.db)
    expect(await days()).toEqual(expect.arrayContaining(['2026-12-25', '2026-12-26']))
    expect((await holidays()).region).toBe('67')
    const visit = await bookVisit(t, client, institute, { startsAt: wall('2026-12-26T10:00'), lines: [[0, 0]] })
    const made = await close({ fromDay: '2026-12-26', isHoliday: true })
    expect(hitsOf(made).map(({ _id }) => _id)).toEqual([visit._id])
    expect((await list('fr'))[0]?.reason).toBe('Lendemain de Noël')
    const taken = (await holidays('en')).items.find(({ day }) => day === '2026-12-26')
    expect(taken).toEqual({ day: '2026-12-26', name: expect.any(String), closureId: made.body['closure']?.['_id'], isOpenDay: true })
  })

  it('are opened one by one out of days that are closed together; the others stay closed', async () => {
    const together = { fromDay: '2026-12-24', toDay: '2027-01-03', reason: 'Winter break' }
    const id = String((await close(together)).body['closure']?.['_id'])
    const closed = async (): Promise<string[]> => (await holidays()).items.flatMap(({ day, closureId }) => (closureId ? [day] : []))
    expect(await closed()).toEqual(['2026-12-25', '2027-01-01'])
    expect((await ask('DELETE', `/${id}?day=2027-01-05`)).status).toBe(400)
    expect((await ask('DELETE', `/${id}?day=2027-01-01`)).status).toBe(200)
    expect(await closed()).toEqual(['2026-12-25'])
    expect((await list()).map(({ fromDay, toDay, reason }) => [fromDay, toDay, reason])).toEqual([
      ['2026-12-24', '2026-12-31', 'Winter break'],
      ['2027-01-02', '2027-01-03', 'Winter break'],
    ])
    expect(await startsOffered(t, institute, '2026-12-31')).toEqual([])
    expect(await startsOffered(t, institute, '2027-01-01')).not.toEqual([])
    await summaryIsTrue(t, institute)
  })

  it('are closed once by who closes them on two screens', async () => {
    const one = { fromDay: '2026-12-25', isHoliday: true }
    const ids = [await close(one), await close(one)].map(({ body }) => body['closure']?.['_id'])
    expect([ids[0] === ids[1], (await list()).length]).toEqual([true, 1])
  })

  it('are told by postcode in France alone, and unknown countries have none', () => {
    expect(['68100', '57 000', '69001', '97400', null].map((code) => holidayRegion('FR', code))).toEqual(['68', '57', null, 'RE', null])
    expect(holidayRegion('DE', '67000')).toBe(null)
    expect(publicHolidays({ countryCode: 'ZZ', postalCode: null }, '2026-01-01', '2026-12-31')).toEqual([])
    expect(publicHolidays({ countryCode: 'MA', postalCode: null }, '2026-01-01', '2026-12-31').map(({ day }) => day)).toContain(
      '2026-07-30',
    )
  })
})

describe('what lies outside', () => {
  const timeZone = 'Europe/Paris'
  const minute = (text: string): number => Date.parse(wall(text)) / 60_000
  const night = { timeZone, openingHours: [{ weekday: 5, opensAt: 1200, closesAt: 1560 }] }
  const visit = (from: string, to: string) => ({ from: minute(from), to: minute(to) })

  it('a night belongs to the day it began on', () => {
    const after = visit('2026-11-28T01:00', '2026-11-28T02:00')
    expect(within(closedSpans(night, { fromDay: '2026-11-27', toDay: '2026-11-27' }), [after])).toEqual([after])
    expect(within(closedSpans(night, { fromDay: '2026-11-28', toDay: '2026-11-28' }), [after])).toEqual([])
  })

  it('is only what was open before', () => {
    const hours = { timeZone, closures: [], openingHours: [{ weekday: 2, opensAt: 540, closesAt: 1080 }] }
    const shorter = { ...hours, openingHours: [{ weekday: 2, opensAt: 540, closesAt: 1020 }] }
    const [inside, late, wasOutside] = [
      visit('2026-11-24T10:00', '2026-11-24T11:00'),
      visit('2026-11-24T16:40', '2026-11-24T17:20'),
      visit('2026-11-24T18:00', '2026-11-24T19:00'),
    ]
    expect(leftOutside(hours, shorter, [inside, late, wasOutside])).toEqual([late])
    expect(leftOutside(hours, shorter, [])).toEqual([])
  })
})
