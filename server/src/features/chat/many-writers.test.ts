import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Chat, ChatMessage } from '@soigne/contract/chat'
import { payerOf } from '#/testing/checkouts.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { insertTexts, type Said } from './message-store.ts'

let t: TestApp
let owner: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp()
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { ownerId: owner.id })
})
afterAll(() => t.close())

async function chatOf(client: MadeUser, at = institute): Promise<string> {
  const answer = await t.inject('POST', '/api/v1/secure/chats', { token: client.token, body: { instituteId: at.id } })
  return (answer.body as unknown as Chat)._id
}
const write = async (who: MadeUser, chatId: string, text: string, clientId: string) => {
  const answer = await t.inject('POST', '/api/v1/secure/messages', { token: who.token, body: { chatId, text, clientId } })
  return { status: answer.status, body: answer.body as unknown as ChatMessage }
}
/** Texts that one statement is given, by who, where, and key. */
async function say(...texts: readonly (readonly [MadeUser, string, string])[]): Promise<Said[]> {
  const now = new Date(t.clock.now())
  const writers = await Promise.all(texts.map(([who]) => payerOf(who.id)))
  return insertTexts(
    t.context.database.prepared,
    writers,
    texts.map(([, chatId, key], n) => ({ chatId, key, text: `text ${n}`, now })),
  )
}
const outcomes = (said: readonly Said[]) => said.map(({ outcome, seq }) => [outcome, seq])

interface Stored {
  places: number[]
  keys: string[]
  lastSeq: number
  unread: number
  told: number
}
async function stored(chatId: string): Promise<Stored> {
  const { rows } = await sql<Stored>`select c.last_seq as "lastSeq", c.institute_unread as unread,
      coalesce((select array_agg(m.seq order by m.seq) from messages m where m.chat_id = c.id), '{}') as places,
      coalesce((select array_agg(m.client_id order by m.seq) from messages m where m.chat_id = c.id), '{}') as keys,
      (select count(*) from events e join messages m on m.id = (e.payload ->> 'messageId')::uuid and m.seq = (e.payload ->> 'seq')::int
        where e.kind = 'message.sent' and e.subject_id = c.id and e.actor ->> 'userId' = m.sender_id::text) as told
    from chats c where c.id = ${chatId}`.execute(t.db)
  return rows[0] as Stored
}

describe('messages that are written together', () => {
  it('each have their own answer: their place, known before, blocked, or no conversation of theirs', async () => {
    const [ann, ben, cleo, dan] = (await Promise.all([1, 2, 3, 4].map(() => makeUser(t.db)))) as [MadeUser, MadeUser, MadeUser, MadeUser]
    const [ofAnn, ofBen, ofCleo, ofDan] = (await Promise.all([ann, ben, cleo, dan].map((one) => chatOf(one)))) as [
      string,
      string,
      string,
      string,
    ]
    expect(outcomes(await say([ann, ofAnn, 'a-1'], [cleo, ofCleo, 'c-1'], [dan, ofDan, 'd-1']))).toEqual([
      ['new', 1],
      ['new', 1],
      ['new', 1],
    ])
    // The institute closes the conversation with Cleo, and blocks Dan altogether.
    await t.inject('PUT', `/api/v1/secure/chats/${ofCleo}/block`, { token: owner.token, body: { blocked: true } })
    await sql`insert into customers (institute_id, user_id, first_name, blocked_at) values (${institute.id}, ${dan.id}, 'D', now())`.execute(
      t.db,
    )
    const nowhere = '00000000-0000-7000-8000-000000000000'
    const said = await say(
      [ann, ofAnn, 'a-2'],
      [ben, ofAnn, 'b-0'],
      [ben, ofBen, 'b-1'],
      [ann, ofAnn, 'a-2'],
      [ann, ofAnn, 'a-1'],
      [ann, ofAnn, 'a-3'],
      [cleo, ofCleo, 'c-1'],
      [cleo, ofCleo, 'c-2'],
      [dan, ofDan, 'd-1'],
      [owner, ofBen, 'o-1'],
      [ben, nowhere, 'b-2'],
    )
    expect(outcomes(said)).toEqual([
      ['new', 2],
      ['elsewhere', null],
      ['new', 1],
      ['known', null],
      ['known', null],
      ['new', 3],
      ['known', null],
      ['blocked', null],
      ['blocked', null],
      ['elsewhere', null],
      ['elsewhere', null],
    ])
    expect(await stored(ofAnn)).toEqual({ places: [1, 2, 3], keys: ['a-1', 'a-2', 'a-3'], lastSeq: 3, unread: 3, told: 3 })
    expect(await stored(ofBen)).toEqual({ places: [1], keys: ['b-1'], lastSeq: 1, unread: 1, told: 1 })
    expect((await stored(ofCleo)).keys).toEqual(['c-1'])
  })

  it('[E-06] by many at once, some twice, are each there once, with fewer statements than messages', async () => {
    const clients = await Promise.all(Array.from({ length: 12 }, () => makeUser(t.db)))
    const chats = await Promise.all(clients.map((one) => chatOf(one)))
    const perClient = 8
    const before = t.context.database.statements()
    const answers = await Promise.all(
      clients.flatMap((client, n) =>
        Array.from({ length: perClient }, (_, m) => write(client, chats[n] as string, `${n} ${m}`, `together-${n}-${m}`)),
      ),
    )
    expect(t.context.database.statements() - before).toBeLessThan(clients.length * perClient)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    // Sent again, as after an answer that was lost: two at once for each.
    const again = await Promise.all(
      clients.flatMap((client, n) => [0, 0, 1].map((m) => write(client, chats[n] as string, `${n} ${m}`, `together-${n}-${m}`))),
    )
    for (const [n, chatId] of chats.entries()) {
      const keys = Array.from({ length: perClient }, (_, m) => `together-${n}-${m}`)
      const { places, ...rest } = await stored(chatId)
      expect(places).toEqual(keys.map((_, m) => m + 1))
      expect({ ...rest, keys: rest.keys.toSorted() }).toEqual({ keys, lastSeq: perClient, unread: perClient, told: perClient })
      const ids = [0, 0, 1].map((m) => answers[n * perClient + m]?.body._id)
      expect(again.slice(n * 3, n * 3 + 3).map(({ body }) => body._id)).toEqual(ids)
    }
  })

  it('fail alone where one of them cannot be stored', async () => {
    const [ann, ben] = (await Promise.all([1, 2].map(() => makeUser(t.db)))) as [MadeUser, MadeUser]
    const [ofAnn, ofBen] = (await Promise.all([ann, ben].map((one) => chatOf(one)))) as [string, string]
    await sql`alter table messages add constraint refuses check (text is distinct from 'no')`.execute(t.db)
    const fill = Array.from({ length: 6 }, (_, n) => write(ann, ofAnn, 'yes', `fails-${n}-000`))
    const [bad, ...good] = await Promise.all([write(ben, ofBen, 'no', 'fails-no-000'), write(ben, ofBen, 'yes', 'fails-yes-000'), ...fill])
    await sql`alter table messages drop constraint refuses`.execute(t.db)
    expect(bad?.status).toBe(500)
    expect(good.map(({ status }) => status)).toEqual(good.map(() => 201))
    expect((await stored(ofAnn)).lastSeq).toBe(6)
    expect((await stored(ofBen)).keys).toEqual(['fails-yes-000'])
  })
})
