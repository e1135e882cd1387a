import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, cancelled, moved, wall } from '#/testing/booking.ts'
import { makeInstitute, makeUser, type MadeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { type SelfScope, systemScope } from '#/platform/access.ts'
import { dropReminders, markReminded, remindersOfVisit } from './reminder-store.ts'

let t: TestApp
const start = '2026-11-20T11:00:00Z'
beforeAll(async () => {
  t = await openTestApp({ at: start, settings: { LIMIT_HOLDS: '50' } })
})
afterAll(() => t.close())
beforeEach(() => t.clock.set(start))

const minuteMs = 60_000
/** Noon a fortnight ahead, in Paris. */
const noon = wall('2026-12-04T12:00')
const before = (instant: string, hours: number): number => Date.parse(instant) - hours * 60 * minuteMs

/** What the minute's job of one server does at a moment. */
async function at(moment: number): Promise<void> {
  await t.drainJobs()
  t.clock.set(moment)
  await t.jobs['send_reminders']?.({})
}
const reminders = async ({ email }: MadeUser): Promise<string[]> =>
  (await t.mails(email)).filter(({ kind }) => kind === 'visit_reminder').map(({ subject }) => subject)
const sides = async () => ({
  institute: await makeInstitute(t.db, { name: 'Maison Ondine', horizon: 120 }),
  client: await makeUser(t.db),
})

describe('reminders', () => {
  it('come seven days and a day before, each once, by mail and in the bell', async () => {
    const { institute, client } = await sides()
    const visit = await bookVisit(t, client, institute, { startsAt: noon })
    await at(before(noon, 168) - 1)
    expect(await reminders(client)).toEqual([])
    await at(before(noon, 168))
    const one = 'Your appointment on Fri 4 Dec at 12:00, Maison Ondine'
    expect(await reminders(client)).toEqual([one])
    await at(before(noon, 167))
    expect(await reminders(client)).toEqual([one])
    await at(before(noon, 24))
    await at(before(noon, 1))
    expect(await reminders(client)).toEqual([one, one])
    const bell = await t.inject('GET', '/api/v1/secure/notifications', { token: client.token })
    const items = bell.body['items'] as unknown as { type: string; title: string; path: string }[]
    expect(items.filter(({ type }) => type === 'reminder')).toMatchObject([
      { title: 'Fri 4 Dec at 12:00, Maison Ondine', path: `/appointment/${visit._id}` },
      { title: 'Fri 4 Dec at 12:00, Maison Ondine' },
    ])
  })

  it('are seen with the visit: which were sent, and which will be; by nobody else', async () => {
    const { institute, client } = await sides()
    const visit = await bookVisit(t, client, institute, { startsAt: noon })
    await at(before(noon, 168))
    const path = `/api/v1/secure/appointments/${visit._id}/reminders`
    expect((await t.inject('GET', path, { token: client.token })).body).toEqual({
      items: [
        { kind: 'week', dueAt: '2026-11-27T11:00:00.000Z', sentAt: '2026-11-27T11:00:00.000Z' },
        { kind: 'day', dueAt: '2026-12-03T11:00:00.000Z', sentAt: null },
      ],
    })
    const stranger = await makeUser(t.db)
    expect((await t.inject('GET', path, { token: stranger.token })).status).toBe(404)
  })

  it('one letter tells of all visits of a day, on the clock of each place', async () => {
    const client = await makeUser(t.db)
    const here = await makeInstitute(t.db, { name: 'Maison Ondine', horizon: 120 })
    const there = await makeInstitute(t.db, { name: 'Dar Zellige', timeZone: 'Africa/Casablanca', horizon: 120 })
    await bookVisit(t, client, here, { startsAt: noon })
    await bookVisit(t, client, there, { startsAt: wall('2026-12-04T16:00', 'Africa/Casablanca') })
    await bookVisit(t, client, here, { startsAt: wall('2026-12-05T12:00') })
    await at(before(noon, 24))
    await at(before(noon, 20))
    const [letter, ...weeks] = (await t.mails(client.email)).filter(({ kind }) => kind === 'visit_reminder')
    expect(letter?.subject).toBe('Your 2 appointments on Fri 4 Dec')
    expect(letter?.text).toContain('Maison Ondine')
    expect(letter?.text).toContain('Dar Zellige')
    expect(letter?.text).toContain('16:00')
    // Those of the week were due long before the server looked: one for each day, and none of what was told already.
    expect(weeks.map(({ subject }) => subject).toSorted()).toEqual([
      'Your 2 appointments on Fri 4 Dec',
      'Your appointment on Sat 5 Dec at 12:00, Maison Ondine',
    ])
  })

  it('tell of a visit that joins the day later alone, and never of what was booked too late to be told', async () => {
    const { institute, client } = await sides()
    await bookVisit(t, client, institute, { startsAt: noon })
    await at(before(noon, 24))
    const four = wall('2026-12-04T16:00')
    await bookVisit(t, client, institute, { startsAt: four })
    await at(before(four, 24) - 1)
    await bookVisit(t, client, institute, { startsAt: wall('2026-12-04T10:00') })
    const told = await reminders(client)
    await at(before(four, 24))
    expect((await reminders(client)).slice(0, -told.length)).toEqual(['Your appointment on Fri 4 Dec at 16:00, Maison Ondine'])
  })

  it('of a visit that is moved while it is told of are still to be told', async () => {
    const { institute, client } = await sides()
    const { _id: appointmentId } = await bookVisit(t, client, institute, { startsAt: noon })
    await t.drainJobs()
    const [now, system] = [new Date(before(noon, 168)), systemScope('test')]
    const open = async () =>
      (await remindersOfVisit(t.db, system.user(client.id) as unknown as SelfScope, appointmentId)).filter(({ sentAt }) => !sentAt)
    await dropReminders(t.db, system, { appointmentIds: [appointmentId], now: new Date(start) })
    const visits = [{ appointmentId, startsAt: wall('2026-12-01T12:00') }]
    await markReminded(t.db, system, { kind: 'week', visits, now })
    expect((await open()).map(({ kind }) => kind)).toEqual(['week', 'day'])
    await markReminded(t.db, system, { kind: 'week', visits: [{ appointmentId, startsAt: noon }], now })
    await dropReminders(t.db, system, { appointmentIds: [appointmentId], now: new Date(before(noon, 24)) })
    expect(await open()).toEqual([])
  })

  it('are not sent for what was booked later than that, cancelled, or begun', async () => {
    const { institute, client } = await sides()
    t.clock.set(before(noon, 20))
    await bookVisit(t, client, institute, { startsAt: noon })
    await at(before(noon, 1))
    expect(await reminders(client)).toEqual([])
    t.clock.set(start)
    const gone = await bookVisit(t, client, institute, { startsAt: wall('2026-12-11T12:00') })
    await cancelled(t, client, gone._id)
    const missed = wall('2026-12-15T12:00')
    await bookVisit(t, client, institute, { startsAt: missed })
    // The server slept until the visit had begun.
    await at(Date.parse(missed) + minuteMs)
    expect(await reminders(client)).toEqual([])
  })

  it('follow a visit that moves', async () => {
    const { institute, client } = await sides()
    const visit = await bookVisit(t, client, institute, { startsAt: noon })
    await at(before(noon, 168))
    const laterDay = wall('2026-12-18T12:00')
    await moved(t, client, visit._id, laterDay)
    await at(before(noon, 24))
    expect(await reminders(client)).toHaveLength(1)
    await at(before(laterDay, 168))
    await at(before(laterDay, 24))
    expect(await reminders(client)).toEqual([
      'Your appointment on Fri 18 Dec at 12:00, Maison Ondine',
      'Your appointment on Fri 18 Dec at 12:00, Maison Ondine',
      'Your appointment on Fri 4 Dec at 12:00, Maison Ondine',
    ])
  })

  it('are sent once, however many servers look at once', async () => {
    const { institute } = await sides()
    const clients = await Promise.all(Array.from({ length: 12 }, () => makeUser(t.db)))
    for (const [n, client] of clients.entries())
      await bookVisit(t, client, institute, { startsAt: new Date(Date.parse(wall('2026-12-08T09:00')) + n * 40 * minuteMs).toISOString() })
    await t.drainJobs()
    t.clock.set(Date.parse(wall('2026-12-07T18:00')))
    await Promise.all(Array.from({ length: 5 }, async () => t.jobs['send_reminders']?.({})))
    await t.jobs['send_reminders']?.({})
    for (const client of clients) expect(await reminders(client)).toHaveLength(2)
  })
})
