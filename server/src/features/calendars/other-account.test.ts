/** Another account in the place of the one that is connected: nothing of ours stays where nobody of ours writes any more. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { subjectOf } from '#/features/local-provider/routes.ts'
import { bookVisit, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { goToProvider, listening } from '#/testing/provider-browser.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const path = '/api/v1/secure/calendars'

let t: TestApp
let address: string
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp({ at: '2026-10-20T08:00:00Z', settings: { PORT: '0', LIMIT_LOGINS: '100000', LIMIT_HOLDS: '1000' } })
  address = await listening(t)
  institute = await makeInstitute(t.db, { name: 'Atelier Nord' })
})
afterAll(() => t.close())
afterEach(() => vi.restoreAllMocks())

const newEmail = (): string => `${randomUUID().slice(0, 8)}@people.test`
async function connect(user: MadeUser, email: string): Promise<void> {
  const { cookie, body } = await goToProvider(address, { email, letsCalendar: true }, { for: 'calendar' })
  expect((await t.inject('POST', `${path}/connection`, { token: user.token, body, headers: { cookie } })).status).toBe(200)
}
const plant = (fault: object): Promise<Response> =>
  fetch(`${address}/dev/google/faults`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(fault) })
interface StoodIn {
  owner: string
  events: { id: string }[]
}
/** How many events stand in the calendars of an account; null where it has no calendar of ours. */
async function eventsAt(email: string): Promise<number | null> {
  const all = (await (await fetch(`${address}/dev/google/calendars.json`)).json()) as StoodIn[]
  const own = all.filter(({ owner }) => owner === subjectOf(email))
  return own.length === 0 ? null : own.reduce((sum, { events }) => sum + events.length, 0)
}
const connectionOf = async (user: MadeUser) => (await t.inject('GET', path, { token: user.token })).body['connection']

describe('another account that is connected', () => {
  it('[P-05] takes the visits over, and what stood in the calendar of the first goes', async () => {
    const [user, first, second] = [await makeUser(t.db), newEmail(), newEmail()]
    await connect(user, first)
    await bookVisit(t, user, institute, { startsAt: wall('2026-10-24T10:00') })
    await t.drainJobs()
    expect([await eventsAt(first), await eventsAt(second)]).toEqual([1, null])
    t.clock.advance(60_000)
    await connect(user, second)
    // Of this account nothing was written yet.
    expect(await connectionOf(user)).toEqual({ state: 'connected', account: second, syncedAt: null })
    await t.drainJobs()
    expect([await eventsAt(first), await eventsAt(second)]).toEqual([null, 1])
  })

  it('[P-05] [R-24] takes nothing over by a login that lets it have a calendar, unless the login was for that', async () => {
    const [own, other] = [newEmail(), newEmail()]
    const login = async (letsCalendar: boolean, query = {}): Promise<MadeUser> => {
      const { cookie, body } = await goToProvider(address, { email: own, letsCalendar }, query)
      const answer = await t.inject('POST', '/api/v1/client/auth/google', { body, headers: { cookie } })
      expect(answer.status).toBe(200)
      const token = String(answer.body['token'])
      const { id } = (await t.inject('GET', '/api/v1/secure/client/profile/me', { token })).body
      return { id: String(id), email: own, token }
    }
    const user = await login(false)
    await connect(user, other)
    await bookVisit(t, user, institute, { startsAt: wall('2026-10-24T15:00') })
    await t.drainJobs()
    await login(true)
    await t.drainJobs()
    expect(await connectionOf(user)).toMatchObject({ state: 'connected', account: other })
    expect([await eventsAt(own), await eventsAt(other)]).toEqual([null, 1])
    // One that is broken is no reason to stay without.
    await plant({ takeBack: other })
    await t.jobs['push_visit']?.({
      userId: user.id,
      appointmentId: (await sql<{ id: string }>`select id from appointments where user_id = ${user.id}`.execute(t.db)).rows[0]?.id,
    })
    expect(await connectionOf(user)).toMatchObject({ state: 'broken' })
    await login(true)
    expect(await connectionOf(user)).toMatchObject({ state: 'connected', account: own })
    await connect(user, other)
    await login(true, { for: 'calendar', from: '/give-access' })
    expect(await connectionOf(user)).toMatchObject({ state: 'connected', account: own })
  })

  it('[P-05] is connected all the same while the first cannot be reached, which is left later', async () => {
    const [user, first, second] = [await makeUser(t.db), newEmail(), newEmail()]
    await connect(user, first)
    await bookVisit(t, user, institute, { startsAt: wall('2026-10-24T11:00') })
    await t.drainJobs()
    await plant({ takeBack: first })
    await connect(user, second)
    await t.drainJobs()
    expect(await connectionOf(user)).toMatchObject({ state: 'connected', account: second })
    expect(await eventsAt(second)).toBe(1)
  })

  it('[P-05] gets what was under way to the first, which keeps nothing of it', async () => {
    const [user, first, second] = [await makeUser(t.db), newEmail(), newEmail()]
    await connect(user, first)
    await bookVisit(t, user, institute, { startsAt: wall('2026-10-24T12:00') })
    const real = fetch
    let isBegun = false
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      if (!isBegun && init?.method === 'POST' && String(input).endsWith('/calendar/v3/calendars')) {
        isBegun = true
        await connect(user, second)
      }
      return real(input, init)
    })
    await t.drainJobs()
    expect([isBegun, await eventsAt(first), await eventsAt(second)]).toEqual([true, null, 1])
  })

  it('[P-05] the same account connected anew keeps its access, though leaving it comes later and takes back all of an account', async () => {
    const [user, email] = [await makeUser(t.db), newEmail()]
    await connect(user, email)
    await bookVisit(t, user, institute, { startsAt: wall('2026-10-24T13:00') })
    await t.drainJobs()
    expect((await t.inject('DELETE', `${path}/connection`, { token: user.token })).status).toBe(200)
    await connect(user, email)
    await t.drainJobs()
    await bookVisit(t, user, institute, { startsAt: wall('2026-10-24T14:00') })
    await t.drainJobs()
    expect([await connectionOf(user), await eventsAt(email)]).toMatchObject([{ state: 'connected', account: email }, 2])
  })
})
