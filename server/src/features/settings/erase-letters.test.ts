/** What institutes were told and noted of a person goes with the account: letters that name no visit, notes, and why a visit was cancelled. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { hashPassword } from '#/features/session/password-hash.ts'
import { bookVisit, cancelled, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { asksFor, paidVisit } from '#/testing/paid-visits.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const secure = '/api/v1/secure'
const now = '2026-11-20T11:00:00Z'
const password = 'quiet morning tea'

let t: TestApp
let owner: MadeUser
let client: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp({ at: now, settings: { LIMIT_LOGINS: '100' } })
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(now)
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { ownerId: owner.id, members: 1, services: [{ price: 3800 }], cancelWindow: 1440 })
  client = await makeUser(t.db, { firstName: 'Zulmira' })
  await sql`update users set password_hash = ${await hashPassword(password, 'test')} where id = ${client.id}`.execute(t.db)
})

async function erased(): Promise<void> {
  t.clock.set('2026-11-29T11:00:00Z')
  await sql`update sessions set expires_at = '2099-01-01T00:00:00Z'`.execute(t.db)
  expect((await t.inject('DELETE', `${secure}/client/account`, { token: client.token, body: { password } })).status).toBe(200)
}

it('[R-14] letters to an institute about messages, disputes and refunds of the person go', async () => {
  await asksFor(t, institute, 'fixed', 1500)
  const [disputed, returned] = [
    await paidVisit(t, client, institute, { startsAt: wall('2026-11-24T10:00') }),
    await paidVisit(t, client, institute, { startsAt: wall('2026-11-24T14:00') }),
  ]
  await cancelled(t, client, returned)
  await t.drainJobs()
  const referenceOf = async (visit: string): Promise<string> =>
    (await sql<{ reference: string }>`select reference from checkouts where appointment_id = ${visit}`.execute(t.db)).rows[0]?.reference ??
    ''
  const dispute = {
    kind: 'dispute',
    id: 'of-the-bank',
    at: t.clock.now(),
    disputeId: 'dp_1',
    reference: await referenceOf(disputed),
    accountId: null,
    amount: 1500,
    currency: 'EUR',
    state: 'open',
    why: 'not_received',
    answerBy: null,
  } as const
  const signed = t.payments.sign(dispute)
  expect((await t.inject('POST', '/api/v1/webhooks/sandbox', signed)).status).toBe(200)
  const { rows } = await sql<{
    id: string
  }>`select r.id from refunds r join checkouts p on p.id = r.checkout_id where p.user_id = ${client.id}`.execute(t.db)
  // The letter about a refund that came back is the same in the eyes of the one who forgets it.
  await sql`insert into mails (dedupe_key, kind, recipient, subject, html, body, user_id, institute_id)
    values (${`refund_refused:${rows[0]?.id}`}, 'refund_refused', ${owner.email}, 'To Zulmira', '', '', ${owner.id}, ${institute.id})`.execute(
    t.db,
  )
  const { body: chat } = await t.inject('POST', `${secure}/chats`, { token: client.token, body: { instituteId: institute.id } })
  const said = { chatId: chat['_id'], clientId: 'erased-letters', text: 'Is there parking?' }
  expect((await t.inject('POST', `${secure}/messages`, { token: client.token, body: said })).status).toBe(201)
  t.clock.advance(15 * 60_000)
  await t.jobs['write_of_unread']?.({})
  await t.drainJobs()
  const naming = async (): Promise<string[]> =>
    (await sql<{ kind: string }>`select distinct kind from mails m where m::text ~* 'zulmira' order by kind`.execute(t.db)).rows.map(
      ({ kind }) => kind,
    )
  expect(await naming()).toEqual(expect.arrayContaining(['payment_disputed', 'refund_refused', 'unread_message']))
  await erased()
  expect(await naming()).toEqual([])
})

it('[R-14] what was noted of visits goes, and why one was cancelled, from the events too', async () => {
  const [visit, off] = [
    await bookVisit(t, client, institute, { startsAt: wall('2026-11-24T10:00') }),
    await bookVisit(t, client, institute, { startsAt: wall('2026-11-24T14:00') }),
  ]
  const reason = 'Zulmira has a fever'
  expect((await t.inject('PUT', `${secure}/appointments/${off._id}/cancel`, { token: client.token, body: { reason } })).status).toBe(200)
  await sql`update appointments set own_note = 'Zulmira was late' where id = ${visit._id}`.execute(t.db)
  await sql`insert into rearrangements (institute_id, appointment_id, state, before_starts_at, before_ends_at, note, created_at)
    values (${institute.id}, ${visit._id}, 'by_phone', now(), now(), 'Ring Zulmira in the evening', now())`.execute(t.db)
  await erased()
  const saying = async (table: 'appointments' | 'rearrangements' | 'events'): Promise<number> =>
    (await sql`select from ${sql.table(table)} x where x::text ~* 'zulmira'`.execute(t.db)).rows.length
  expect([await saying('appointments'), await saying('rearrangements'), await saying('events')]).toEqual([0, 0, 0])
})
