import type { Chat } from '@soigne/contract/chat'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const secure = '/api/v1/secure'
let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

it('[C-10] what was said is found without its accents, and however Arabic spells it; what was deleted is not', async () => {
  const client = await makeUser(t.db)
  const said = ['Une décoloration, s’il vous plaît', 'موعد في الصالون على السّاعة الخامسة', 'Straße 100 % weiß']
  const ids: string[] = []
  for (const [n, text] of said.entries()) {
    const body = { instituteId: (await makeInstitute(t.db, { name: `Salon ${n}` })).id }
    const chat = (await t.inject('POST', `${secure}/chats`, { token: client.token, body })).body as unknown as Chat
    const sent = await t.inject('POST', `${secure}/messages`, {
      token: client.token,
      body: { chatId: chat._id, text, clientId: `search-key-${n}` },
    })
    expect(sent.status).toBe(201)
    ids.push(chat._id)
  }
  const found = async (search: string) => {
    const { body } = await t.inject('GET', `${secure}/chats?search=${encodeURIComponent(search)}`, { token: client.token })
    const items = body['items'] as unknown as Chat[]
    expect(body['total']).toBe(items.length)
    return items.map(({ _id }) => ids.indexOf(_id))
  }
  expect([await found('decoloration'), await found('s’il vous PLAIT'), await found('strasse')]).toEqual([[0], [0], [2]])
  expect([await found('الساعه الخامسه'), await found('علي')]).toEqual([[1], [1]])
  expect([await found('100 %'), await found('%'), await found('_')]).toEqual([[2], [2], []])
  await t.inject('DELETE', `${secure}/chats/${ids[0]}`, { token: client.token })
  expect(await found('decoloration')).toEqual([])
})
