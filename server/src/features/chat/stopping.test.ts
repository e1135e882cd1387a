/** An operator stops one conversation, and allows it again. */
import type { Chat, ChatMessage } from '@soigne/contract/chat'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { plain } from '#/testing/pictures.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { decideOnChat } from './service.ts'

const secure = '/api/v1/secure'
let t: TestApp
let owner: MadeUser
let client: MadeUser
let institute: MadeInstitute
let id = ''
beforeAll(async () => {
  t = await openTestApp({ at: '2026-11-20T11:00:00Z' })
})
afterAll(() => t.close())
beforeEach(async () => {
  ;[owner, client] = [await makeUser(t.db, { role: 'isPro' }), await makeUser(t.db)]
  institute = await makeInstitute(t.db, { ownerId: owner.id })
  const opened = await t.inject('POST', `${secure}/chats`, { token: client.token, body: { instituteId: institute.id } })
  id = (opened.body as unknown as Chat)._id
})

let keys = 0
const newKey = (): string => `stopping-${keys++}-key`
const write = async (who: MadeUser, text: string, { clientId = newKey(), language = 'en' } = {}) => {
  const headers = { 'accept-language': language }
  const { status: answered, body } = await t.inject('POST', `${secure}/messages`, {
    token: who.token,
    headers,
    body: { chatId: id, text, clientId },
  })
  return { answered, ...(body as unknown as Partial<ChatMessage> & { code?: string; message?: string }) }
}
const decide = (decision: 'stopped' | 'allowed') => decideOnChat(t.db, { id, decision, now: t.clock.now() })
const seen = async (who: MadeUser): Promise<boolean[]> => {
  const one = (await t.inject('GET', `${secure}/chats/${id}`, { token: who.token })).body as unknown as Chat
  return [one.isStopped, one.isBlocked]
}

describe('a conversation that is stopped', () => {
  it('takes nothing of either side, who both read why in their language, and takes it again once it is allowed', async () => {
    const before = await write(client, 'Hello', { clientId: 'the-first-key' })
    expect(before.answered).toBe(201)
    expect(await decide('stopped')).toBe(true)
    expect([await seen(client), await seen(owner)]).toEqual([
      [true, false],
      [true, false],
    ])
    for (const who of [client, owner])
      for (const [language, said] of [
        ['en', 'Our team has stopped this conversation'],
        ['fr', 'Notre équipe a suspendu cette conversation'],
        ['ar', 'أوقف فريقنا هذه المحادثة'],
      ] as const)
        expect(await write(who, 'More', { language })).toMatchObject({
          answered: 403,
          code: 'chat_stopped',
          message: expect.stringContaining(said),
        })
    // What was written before it was stopped is answered as it was, and read by both.
    expect(await write(client, 'Hello', { clientId: 'the-first-key' })).toMatchObject({ answered: 201, _id: before._id })
    for (const who of [client, owner])
      expect((await t.inject('GET', `${secure}/messages/${id}`, { token: who.token })).body['total']).toBe(1)
    expect(await decide('allowed')).toBe(true)
    expect([(await write(client, 'Again')).answered, (await write(owner, 'And I')).answered, await seen(client)]).toEqual([
      201,
      201,
      [false, false],
    ])
  })

  it('takes no file and no offer of a free time', async () => {
    await decide('stopped')
    const part = (name: string, value: string) => `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const head = `${part('chatId', id)}${part('clientId', newKey())}--edge\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`
    const file = await t.inject('POST', `${secure}/messages`, {
      token: client.token,
      payload: Buffer.concat([Buffer.from(head), await plain('jpeg', 30, 20), Buffer.from('\r\n--edge--\r\n')]),
      headers: { 'content-type': 'multipart/form-data; boundary=edge' },
    })
    const offer = await t.inject('POST', `${secure}/mysalon/chats/${id}/free-times`, {
      token: owner.token,
      body: { clientId: newKey(), services: [{ serviceId: institute.services[0] }], startsAt: '2026-11-25T10:00:00Z' },
    })
    expect([file, offer].map(({ status, body }) => `${status} ${String(body['code'])}`)).toEqual(['403 chat_stopped', '403 chat_stopped'])
  })

  it('is not told to be blocked by the other side, nor the other way round', async () => {
    await t.inject('PUT', `${secure}/chats/${id}/block`, { token: owner.token, body: { blocked: true } })
    expect((await write(client, 'Hello')).code).toBe('forbidden')
    await decide('stopped')
    expect((await write(client, 'Hello')).code).toBe('chat_stopped')
    await decide('allowed')
    expect([(await write(client, 'Hello')).code, await seen(owner)]).toEqual(['forbidden', [false, true]])
  })

  it('is kept in the events and in the log of security, once for each change', async () => {
    expect([await decide('allowed'), await decide('stopped'), await decide('stopped'), await decide('allowed')]).toEqual([
      false,
      true,
      false,
      true,
    ])
    const events =
      await sql`select kind, institute_id, actor ->> 'job' as by, payload from events where subject_id = ${id} order by id`.execute(t.db)
    const told = (decision: string) => ({
      kind: 'chat.decided',
      institute_id: institute.id,
      by: 'npm run admin',
      payload: { userId: client.id, decision },
    })
    expect(events.rows).toEqual([told('stopped'), told('allowed')])
    const noted = await sql`select kind, address, details from security_events where user_id = ${client.id} order by id`.execute(t.db)
    const details = { subject: id, institute: institute.id }
    expect(noted.rows).toEqual([
      { kind: 'chat.stopped', address: 'shell', details },
      { kind: 'chat.allowed', address: 'shell', details },
    ])
    expect(await decideOnChat(t.db, { id: institute.id, decision: 'stopped', now: t.clock.now() })).toBe(false)
  })
})
