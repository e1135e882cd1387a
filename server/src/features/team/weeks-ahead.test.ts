/** Weeks that are written ahead: a change of the weeks before them leaves them, and nobody works after their last day. */
import type { Team, TeamMember } from '@soigne/contract/team'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startsOffered, summaryIsTrue } from '#/testing/diary.ts'
import { type MadeInstitute, makeInstitute, type MadeUser, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
let owner: MadeUser
let salon: MadeInstitute
let karim: string
beforeAll(async () => {
  t = await openTestApp({ at: '2026-11-20T08:00:00Z' })
})
afterAll(() => t.close())
beforeEach(async () => {
  owner = await makeUser(t.db, { role: 'isPro' })
  salon = await makeInstitute(t.db, { ownerId: owner.id, members: 1 })
  karim = salon.members[0] ?? ''
})

const ask = (method: 'GET' | 'PUT' | 'DELETE', at: string, body?: object): Promise<TestAnswer> =>
  t.inject(method, `/api/v1/secure/mysalon/staff${at}`, { token: owner.token, ...(body && { body }) })
const member = async (): Promise<TeamMember | undefined> =>
  ((await ask('GET', '')).body as unknown as Team).items.find(({ _id }) => _id === karim)
/** Works this weekday alone from a day on. */
async function works(weekday: string, fromDay: string): Promise<void> {
  const rota = { anchorDay: '2026-11-16', fromDay, weeks: [{ [weekday]: [{ opensAt: '09:00', closesAt: '17:00' }] }] }
  const answer = await ask('PUT', `/${karim}`, { rota })
  if (answer.status !== 200) throw new Error(answer.text)
}
const isOffered = async (day: string): Promise<boolean> => (await startsOffered(t, salon, day)).length > 0

describe('weeks written ahead', () => {
  it('stay when the weeks before them change, and are changed from their own day on', async () => {
    await works('Thursday', '2027-01-01')
    await works('Wednesday', '2026-11-23')
    expect((await member())?.rotas.map(({ fromDay, toDay }) => [fromDay, toDay])).toEqual([
      [null, '2026-11-22'],
      ['2026-11-23', '2026-12-31'],
      ['2027-01-01', null],
    ])
    expect([await isOffered('2026-12-30'), await isOffered('2027-01-06'), await isOffered('2027-01-07')]).toEqual([true, false, true])
    await works('Friday', '2027-01-01')
    expect([await isOffered('2026-12-30'), await isOffered('2027-01-07'), await isOffered('2027-01-08')]).toEqual([true, false, true])
    await summaryIsTrue(t, salon)
  })

  it('end with the last day of who leaves', async () => {
    expect((await ask('DELETE', `/${karim}?lastDay=2026-12-31`)).status).toBe(200)
    await works('Thursday', '2026-11-23')
    expect([await isOffered('2026-12-31'), await isOffered('2027-01-07')]).toEqual([true, false])
    const after = { shifts: [{ opensAt: '09:00', closesAt: '17:00' }] }
    expect((await ask('PUT', `/${karim}/days/2027-01-07`, after)).status).toBe(400)
    expect((await ask('PUT', `/${karim}`, { rota: { anchorDay: '2026-11-16', fromDay: '2027-01-04', weeks: [{}] } })).status).toBe(400)
    expect((await ask('PUT', `/${karim}/days/2026-12-30`, after)).status).toBe(200)
    expect([await isOffered('2026-12-30'), await isOffered('2027-01-07')]).toEqual([true, false])
    await summaryIsTrue(t, salon)
  })

  it('go on with a later last day, and for good where somebody stays after all', async () => {
    const leave = async (lastDay: string): Promise<number> => (await ask('DELETE', `/${karim}?lastDay=${lastDay}`)).status
    const offered = (): Promise<boolean[]> => Promise.all(['2026-12-30', '2027-01-06', '2027-02-10'].map(isOffered))
    expect(await offered()).toEqual([true, true, true])
    expect([await leave('2026-12-31'), await offered()]).toEqual([200, [true, false, false]])
    expect([await leave('2027-01-31'), await offered()]).toEqual([200, [true, true, false]])
    expect((await ask('PUT', `/${karim}`, { lastDay: null })).status).toBe(200)
    expect([(await member())?.lastDay, await offered()]).toEqual([null, [true, true, true]])
    await summaryIsTrue(t, salon)
  })
})
