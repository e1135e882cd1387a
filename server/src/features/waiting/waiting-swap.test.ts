/** An earlier time for a visit, as its client's calendar sees it: one event throughout, paid for or not. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, cancelled, hold, readVisit, refused, tryHold, wall } from '#/testing/booking.ts'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { asksFor, isBalanced, paidVisit } from '#/testing/paid-visits.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
const start = '2026-11-20T11:00:00Z'
beforeAll(async () => {
  t = await openTestApp({ at: start })
})
afterAll(() => t.close())
beforeEach(() => t.clock.set(start))

const path = '/api/v1/secure/waiting'
const [wednesday, thursday] = [wall('2026-11-25T17:40'), wall('2026-11-26T17:40')]

async function offered(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await t.drainJobs()
  await t.jobs['offer_waiting']?.({})
  await t.drainJobs()
}
/** UID, beginning, state and turn of each event behind the secret address. */
async function eventsAt(address: string): Promise<(string | undefined)[][]> {
  const { text } = await t.inject('GET', address)
  const valueOf = (event: string, name: string) => new RegExp(`^${name}(?:;[^:]*)?:(.*)$`, 'm').exec(event)?.[1]?.trim()
  return text
    .replaceAll('\r\n ', '')
    .split('BEGIN:VEVENT')
    .slice(1)
    .map((event) => ['UID', 'DTSTART', 'STATUS', 'SEQUENCE'].map((name) => valueOf(event, name)))
}

describe('an earlier time that is taken', () => {
  it.each(['unpaid', 'paid'] as const)('is the same visit in the calendar, and its own time is free at once: %s', async (kind) => {
    // One chair for an hour each day: whoever has it has all there is.
    const hour = { members: 1, opensAt: 1060, closesAt: 1120, services: [{ name: 'Gel manicure', active: 60, price: 5200 }] }
    const institute = await makeInstitute(t.db, { name: 'Maison Ondine', ...hour, cancelWindow: 1440, rescheduleWindow: 120 })
    if (kind === 'paid') await asksFor(t, institute, 'fixed', 1500)
    const book = async (user: { token: string }, startsAt: string): Promise<string> =>
      kind === 'paid' ? paidVisit(t, user, institute, { startsAt }) : (await bookVisit(t, user, institute, { startsAt }))._id
    const [holder, camille] = [await makeUser(t.db), await makeUser(t.db)]
    const [theirs, own] = [await book(holder, wednesday), await book(camille, thursday)]
    const feed = await t.inject('POST', '/api/v1/secure/calendars/feed', { token: camille.token })
    const address = new URL(String(feed.body['address'])).pathname
    expect(await eventsAt(address)).toEqual([[`${own}@soigne`, '20261126T164000Z', 'CONFIRMED', '0']])
    const wish = { fromDay: '2026-11-25', toDay: '2026-11-25', hours: { from: '17:00', to: '19:00' }, visitId: own }
    const joined = await t.inject('POST', path, {
      token: camille.token,
      body: { instituteId: institute.id, services: [{ serviceId: institute.services[0] }], ...wish },
    })
    expect(joined.status, joined.text).toBe(201)
    await cancelled(t, holder, theirs)
    await offered()
    const stranger = await makeUser(t.db)
    expect(refused(await tryHold(t, stranger, institute, { startsAt: thursday }))[0]).toBe(409)
    const taken = await t.inject('PUT', `${path}/${joined.body['_id']}/accept`, { token: camille.token })
    expect([taken.status, taken.body['_id'], taken.body['startsAt']]).toEqual([200, own, wednesday])
    expect(await hold(t, stranger, institute, { startsAt: thursday })).toMatchObject({ startsAt: thursday })
    expect(await eventsAt(address)).toEqual([[`${own}@soigne`, '20261125T164000Z', 'CONFIRMED', '1']])
    await offered()
    expect((await readVisit(t, camille, own)).status).toBe(kind === 'paid' ? 'deposit_paid' : 'pending')
    const told = (await t.mails(camille.email)).map(({ kind: letter }) => letter)
    expect(told.filter((letter) => letter === 'visit_cancelled')).toEqual([])
    await isBalanced(t)
  })

  it('is as long as the visit was made by hand', async () => {
    const owner = await makeUser(t.db, { role: 'isPro' })
    const long = { members: 1, opensAt: 600, closesAt: 720, services: [{ active: 60 }], cancelWindow: 1440, rescheduleWindow: 120 }
    const institute = await makeInstitute(t.db, { ownerId: owner.id, ...long })
    const [holder, camille] = [await makeUser(t.db), await makeUser(t.db)]
    const [theirs, own] = [
      (await bookVisit(t, holder, institute, { startsAt: wall('2026-11-25T10:00') }))._id,
      (await bookVisit(t, camille, institute, { startsAt: wall('2026-11-26T10:00') }))._id,
    ]
    const resized = { token: owner.token, body: { segment: 0, durationMinutes: 100 } }
    expect((await t.inject('PUT', `/api/v1/secure/mysalon/appointments/${own}/duration`, resized)).status).toBe(200)
    const body = { instituteId: institute.id, services: [{ serviceId: institute.services[0] }], visitId: own }
    const days = { fromDay: '2026-11-25', toDay: '2026-11-25' }
    const joined = await t.inject('POST', path, { token: camille.token, body: { ...body, ...days } })
    await cancelled(t, holder, theirs)
    await offered()
    const taken = await t.inject('PUT', `${path}/${joined.body['_id']}/accept`, { token: camille.token })
    expect([taken.status, taken.body['startsAt'], taken.body['endsAt']]).toEqual([200, wall('2026-11-25T10:00'), wall('2026-11-25T11:40')])
  })
})
