import { randomUUID } from 'node:crypto'
import type { Notification } from '@soigne/contract/notifications'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashPassword } from '#/features/session/password-hash.ts'
import { bookVisit, moved, cancelled, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { goToProvider, listening } from '#/testing/provider-browser.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const path = '/api/v1/secure/calendars'
const newEmail = (): string => `${randomUUID().slice(0, 8)}@people.test`

interface StoodIn {
  owner: string
  summary: string
  events: { id: string; status: string; summary: string; location: string; start: { dateTime: string; timeZone: string } }[]
}

let t: TestApp
let address: string
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp({ at: '2026-10-20T08:00:00Z', settings: { PORT: '0', LIMIT_LOGINS: '100000', LIMIT_HOLDS: '1000' } })
  address = await listening(t)
  institute = await makeInstitute(t.db, { name: 'Atelier Nord' })
})
afterAll(() => t.close())

const calendars = async (): Promise<StoodIn[]> => (await (await fetch(`${address}/dev/google/calendars.json`)).json()) as StoodIn[]
const plant = (fault: object): Promise<Response> =>
  fetch(`${address}/dev/google/faults`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(fault) })
const state = async (user: MadeUser): Promise<TestAnswer['body']> => (await t.inject('GET', path, { token: user.token })).body
const idOf = (visit: { _id: string }): string => visit._id.replaceAll('-', '')
/** The event of a visit, wherever it stands, and how many times. */
const eventsOf = async (visit: { _id: string }): Promise<StoodIn['events']> =>
  (await calendars()).flatMap(({ events }) => events.filter(({ id }) => id === idOf(visit)))
const push = (user: MadeUser, visit: { _id: string }): Promise<void> =>
  t.jobs['push_visit']?.({ userId: user.id, appointmentId: visit._id }) ?? Promise.reject(new Error('no such job'))

const bell = async (user: MadeUser, locale = 'en'): Promise<Notification[]> =>
  (await t.inject('GET', '/api/v1/secure/notifications', { token: user.token, locale })).body['items'] as unknown as Notification[]

async function connected(
  letsCalendar = true,
  role: 'isClient' | 'isPro' = 'isClient',
): Promise<{ user: MadeUser; email: string; answer: TestAnswer }> {
  const [user, email] = [await makeUser(t.db, { role }), newEmail()]
  const { cookie, body } = await goToProvider(address, { email, letsCalendar }, { for: 'calendar', from: '/appointment/list' })
  const answer = await t.inject('POST', `${path}/connection`, { token: user.token, body, headers: { cookie } })
  return { user, email, answer }
}

describe('a connected calendar', () => {
  it('[P-05] [E-01] gets a visit, its new time and its end, in one calendar of its own', async () => {
    const { user, email, answer } = await connected()
    expect([answer.status, answer.body]).toMatchObject([200, { from: '/appointment/list' }])
    const me = await t.inject('GET', '/api/v1/secure/client/profile/me', { token: user.token })
    expect(me.body).toMatchObject({ isConnectedGoogle: true, hasGoogleCalendarAccess: true })
    expect(await state(user)).toMatchObject({ provider: 'Google', connection: { state: 'connected', account: email, syncedAt: null } })

    const visit = await bookVisit(t, user, institute, { startsAt: wall('2026-10-24T10:00') })
    await t.drainJobs()
    const [event, ...more] = await eventsOf(visit)
    expect(more).toEqual([])
    expect(event).toMatchObject({
      status: 'confirmed',
      summary: 'Cut at Atelier Nord',
      start: { dateTime: '2026-10-24T08:00:00.000Z', timeZone: 'Europe/Paris' },
    })
    expect((await state(user))['connection']?.['syncedAt']).toBe('2026-10-20T08:00:00.000Z')

    await moved(t, user, visit._id, wall('2026-10-24T15:00'))
    await t.drainJobs()
    expect((await eventsOf(visit)).map(({ start }) => start.dateTime)).toEqual(['2026-10-24T13:00:00.000Z'])
    await cancelled(t, user, visit._id)
    await t.drainJobs()
    expect((await eventsOf(visit)).map(({ status }) => status)).toEqual(['cancelled'])
    expect((await calendars()).filter(({ events }) => events.some(({ id }) => id === idOf(visit)))).toHaveLength(1)
  })

  it('[R-14] goes with the account', async () => {
    const { user } = await connected()
    const visit = await bookVisit(t, user, institute, { startsAt: wall('2026-10-24T16:00') })
    await t.drainJobs()
    expect(await eventsOf(visit)).toHaveLength(1)
    await cancelled(t, user, visit._id)
    await sql`update users set password_hash = ${await hashPassword('quiet morning tea', 'test')} where id = ${user.id}`.execute(t.db)
    const body = { password: 'quiet morning tea' }
    expect((await t.inject('DELETE', '/api/v1/secure/client/account', { token: user.token, body })).status).toBe(200)
    await t.drainJobs()
    expect(await eventsOf(visit)).toEqual([])
  })

  it('[P-05] gets the visits that were booked before, and none twice when it is connected again', async () => {
    const user = await makeUser(t.db)
    const visit = await bookVisit(t, user, institute, { startsAt: wall('2026-10-24T11:00') })
    const email = newEmail()
    for (let times = 0; times < 2; times += 1) {
      const { cookie, body } = await goToProvider(address, { email, letsCalendar: true }, { for: 'calendar' })
      expect((await t.inject('POST', `${path}/connection`, { token: user.token, body, headers: { cookie } })).status).toBe(200)
      await t.drainJobs()
    }
    expect(await eventsOf(visit)).toHaveLength(1)
  })

  it('[R-24] is none when the calendar is not granted', async () => {
    const { user, answer } = await connected(false)
    expect([answer.status, answer.body['code'], answer.body['message']]).toEqual([
      422,
      'calendar_refused',
      'Calendar access is not granted.',
    ])
    expect((await state(user))['connection']).toBeNull()
  })

  it('[P-05] tries again when the provider has had enough, is away, or takes a token no more', async () => {
    const { user } = await connected()
    const visit = await bookVisit(t, user, institute, { startsAt: wall('2026-10-24T12:00') })
    for (const fault of [
      { status: 403, reason: 'rateLimitExceeded', times: 1 },
      { status: 429, reason: 'rateLimitExceeded', times: 1 },
      { status: 503, reason: 'backendError', times: 1 },
    ]) {
      await plant(fault)
      await expect(push(user, visit)).rejects.toThrow(String(fault.status))
      expect((await state(user))['connection']?.['state']).toBe('connected')
    }
    await plant({ status: 401, reason: 'authError', times: 1 })
    await push(user, visit)
    expect(await eventsOf(visit)).toHaveLength(1)
  })

  it('[P-05] makes a new calendar when its owner removed the one it had', async () => {
    const { user } = await connected()
    const visit = await bookVisit(t, user, institute, { startsAt: wall('2026-10-24T13:00') })
    await t.drainJobs()
    await plant({ forgetCalendars: true })
    await push(user, visit)
    expect(await eventsOf(visit)).toHaveLength(1)
  })

  it('[P-05] [E-27] is broken when its owner took access back; they are told once, and connect again without doubles', async () => {
    const { user, email } = await connected()
    const visit = await bookVisit(t, user, institute, { startsAt: wall('2026-10-24T14:00') })
    await t.drainJobs()
    await plant({ takeBack: email })
    await push(user, visit)
    await push(user, visit)
    expect((await state(user))['connection']?.['state']).toBe('broken')
    const me = await t.inject('GET', '/api/v1/secure/client/profile/me', { token: user.token })
    expect(me.body).toMatchObject({ isConnectedGoogle: true, hasGoogleCalendarAccess: false })
    const told = (await t.mails(user.email)).filter(({ kind }) => kind === 'calendar_broken')
    expect(told.map(({ subject }) => subject)).toEqual(['Your calendar is no longer connected'])
    expect((await bell(user)).filter(({ type }) => type === 'calendar-scope')).toMatchObject([
      { title: 'Your Google Calendar is no longer connected', isRead: false, path: '/give-access?type=calendar', action: 'connect' },
    ])
    expect((await bell(user, 'fr')).map(({ title }) => title)).toContain('Votre Google Agenda n’est plus connecté')
    expect((await bell(user, 'ar')).map(({ title }) => title)).toContain('لم يعد تقويم Google مربوطًا')
    const { cookie, body } = await goToProvider(address, { email, letsCalendar: true }, { for: 'calendar' })
    await t.inject('POST', `${path}/connection`, { token: user.token, body, headers: { cookie } })
    await t.drainJobs()
    expect([(await state(user))['connection']?.['state'], (await eventsOf(visit)).length]).toEqual(['connected', 1])
    expect((await bell(user)).filter(({ type }) => type === 'calendar-scope')).toEqual([])
  })

  it('[P-05] [E-27] that is lost is told in the bell to people of institutes too, each time anew, until they want none', async () => {
    const { user, email } = await connected(true, 'isPro')
    const visit = await bookVisit(t, user, institute, { startsAt: wall('2026-10-24T15:00') })
    await t.drainJobs()
    const lost = async (): Promise<number> => (await bell(user)).filter(({ type }) => type === 'calendar-scope').length
    for (const turn of [1, 2]) {
      await plant({ takeBack: email })
      await push(user, visit)
      expect([turn, await lost()]).toEqual([turn, 1])
      if (turn === 2) break
      const { cookie, body } = await goToProvider(address, { email, letsCalendar: true }, { for: 'calendar' })
      expect((await t.inject('POST', `${path}/connection`, { token: user.token, body, headers: { cookie } })).status).toBe(200)
      await t.drainJobs()
      expect([turn, await lost()]).toEqual([turn, 0])
    }
    await t.inject('DELETE', `${path}/connection`, { token: user.token })
    expect(await lost()).toBe(0)
  })

  it('[P-05] is taken away with what was written there, and its token is stored sealed', async () => {
    const { user, email } = await connected()
    const visit = await bookVisit(t, user, institute, { startsAt: wall('2026-10-24T16:00') })
    await t.drainJobs()
    const { rows } = await sql<{
      token: string
    }>`select refresh_token as token from calendar_connections where user_id = ${user.id}`.execute(t.db)
    expect(rows[0]?.token).toMatch(/^secret\.[\w-]+$/)
    expect(await eventsOf(visit)).toHaveLength(1)
    expect((await t.inject('DELETE', `${path}/connection`, { token: user.token })).status).toBe(200)
    await t.drainJobs()
    expect([await eventsOf(visit), (await state(user))['connection'], email]).toEqual([[], null, email])
  })
})

describe('the secret address', () => {
  const make = async (user: MadeUser): Promise<string> =>
    new URL(String((await t.inject('POST', `${path}/feed`, { token: user.token })).body['address'])).pathname
  /** Events of a file by UID, each line by name. */
  const eventsIn = (text: string): Map<string, Map<string, string>> =>
    new Map(
      text
        .replaceAll('\r\n ', '')
        .split('BEGIN:VEVENT')
        .slice(1)
        .map((event) => {
          const lines = new Map(event.split('\r\n').map((line) => [line.split(/[:;]/, 1)[0] ?? '', line.slice(line.indexOf(':') + 1)]))
          return [lines.get('UID') ?? '', lines]
        }),
    )

  it('[P-05] tells visits with their instants, what moved with a higher sequence and what is off as cancelled', async () => {
    const user = await makeUser(t.db)
    const [stays, moves, goes] = [
      await bookVisit(t, user, institute, { startsAt: wall('2026-10-27T10:00') }),
      await bookVisit(t, user, institute, { startsAt: wall('2026-10-27T12:00') }),
      await bookVisit(t, user, institute, { startsAt: wall('2026-10-27T14:00') }),
    ]
    await moved(t, user, moves._id, wall('2026-10-27T16:00'))
    await cancelled(t, user, goes._id)
    const answer = await t.inject('GET', await make(user))
    expect([answer.status, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
      200,
      'text/calendar; charset=utf-8',
      'no-store',
    ])
    const events = eventsIn(answer.text)
    const told = (visit: { _id: string }) => {
      const lines = events.get(`${visit._id}@soigne`)
      return [lines?.get('DTSTART'), lines?.get('STATUS'), lines?.get('SEQUENCE')]
    }
    // After the clocks went back: one hour from UTC, not two.
    expect([told(stays), told(moves), told(goes)]).toEqual([
      ['20261027T090000Z', 'CONFIRMED', '0'],
      ['20261027T150000Z', 'CONFIRMED', '1'],
      ['20261027T130000Z', 'CANCELLED', '1'],
    ])
    expect([answer.text.match(/METHOD:(\w+)/)?.[1], events.size]).toEqual(['PUBLISH', 3])
  })

  it('[P-05] ends when it is renewed or taken away, and only its hash is stored', async () => {
    const user = await makeUser(t.db)
    const first = await make(user)
    const second = await make(user)
    expect([(await t.inject('GET', first)).status, (await t.inject('GET', second)).status]).toEqual([404, 200])
    const { rows } = await sql<{ row: string }>`select calendar_feeds::text as row from calendar_feeds where user_id = ${user.id}`.execute(
      t.db,
    )
    expect(rows[0]?.row).not.toContain(second.split('/').at(-2))
    expect((await state(user))['feed']).toEqual({ createdAt: '2026-10-20T08:00:00.000Z' })
    await t.inject('DELETE', `${path}/feed`, { token: user.token })
    expect([(await t.inject('GET', second)).status, (await state(user))['feed']]).toEqual([404, null])
  })
})
