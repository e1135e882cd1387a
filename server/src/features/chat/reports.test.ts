import type { Chat } from '@soigne/contract/chat'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeInstitute, type MadeUser, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { closeChatReport, openChatReports } from './service.ts'

const secure = '/api/v1/secure'
let t: TestApp
beforeAll(async () => {
  t = await openTestApp({ at: '2026-11-20T11:00:00Z' })
})
afterAll(() => t.close())

it('a reported conversation waits for an operator, with why and what was said until then, until it was looked at', async () => {
  const owner = await makeUser(t.db, { role: 'isPro' })
  const institute = await makeInstitute(t.db, { name: 'Maison Ondine', ownerId: owner.id })
  const client = await makeUser(t.db, { firstName: 'Camille' })
  const opened = await t.inject('POST', `${secure}/chats`, { token: client.token, body: { instituteId: institute.id } })
  const { _id: chatId } = opened.body as unknown as Chat
  let keys = 0
  const write = (who: MadeUser, text: string) =>
    t.inject('POST', `${secure}/messages`, { token: who.token, body: { chatId, text, clientId: `report-key-${keys++}` } })
  const report = async (who: MadeUser, reason: string) =>
    expect((await t.inject('POST', `${secure}/chats/${chatId}/report`, { token: who.token, body: { reason } })).status).toBe(201)
  expect(await openChatReports(t.db)).toEqual([])
  await write(client, 'Hello')
  await write(owner, 'Pay me elsewhere')
  await report(client, 'Asks for money beside the site')
  await write(client, 'No')
  t.clock.advance(1000)
  await report(owner, 'Rude')
  const [first, second, ...more] = await openChatReports(t.db)
  expect(first).toMatchObject({
    at: '2026-11-20T11:00:00.000Z',
    institute: 'Maison Ondine',
    client: 'Camille Benali',
    by: 'client',
    reason: 'Asks for money beside the site',
    said: [
      { side: 'client', text: 'Hello', media: null },
      { side: 'institute', text: 'Pay me elsewhere', media: null },
    ],
  })
  expect([second?.by, second?.said.map(({ text }) => text), more]).toEqual(['institute', ['Hello', 'Pay me elsewhere', 'No'], []])
  const id = first?.reportId ?? ''
  expect([await closeChatReport(t.db, { id, now: t.clock.now() }), await closeChatReport(t.db, { id, now: t.clock.now() })]).toEqual([
    true,
    false,
  ])
  expect((await openChatReports(t.db)).map(({ reason }) => reason)).toEqual(['Rude'])
  const { rows } = await sql`select decided_at from chat_reports where id = ${id}`.execute(t.db)
  expect(rows).toEqual([{ decided_at: new Date(t.clock.now()).toISOString() }])
})
