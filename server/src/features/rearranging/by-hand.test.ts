/** A visit whose time was given by hand: what is proposed for it, kept and taken is as long. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ProposalRow } from '@soigne/contract/rearranging'
import { setLeave } from '#/features/diary-entries/service.ts'
import { bookVisit, later, readVisit, wall } from '#/testing/booking.ts'
import { diaryOf, summaryIsTrue } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

/** Saturday 5 December. */
const saturday = '2026-12-05'
const monday = '2026-12-07'
const base = '/api/v1/secure/mysalon'

let t: TestApp
let owner: MadeUser
let salon: MadeInstitute
beforeAll(async () => {
  t = await openTestApp({ at: wall(`${saturday}T08:00`) })
})
afterAll(() => t.close())
beforeEach(async () => {
  owner = await makeUser(t.db, { role: 'isPro' })
  salon = await makeInstitute(t.db, { ownerId: owner.id, members: 1, services: [{ active: 40 }] })
})

const ask = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<TestAnswer> => {
  const answer = await t.inject(method, base + path, { token: owner.token, ...(body && { body }) })
  if (answer.status >= 300) throw new Error(answer.text)
  return answer
}

it('is proposed times that are long enough, and stays that long once one is taken', async () => {
  const client = await makeUser(t.db)
  const { _id: id } = await bookVisit(t, client, salon, { startsAt: wall(`${saturday}T14:00`), lines: [[0, 0]] })
  await ask('PUT', `/appointments/${id}/duration`, { segment: 0, durationMinutes: 90 })
  // At the same hour on Monday there is time for the menu's forty minutes alone.
  await bookVisit(t, await makeUser(t.db), salon, { startsAt: wall(`${monday}T14:40`), lines: [[0, 0]] })
  await setLeave(t.context, diaryOf(salon), {
    memberId: salon.members[0] ?? '',
    kind: 'sick_leave',
    fromDay: saturday,
    toDay: saturday,
  })
  const [row] = (await ask('GET', '/rearrangements/proposals')).body['items'] as unknown as ProposalRow[]
  const [first] = row?.options ?? []
  if (!first) throw new Error('nothing is proposed')
  const { startsAt, endsAt, staff } = first
  expect([startsAt.slice(0, 10), endsAt]).toEqual([monday, later(startsAt, 90)])
  const items = [{ appointmentId: id, how: 'propose', startsAt, staff: staff.map(({ staffId }) => staffId) }]
  await ask('POST', '/rearrangements', { items })
  const taken = await t.inject('PUT', `/api/v1/secure/appointments/${id}/proposal/accept`, { token: client.token })
  expect(taken.status).toBe(200)
  expect(await readVisit(t, client, id)).toMatchObject({ startsAt, endsAt })
  await summaryIsTrue(t, salon)
  // The time it was given is known further on.
  await ask('PUT', `/appointments/${id}/move`, { startsAt: wall('2026-12-08T10:00') })
  expect((await readVisit(t, client, id)).endsAt).toBe(wall('2026-12-08T11:30'))
})
