import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { wall } from '#/testing/booking.ts'
import { type MadeInstitute, makeInstitute, makePerson, type MadeUser, makeUser } from '#/testing/factories.ts'
import { makeVisit } from '#/testing/kept-visits.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const ten = wall('2026-11-24T10:00')
const noon = wall('2026-11-24T12:00')
let t: TestApp
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp({ at: '2026-11-24T08:00:00Z' })
})
afterAll(() => t.close())
beforeEach(async () => {
  institute = await makeInstitute(t.db, { name: 'Maison Ondine' })
})

const visitOf = (client: MadeUser, startsAt = ten): Promise<string> =>
  makeVisit(t.db, { userId: client.id, instituteId: institute.id, startsAt })
/** What the job of that minute asks of somebody. */
async function askedAt(moment: string, { email }: MadeUser): Promise<string[]> {
  t.clock.set(moment)
  await t.jobs['ask_for_reviews']?.({})
  await t.drainJobs()
  return (await t.mails(email)).filter(({ kind }) => kind === 'review_request').map(({ subject }) => subject)
}
const asked = ['How was it at Maison Ondine?']
const evening = wall('2026-11-24T18:00')

describe('the question after a visit', () => {
  it('comes two hours after its end, once for a person and a place, and leads to the visit', async () => {
    const client = await makeUser(t.db)
    const visit = await visitOf(client)
    await visitOf(client, wall('2026-11-24T09:00'))
    expect(await askedAt(wall('2026-11-24T11:30'), client)).toEqual([])
    expect(await askedAt(evening, client)).toEqual(asked)
    const [letter] = await t.mails(client.email)
    expect(letter?.text).toContain(`/appointment/${visit}`)
    expect(await askedAt(wall('2026-11-25T10:00'), client)).toEqual(asked)
  })

  it('waits for the morning of the place', async () => {
    const client = await makeUser(t.db)
    await visitOf(client, wall('2026-11-24T20:00'))
    expect(await askedAt(wall('2026-11-24T23:30'), client)).toEqual([])
    expect(await askedAt(wall('2026-11-25T07:59'), client)).toEqual([])
    expect(await askedAt(wall('2026-11-25T08:00'), client)).toEqual(asked)
  })

  it.each(['arrived', 'in_service'])('is asked, and can be answered, where the institute noted no more than %s', async (attendance) => {
    const client = await makeUser(t.db)
    const visit = await visitOf(client)
    await sql`update appointments set attendance = ${attendance} where id = ${visit}`.execute(t.db)
    const own = async () => (await t.inject('GET', `/api/v1/secure/appointments/${visit}/review`, { token: client.token })).body
    t.clock.set(wall('2026-11-24T11:30'))
    expect(await own()).toMatchObject({ mayReview: false, reason: 'not_yet' })
    t.clock.set(noon)
    expect(await own()).toMatchObject({ mayReview: true, reason: null })
    expect(await askedAt(evening, client)).toEqual(asked)
  })

  it('is not asked of who said it, did not come, cancelled, works there, or does not want it; nor of what is long past', async () => {
    const said = await makeUser(t.db)
    const visit = await visitOf(said)
    t.clock.set(noon)
    const grades = { welcoming: 5, hygiene: 5, atmosphere: 5, serviceQuality: 5 }
    expect((await t.inject('POST', `/api/v1/secure/appointments/${visit}/review`, { token: said.token, body: grades })).status).toBe(201)
    const absent = await makeUser(t.db)
    await sql`update appointments set attendance = 'no_show' where id = ${await visitOf(absent)}`.execute(t.db)
    const colleague = await makePerson(t.db, institute.id, 'staff')
    await visitOf(colleague)
    const quiet = await makeUser(t.db)
    await visitOf(quiet)
    await t.inject('PUT', '/api/v1/secure/notifications/choices', {
      token: quiet.token,
      body: { kind: 'reviews', channel: 'mail', isOn: false },
    })
    const past = await makeUser(t.db)
    await visitOf(past, wall('2026-11-20T10:00'))
    const client = await makeUser(t.db)
    await visitOf(client)
    expect(await askedAt(evening, client)).toEqual(asked)
    for (const one of [said, absent, colleague, quiet, past]) expect(await askedAt(evening, one)).toEqual([])
  })
})
