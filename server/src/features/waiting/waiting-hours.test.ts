/** Waiting between two hours of a day, for a visit that is given back. */
import type { WaitingEntry } from '@soigne/contract/waiting'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, cancelled, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const path = '/api/v1/secure/waiting'
/** Friday, noon in Paris. */
const start = '2026-11-20T11:00:00Z'
const wednesday = '2026-11-25'
const thursday = wall('2026-11-26T16:20')
const twentyToSix = wall(`${wednesday}T17:40`)

let t: TestApp
let institute: MadeInstitute
let client: MadeUser
beforeAll(async () => {
  t = await openTestApp({ at: start })
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(start)
  // A manicure and a massage of one person: 80 minutes in all.
  institute = await makeInstitute(t.db, { members: 1, opensAt: 540, closesAt: 1140, services: [{ active: 50 }, { active: 30 }] })
  client = await makeUser(t.db)
})

const both = () => institute.services.map((serviceId) => ({ serviceId }))
async function join(user: MadeUser, hours: { from: string; to: string }, more: object = {}): Promise<WaitingEntry> {
  const body = { instituteId: institute.id, services: both(), fromDay: wednesday, toDay: wednesday, hours, ...more }
  const answer = await t.inject('POST', path, { token: user.token, body })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body as unknown as WaitingEntry
}
const entriesOf = async (user: MadeUser): Promise<WaitingEntry[]> =>
  (await t.inject('GET', path, { token: user.token })).body['items'] as unknown as WaitingEntry[]
const bookBoth = (user: MadeUser, startsAt: string) => bookVisit(t, user, institute, { startsAt, lines: [[0], [1]] })

describe('whoever waits between two hours', () => {
  it('is offered only what begins and ends between them, reads them again, and gives the visit back for it', async () => {
    const other = await makeUser(t.db)
    await bookBoth(other, wall(`${wednesday}T16:20`))
    const falls = await bookBoth(other, twentyToSix)
    const visit = await bookBoth(client, thursday)
    const shorter = await makeUser(t.db)
    await join(shorter, { from: '17:00', to: '18:30' })
    t.clock.set(t.clock.now() + 1000)
    const entry = await join(client, { from: '17:00', to: '19:00' }, { visitId: visit._id })
    expect((await entriesOf(client)).map(({ hours, part, fromDay }) => [hours, part, fromDay])).toEqual([
      [{ from: '17:00', to: '19:00' }, null, wednesday],
    ])
    await cancelled(t, other, falls._id)
    for (let turn = 0; turn < 3; turn++) await t.drainJobs()
    expect((await entriesOf(shorter))[0]?.offer).toBeNull()
    expect((await entriesOf(client))[0]?.offer).toMatchObject({ startsAt: twentyToSix, endsAt: wall(`${wednesday}T19:00`) })
    const taken = await t.inject('PUT', `${path}/${entry._id}/accept`, { token: client.token })
    expect([taken.status, taken.body['startsAt']]).toEqual([200, twentyToSix])
    await bookBoth(other, thursday)
  })
})
