import type { Chat } from '@soigne/contract/chat'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '#/platform/database.ts'
import { wall } from '#/testing/booking.ts'
import { type MadeInstitute, makeInstitute, makePerson, type MadeUser, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { decideOnChat } from './reports.ts'

const secure = '/api/v1/secure'
const at = (time: string, day = 24): string => wall(`2026-11-${day}T${time}`)
let t: TestApp
let owner: MadeUser
let institute: MadeInstitute
let client: MadeUser
let chatId = ''
let keys = 0
beforeAll(async () => {
  t = await openTestApp({ at: at('10:00') })
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(at('10:00'))
  owner = await makeUser(t.db, { role: 'isPro', firstName: 'Odile' })
  institute = await makeInstitute(t.db, { name: 'Maison Ondine', ownerId: owner.id })
  client = await makeUser(t.db, { firstName: 'Inès' })
  const { body } = await t.inject('POST', `${secure}/chats`, { token: client.token, body: { instituteId: institute.id } })
  chatId = (body as unknown as Chat)._id
})

async function write(who: MadeUser, moment: string, text = 'Hello'): Promise<void> {
  t.clock.set(moment)
  const answer = await t.inject('POST', `${secure}/messages`, { token: who.token, body: { chatId, text, clientId: `unread-${keys++}-00` } })
  expect(answer.status).toBe(201)
}
const read = (who: MadeUser) => t.inject('PUT', `${secure}/chats/${chatId}/read`, { token: who.token })
/** Letters somebody has once the job of that minute has run. */
async function lettersAt(moment: string, { email }: MadeUser): Promise<string[]> {
  t.clock.set(moment)
  await t.jobs['write_of_unread']?.({})
  await t.drainJobs()
  return (await t.mails(email)).filter(({ kind }) => kind === 'unread_message').map(({ subject }) => subject)
}
const fromInstitute = 'A message from Maison Ondine'

describe('a message that stays unread', () => {
  it('is written of after 15 minutes, once for all that waits, and again only after it was read', async () => {
    await write(owner, at('10:00'), 'secret words')
    await write(owner, at('10:10'))
    expect(await lettersAt(at('10:14'), client)).toEqual([])
    expect(await lettersAt(at('10:15'), client)).toEqual([fromInstitute])
    const [letter] = await t.mails(client.email)
    expect([letter?.text.includes(`/chat/${chatId}`), letter?.text.includes('secret words')]).toEqual([true, false])
    await write(owner, at('10:20'))
    expect(await lettersAt(at('12:00'), client)).toEqual([fromInstitute])
    await read(client)
    expect(await lettersAt(at('12:30'), client)).toEqual([fromInstitute])
    await write(owner, at('13:00'))
    expect(await lettersAt(at('13:15'), client)).toEqual([fromInstitute, fromInstitute])
  })

  it('is not written of when it was read in time, nor to who does not want it', async () => {
    await write(owner, at('10:00'))
    t.clock.set(at('10:05'))
    await read(client)
    expect(await lettersAt(at('11:00'), client)).toEqual([])
    const body = { kind: 'messages', channel: 'mail', isOn: false }
    await t.inject('PUT', `${secure}/notifications/choices`, { token: client.token, body })
    await write(owner, at('11:00'))
    expect(await lettersAt(at('12:00'), client)).toEqual([])
  })

  it('of a conversation that the site has stopped is written of to nobody, until it is allowed again', async () => {
    await write(owner, at('10:00'))
    await decideOnChat(t.context.database.db, { id: chatId, decision: 'stopped', now: t.clock.now() })
    expect(await lettersAt(at('11:00'), client)).toEqual([])
    await decideOnChat(t.context.database.db, { id: chatId, decision: 'allowed', now: t.clock.now() })
    expect(await lettersAt(at('12:00'), client)).toEqual([fromInstitute])
  })

  it('waits for eight in the morning when it came at night', async () => {
    await write(owner, at('21:50'))
    expect(await lettersAt(at('22:05'), client)).toEqual([])
    expect(await lettersAt(at('07:59', 25), client)).toEqual([])
    expect(await lettersAt(at('08:00', 25), client)).toEqual([fromInstitute])
  })

  it('of a client is told to those of the institute who answer, with the client’s name', async () => {
    const [reception, staff] = [await makePerson(t.db, institute.id, 'reception'), await makePerson(t.db, institute.id, 'staff')]
    await write(client, at('10:00'))
    const subject = 'A message from Inès Benali'
    expect(await lettersAt(at('10:15'), owner)).toEqual([subject])
    expect(await lettersAt(at('10:15'), reception)).toEqual([subject])
    expect(await lettersAt(at('10:15'), staff)).toEqual([])
    expect(await lettersAt(at('10:15'), client)).toEqual([])
    const [letter] = await t.mails(owner.email)
    expect(letter?.text).toContain(`/mysalon/messages/${chatId}`)
  })

  it('is looked for among chats with something unread alone', async () => {
    await inTransaction(t.db, async (transaction) => {
      await sql`set local enable_seqscan = off`.execute(transaction)
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (generic_plan) select from chats c
        where c.id > $1 and (c.client_unread > 0 or c.institute_unread > 0) and c.updated_at > $2`.execute(transaction)
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('chats_unread')
    })
  })
})
