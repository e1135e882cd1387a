import { dayMs } from '@soigne/contract/time'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, cancelled, wall } from '#/testing/booking.ts'
import { makeInstitute, type MadeUser, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { ownDataOf } from '#/testing/zip-files.ts'

const start = '2026-11-20T11:00:00Z'
const path = '/api/v1/secure/notifications'
const noon = wall('2026-12-04T12:00')
let t: TestApp
beforeAll(async () => {
  t = await openTestApp({ at: start })
})
afterAll(() => t.close())
beforeEach(() => t.clock.set(start))

const choose = (user: MadeUser, kind: string, channel: string, isOn: boolean) =>
  t.inject('PUT', `${path}/choices`, { token: user.token, body: { kind, channel, isOn } })
const offOf = async (user: MadeUser): Promise<string[]> => {
  const { body } = await t.inject('GET', `${path}/choices`, { token: user.token })
  const items = body['items'] as unknown as { kind: string; channel: string; isOn: boolean }[]
  expect(items).toHaveLength(8)
  return items.filter(({ isOn }) => !isOn).map(({ kind, channel }) => `${kind} ${channel}`)
}
const kindsOf = async ({ email }: MadeUser): Promise<string[]> => (await t.mails(email)).map(({ kind }) => kind)
const typesOf = async ({ token }: MadeUser): Promise<string[]> =>
  ((await t.inject('GET', path, { token })).body['items'] as unknown as { type: string }[]).map(({ type }) => type)

async function remindedDayBefore(client: MadeUser): Promise<void> {
  const institute = await makeInstitute(t.db, { horizon: 120 })
  await bookVisit(t, client, institute, { startsAt: noon })
  await t.drainJobs()
  t.clock.set(Date.parse(noon) - dayMs)
  await t.jobs['send_reminders']?.({})
  await t.drainJobs()
}

describe('choices of what is told', () => {
  it('are all on until somebody silences one, and on again when they want it back; nobody else is concerned', async () => {
    const [user, other] = [await makeUser(t.db), await makeUser(t.db)]
    expect(await offOf(user)).toEqual([])
    for (const turn of [1, 2]) expect([turn, (await choose(user, 'reminders', 'mail', false)).status]).toEqual([turn, 200])
    await choose(user, 'offers', 'bell', false)
    expect(await offOf(user)).toEqual(['reminders mail', 'offers bell'])
    expect(await offOf(other)).toEqual([])
    await choose(user, 'reminders', 'mail', true)
    expect(await offOf(user)).toEqual(['offers bell'])
    expect((await choose(user, 'codes', 'mail', false)).status).toBe(400)
    expect((await ownDataOf(t, user)).data).toMatchObject({ silencedNotifications: [{ kind: 'offers', channel: 'bell' }] })
  })

  it('reminders: silenced by mail they still ring, silenced in the bell they are still written', async () => {
    const [byBell, byMail] = [await makeUser(t.db), await makeUser(t.db)]
    await choose(byBell, 'reminders', 'mail', false)
    await choose(byMail, 'reminders', 'bell', false)
    await remindedDayBefore(byBell)
    t.clock.set(start)
    await remindedDayBefore(byMail)
    expect([await kindsOf(byBell), await typesOf(byBell)]).toEqual([
      expect.not.arrayContaining(['visit_reminder']),
      expect.arrayContaining(['reminder']),
    ])
    expect([await kindsOf(byMail), await typesOf(byMail)]).toEqual([
      expect.arrayContaining(['visit_reminder']),
      expect.not.arrayContaining(['reminder']),
    ])
  })

  it('what must be sent is sent whatever is silenced', async () => {
    const client = await makeUser(t.db)
    for (const kind of ['reminders', 'reviews', 'messages', 'offers'])
      for (const channel of ['mail', 'bell']) await choose(client, kind, channel, false)
    const visit = await bookVisit(t, client, await makeInstitute(t.db, { horizon: 120 }), { startsAt: noon })
    await cancelled(t, client, visit._id)
    await t.drainJobs()
    expect((await kindsOf(client)).toSorted()).toEqual(['visit_booked', 'visit_cancelled'])
    expect(await typesOf(client)).toEqual(['appointment', 'appointment'])
  })
})
