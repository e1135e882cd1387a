/** The settings of an institute over HTTP: what is changed is seen by clients at once, and what is booked stays where it is. */
import type { HitVisit, InstituteSettings } from '@soigne/contract/institute-settings'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, wall } from '#/testing/booking.ts'
import { eventsOf, startsOffered, summaryIsTrue } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
let owner: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { ownerId: owner.id, name: 'Atelier Nacre' })
})

const base = '/api/v1/secure/mysalon'
const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object, user = owner, locale = 'en'): Promise<TestAnswer> =>
  t.inject(method, `${base}${path}`, { token: user.token, locale, ...(body && { body }) })
const read = async (): Promise<InstituteSettings> => (await ask('GET', '/institute')).body as unknown as InstituteSettings
const change = (body: object, query = ''): Promise<TestAnswer> => ask('PUT', `/institute${query}`, body)
const publicPage = async (locale = 'en'): Promise<TestAnswer['body']> =>
  (await t.inject('GET', `/api/v1/client/institutes/${institute.slug}`, { locale })).body
const whats = async (): Promise<string[]> =>
  (await eventsOf(t.db, institute)).flatMap(({ kind, payload }) =>
    kind === 'institute.changed' ? [(payload as { what: string }).what] : [],
  )
const hits = (answer: TestAnswer, key: 'outside' | 'hits'): HitVisit[] => answer.body[key] as unknown as HitVisit[]
const weekOf = (settings: InstituteSettings, day: string, ranges: { opensAt: string; closesAt: string }[]) =>
  settings.openingHours.map((one) => (one.weekday === day ? { ...one, ranges } : one))

describe('the profile', () => {
  it('[P-11] is read as it is stored, and changed so that clients see it at once', async () => {
    const before = await read()
    expect(before).toMatchObject({ slug: institute.slug, timeZone: 'Europe/Paris', currency: 'EUR', payments: { payAtSalon: true } })
    expect(before.openingHours[0]).toEqual({ weekday: 'Monday', ranges: [{ opensAt: '09:00', closesAt: '18:00' }] })
    expect(before.openingHours[6]).toEqual({ weekday: 'Sunday', ranges: [] })
    const profile = {
      ...before.profile,
      name: 'Atelier Nacre & Co',
      description: { en: 'An hour of your own.', fr: '', ar: 'ساعة لك.' },
      phone: '+33 4 72 00 00 00',
      website: 'https://nacre.example',
      categories: ['nails', 'hair'] as const,
      audience: ['Woman'] as const,
      languages: ['French', 'Arabic'] as const,
    }
    const answer = await change({ profile })
    expect([answer.status, answer.body['outside']]).toEqual([200, []])
    expect((await read()).profile).toMatchObject({
      name: 'Atelier Nacre & Co',
      description: { en: 'An hour of your own.', ar: 'ساعة لك.' },
    })
    expect(await publicPage()).toMatchObject({
      name: 'Atelier Nacre & Co',
      description: 'An hour of your own.',
      phone: '+33 4 72 00 00 00',
      website: 'https://nacre.example',
      categories: ['nails', 'hair'],
      audience: ['Woman'],
      languages: ['French', 'Arabic'],
    })
    expect((await publicPage('ar'))['description']).toBe('ساعة لك.')
    expect(await whats()).toEqual(['profile'])
    await summaryIsTrue(t, institute)
  })

  it('is not changed by saying it again, and takes away what is emptied', async () => {
    const { profile } = await read()
    expect((await change({ profile })).status).toBe(200)
    expect(await whats()).toEqual([])
    await change({ profile: { ...profile, phone: '', website: '' } })
    expect(await publicPage()).toMatchObject({ phone: null, website: null })
  })

  it('refuses what cannot be, at its field, and changes nothing', async () => {
    const { profile, rules } = await read()
    const fields = async (body: object): Promise<string[]> => Object.keys((await change(body)).body['details']?.['fields'] ?? {})
    expect(await fields({ profile: { ...profile, name: ' ' } })).toEqual(['profile.name'])
    expect(await fields({ profile: { ...profile, website: 'javascript:alert(1)' } })).toEqual(['profile.website'])
    expect(await fields({ profile: { ...profile, categories: [] } })).toEqual(['profile.categories'])
    expect(await fields({ rules: { ...rules, gridMinutes: 7 } })).toEqual(['rules.gridMinutes'])
    expect(await fields({ rules: { ...rules, horizonDays: 0 } })).toEqual(['rules.horizonDays'])
    expect(await fields({ payments: { payAtSalon: false, paymentMethods: [], deposit: { kind: 'none' } } })).toEqual([
      'payments.paymentMethods',
    ])
    expect(await whats()).toEqual([])
  })
})

describe('opening hours', () => {
  it('[P-11] with several ranges are offered at once, and the visits left outside stay and are answered', async () => {
    const client = await makeUser(t.db, { firstName: 'Camille' })
    const visit = await bookVisit(t, client, institute, { startsAt: wall('2026-11-24T12:40'), lines: [[0, 0]] })
    const kept = await bookVisit(t, client, institute, { startsAt: wall('2026-11-24T15:00'), lines: [[0, 1]] })
    const settings = await read()
    const openingHours = weekOf(settings, 'Tuesday', [
      { opensAt: '09:00', closesAt: '12:20' },
      { opensAt: '13:40', closesAt: '19:00' },
    ])
    const looked = await change({ openingHours }, '?dryRun=1')
    expect(hits(looked, 'outside').map(({ _id }) => _id)).toEqual([visit._id])
    expect(await whats()).toEqual([])
    const answer = await change({ openingHours })
    expect(hits(answer, 'outside')).toEqual([
      {
        _id: visit._id,
        startsAt: visit.startsAt,
        endsAt: visit.endsAt,
        customer: { name: 'Camille Benali' },
        services: ['Cut'],
        staff: [expect.any(String)],
      },
    ])
    expect(await whats()).toEqual(['hours'])
    const starts = await startsOffered(t, institute, '2026-11-24')
    expect(starts).not.toContain(wall('2026-11-24T12:20'))
    expect((await publicPage())['openingHours']?.[1 as never]).toEqual({ weekday: 'Tuesday', ranges: openingHours[1]?.ranges })
    const { rows } = await sql<{
      id: string
    }>`select id from appointments where institute_id = ${institute.id} and coalesce(life, 'booked') = 'booked' order by starts_at`.execute(
      t.db,
    )
    expect(rows.map(({ id }) => id)).toEqual([visit._id, kept._id])
    await summaryIsTrue(t, institute)
  })

  it('may not run into each other, end before they begin, or leave out a weekday', async () => {
    const settings = await read()
    const problem = async (openingHours: unknown): Promise<unknown> =>
      Object.entries((await change({ openingHours })).body['details']?.['fields'] ?? {})
    const overlapping = weekOf(settings, 'Monday', [
      { opensAt: '09:00', closesAt: '13:00' },
      { opensAt: '12:00', closesAt: '18:00' },
    ])
    expect(await problem(overlapping)).toEqual([['openingHours.0.ranges', expect.any(String)]])
    expect(await problem(weekOf(settings, 'Monday', [{ opensAt: '18:00', closesAt: '09:00' }]))).toEqual([
      ['openingHours.0.ranges', expect.any(String)],
    ])
    expect(await problem(settings.openingHours.slice(1))).toEqual([['openingHours', expect.any(String)]])
  })

  it('may end after midnight', async () => {
    const settings = await read()
    const openingHours = weekOf(settings, 'Friday', [{ opensAt: '20:00', closesAt: '26:00' }])
    expect((await change({ openingHours })).status).toBe(200)
    expect((await read()).openingHours[4]?.ranges).toEqual([{ opensAt: '20:00', closesAt: '26:00' }])
    await summaryIsTrue(t, institute)
  })
})

describe('rules and payments', () => {
  it('[P-11] hold for what is offered from now on; visits keep the terms they were booked under', async () => {
    const client = await makeUser(t.db)
    const visit = await bookVisit(t, client, institute, { startsAt: wall('2026-11-25T10:00'), lines: [[0, 0]] })
    const { rules } = await read()
    const answer = await change({
      rules: { ...rules, gridMinutes: 60, noticeMinutes: 1440, cancelWindowMinutes: 2880, rescheduleWindowMinutes: null },
    })
    expect(answer.status).toBe(200)
    expect(await whats()).toEqual(['rules'])
    expect((await publicPage())['rules']).toEqual({
      cancelWindowHours: 48,
      rescheduleWindowHours: null,
      noticeMinutes: 1440,
      horizonDays: 90,
      payAtSalon: true,
    })
    expect(await startsOffered(t, institute, '2026-11-20')).toEqual([])
    const starts = await startsOffered(t, institute, '2026-11-26')
    expect(starts.every((at) => at.endsWith(':00:00.000Z'))).toBe(true)
    const { rows } = await sql<{ terms: { cancelWindowMinutes: number } }>`select terms from appointments where id = ${visit._id}`.execute(
      t.db,
    )
    expect(rows[0]?.terms.cancelWindowMinutes).toBe(120)
    await summaryIsTrue(t, institute)
  })

  it('[P-11] of payment are shown to clients', async () => {
    expect((await change({ payments: { payAtSalon: false, paymentMethods: ['klarna', 'card'], deposit: { kind: 'none' } } })).status).toBe(
      200,
    )
    expect(await publicPage()).toMatchObject({ paymentMethods: ['klarna', 'card'], rules: { payAtSalon: false } })
    expect(await whats()).toEqual(['payments'])
  })

  it('[P-11] of fees are stored, need cards, and stay where a form of before says nothing of them', async () => {
    const fees = { lateCancel: { kind: 'percent', percent: 50 }, noShow: { kind: 'fixed', amount: 9000 }, graceMinutes: 0 }
    const payments = { payAtSalon: true, paymentMethods: ['card'], deposit: { kind: 'none' } }
    expect((await read()).payments.fees).toEqual({ lateCancel: { kind: 'none' }, noShow: { kind: 'none' }, graceMinutes: 15 })
    expect((await change({ payments: { ...payments, fees } })).status).toBe(200)
    expect((await change({ payments: { ...payments, paymentMethods: ['card', 'paypal'] } })).status).toBe(200)
    expect((await read()).payments).toEqual({ ...payments, prepayAfterNoShows: null, paymentMethods: ['card', 'paypal'], fees })
    for (const without of [
      { ...payments, paymentMethods: ['paypal'] },
      { ...payments, paymentMethods: ['paypal'], fees },
    ]) {
      const { status, body } = await change({ payments: without })
      expect([status, body['details']?.['fields']]).toEqual([400, { 'payments.fees': expect.stringMatching(/card/i) }])
    }
    const off = { lateCancel: { kind: 'none' }, noShow: { kind: 'none' }, graceMinutes: 30 }
    expect((await change({ payments: { ...payments, paymentMethods: ['paypal'], fees: off } })).status).toBe(200)
  })

  it('of two who save at once both are kept, where they changed different parts', async () => {
    const { rules, profile } = await read()
    const both = await Promise.all([change({ rules: { ...rules, gridMinutes: 30 } }), change({ profile: { ...profile, name: 'Nacre' } })])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(await read()).toMatchObject({ rules: { gridMinutes: 30 }, profile: { name: 'Nacre' } })
  })
})

describe('whoever asks', () => {
  it('[R-11] reads and changes only with the permission, and only their own institute', async () => {
    const [manager, reception] = [await makePerson(t.db, institute.id, 'manager'), await makePerson(t.db, institute.id, 'reception')]
    const stranger = await makeUser(t.db)
    const status = async (user: MadeUser): Promise<number[]> =>
      [
        await ask('GET', '/institute', undefined, user),
        await ask('PUT', '/institute', { payments: { payAtSalon: true, paymentMethods: [], deposit: { kind: 'none' } } }, user),
      ].map((one) => one.status)
    expect(await status(manager)).toEqual([200, 200])
    expect(await status(reception)).toEqual([403, 403])
    expect(await status(stranger)).toEqual([403, 403])
    expect((await t.inject('GET', `${base}/institute`)).status).toBe(401)
  })

  it('is told what each level may do, as the server has it, and what they may', async () => {
    const manager = await makePerson(t.db, institute.id, 'manager')
    const { body } = await ask('GET', '/permissions', undefined, manager)
    const levels = body['levels'] as unknown as { level: string; may: string[] }[]
    expect(levels.map(({ level }) => level)).toEqual(['owner', 'manager', 'reception', 'staff'])
    expect(levels[0]?.may).toContain('people.change')
    expect(levels[1]?.may).not.toContain('people.change')
    expect(body['own']).toContain('institute.change')
    expect(body['own']).not.toContain('people.change')
  })
})
