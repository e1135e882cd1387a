/** Sockets on a real port, against the real database. */
import { type AddressInfo, connect } from 'node:net'
import type { Chat, ChatMessage } from '@soigne/contract/chat'
import { sql } from 'kysely'
import { io, type Socket } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { afterCommit, startSpine } from '#/platform/reactions.ts'
import { openBudgets } from '#/platform/budgets.ts'
import type { Sockets } from '#/platform/live.ts'
import type { Follower } from '#/platform/events.ts'
import { openSockets } from '#/sockets.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { decideOnChat } from './service.ts'

const secure = '/api/v1/secure'
let t: TestApp
let sockets: Sockets
let spine: Follower
let url = ''
let owner: MadeUser
let institute: MadeInstitute
const opened: Socket[] = []
beforeAll(async () => {
  t = await openTestApp()
  sockets = openSockets(t.context, t.app.server, openBudgets({}, 1))
  spine = await startSpine(t.context, afterCommit([]), sockets.hear)
  t.context.live.onWake(() => spine.wake())
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}`
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { ownerId: owner.id })
})
afterEach(() => {
  for (const socket of opened.splice(0)) socket.disconnect()
})
afterAll(async () => {
  await spine.stop()
  await sockets.close()
  await t.close()
})

interface Heard {
  socket: Socket
  events: { name: string; payload: Record<string, unknown> }[]
  of(name: string): Record<string, unknown>[]
  ask(name: string, payload?: unknown): Promise<{ ok: boolean; code?: string; message?: string }>
}
function listen(
  token: string | undefined,
  options: { transports?: string[]; headers?: Record<string, string>; namespace?: string } = {},
): Heard {
  const { namespace = '/chat', transports = ['websocket'], headers } = options
  const socket = io(`${url}${namespace}`, {
    auth: { token },
    transports,
    forceNew: true,
    reconnection: false,
    ...(headers && { extraHeaders: headers }),
  })
  opened.push(socket)
  const events: Heard['events'] = []
  socket.onAny((name: string, payload: Record<string, unknown>) => void events.push({ name, payload }))
  return {
    socket,
    events,
    of: (name) => events.filter((one) => one.name === name).map(({ payload }) => payload),
    ask: (name, payload) => socket.emitWithAck(name, payload) as Promise<{ ok: boolean; code?: string }>,
  }
}
const soon = async (check: () => void | Promise<void>): Promise<void> => {
  const look = async (): Promise<string> => {
    try {
      await check()
      return 'so it is'
    } catch (error) {
      return String(error)
    }
  }
  await expect.poll(look, { interval: 10 }).toBe('so it is')
}
const connected = async (heard: Heard): Promise<Heard> => {
  await soon(() => expect(heard.socket.connected).toBe(true))
  return heard
}
const refused = (heard: Heard): Promise<string> =>
  new Promise(
    (resolve) =>
      void heard.socket.once('connect_error', (error) =>
        resolve((error as Error & { data?: { code: string } }).data?.code ?? error.message),
      ),
  )

async function conversation(): Promise<{ client: MadeUser; id: string }> {
  const client = await makeUser(t.db)
  const { body } = await t.inject('POST', `${secure}/chats`, { token: client.token, body: { instituteId: institute.id } })
  return { client, id: (body as unknown as Chat)._id }
}
let keys = 0
const write = async (who: MadeUser, chatId: string, text: string): Promise<ChatMessage> =>
  (await t.inject('POST', `${secure}/messages`, { token: who.token, body: { chatId, text, clientId: `live-${keys++}-000` } }))
    .body as unknown as ChatMessage

describe('a request to become a socket', () => {
  /** The first line of what is answered. */
  const asks = (line: string): Promise<string> =>
    new Promise((done, fail) => {
      const socket = connect((t.app.server.address() as AddressInfo).port, '127.0.0.1')
      let text = ''
      socket
        .on('data', (chunk) => (text += chunk.toString()))
        .on('end', () => done(text.split('\r\n')[0] ?? ''))
        .on('error', fail)
      socket.write(`${line} HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade, close\r\nUpgrade: websocket\r\nContent-Length: 2\r\n\r\n{}`)
    })

  it('is answered as any other where there are none', async () => {
    expect(await asks('GET /api/v1/nothing-here')).toBe('HTTP/1.1 404 Not Found')
    expect(await asks('POST /api/v1/client/auth/login')).toMatch(/^HTTP\/1.1 4\d\d /)
    expect(await asks('DELETE /api/v1/secure/chats/x')).toMatch(/^HTTP\/1.1 4\d\d /)
    expect(await asks('GET /socket.io/?transport=websocket&EIO=4')).toBe('HTTP/1.1 400 Bad Request')
  })
})

describe('a socket', () => {
  it.each([['websocket'], ['polling']])('[C-27] [E-25] opens with the token of a session by %s, and with none other', async (transport) => {
    const { client } = await conversation()
    await connected(listen(client.token, { transports: [transport] }))
    expect(await refused(listen('x'.repeat(43), { transports: [transport] }))).toBe('unauthorized')
    expect(await refused(listen(undefined, { transports: [transport] }))).toBe('unauthorized')
    expect(await refused(listen(client.token, { transports: [transport], namespace: '' }))).toBe('unknown')
  })

  it('opens for no page of another site', async () => {
    const { client } = await conversation()
    await connected(listen(client.token, { headers: { origin: 'http://soigne.test' } }))
    expect(await refused(listen(client.token, { transports: ['polling'], headers: { origin: 'https://evil.example' } }))).toMatch(/error/)
  })

  it('closes within a second of the end of its session, however that came, and no other does', async () => {
    const { client } = await conversation()
    const other = await connected(listen((await conversation()).client.token))
    const heard = await connected(listen(client.token))
    await t.inject('POST', `${secure}/client/session/logout`, { token: client.token })
    await soon(() => expect(heard.socket.connected).toBe(false))
    const second = await connected(listen((await conversation()).client.token))
    await sql`delete from sessions where user_id = (select user_id from sessions order by created_at desc, id desc limit 1)`.execute(t.db)
    await soon(() => expect(second.socket.connected).toBe(false))
    expect(other.socket.connected).toBe(true)
  })
})

describe('a message', () => {
  it('[C-27] [E-21] is told to both sides after it was kept, and to nobody else', async () => {
    const { client, id } = await conversation()
    const [mine, theirs, stranger] = [
      await connected(listen(client.token)),
      await connected(listen(owner.token)),
      await connected(listen((await conversation()).client.token)),
    ]
    const sent = await write(client, id, 'Hello')
    for (const heard of [mine, theirs]) {
      await soon(() => expect(heard.of('newMessage')).toMatchObject([{ _id: sent._id, text: 'Hello', chatId: id }]))
      await soon(() =>
        expect(heard.of('updateChat')[0]).toMatchObject({ chatId: id, lastMessage: { _id: sent._id }, updatedAt: sent.createdAt }),
      )
    }
    // Those who hear nothing are asked something that is answered after it.
    expect((await stranger.ask('join', { chatId: id })).code).toBe('not_found')
    expect(stranger.events).toEqual([])
  })

  it('[E-06] [E-22] is delivered once it is on a screen of the other side, and read when it is opened', async () => {
    const { client, id } = await conversation()
    const mine = await connected(listen(client.token))
    await write(client, id, 'Are you there?')
    await soon(() => expect(mine.of('newMessage')).toMatchObject([{ status: 'sent' }]))
    const theirs = await connected(listen(owner.token))
    await write(client, id, 'Hello?')
    await soon(() => expect(mine.of('updateChat').at(-1)).toMatchObject({ lastMessage: { text: 'Hello?', status: 'delivered' } }))
    expect(await theirs.ask('read', { chatId: id })).toEqual({ ok: true })
    await soon(() => expect(mine.of('messagesRead')).toEqual([{ chatId: id, side: 'institute', seq: 2 }]))
    await soon(() => expect(mine.of('updateChat').at(-1)).toMatchObject({ lastMessage: { text: 'Hello?', status: 'read' } }))
    // Nothing was new: nothing is told.
    await theirs.ask('read', { chatId: id })
    await write(owner, id, 'Here')
    await soon(() => expect(mine.of('newMessage')).toHaveLength(3))
    expect(mine.of('messagesRead')).toHaveLength(1)
  })

  it('[E-06] said to somebody who was away is delivered once they have their conversations on a screen', async () => {
    const { client, id } = await conversation()
    const mine = await connected(listen(client.token))
    await write(client, id, 'Are you there?')
    await soon(() => expect(mine.of('newMessage')).toMatchObject([{ status: 'sent' }]))
    await t.inject('GET', `${secure}/chats?side=client`, { token: client.token })
    await t.inject('GET', `${secure}/chats?side=institute`, { token: owner.token })
    await soon(() => expect(mine.of('updateChat').at(-1)).toMatchObject({ lastMessage: { status: 'delivered' } }))
  })

  it('[E-24] that is being written by somebody who was blocked since is told to nobody', async () => {
    const { client, id } = await conversation()
    const person = await makePerson(t.db, institute.id, 'reception')
    const [mine, theirs, beside] = [
      await connected(listen(client.token)),
      await connected(listen(owner.token)),
      await connected(listen(person.token)),
    ]
    for (const one of [mine, theirs, beside]) await one.ask('join', { chatId: id })
    const signsOf = (userId: string) => theirs.of('typing').filter((one) => one['userId'] === userId).length
    /** Signs of the client, once one of a colleague has come after them. */
    const told = async (): Promise<number> => {
      const before = signsOf(person.id)
      await soon(async () => {
        await beside.ask('typing', { chatId: id })
        expect(signsOf(person.id)).toBeGreaterThan(before)
      })
      return signsOf(client.id)
    }
    await soon(async () => {
      await mine.ask('typing', { chatId: id })
      expect(signsOf(client.id)).toBeGreaterThan(0)
    })
    const before = await told()
    const block = (blocked: boolean) => t.inject('PUT', `${secure}/chats/${id}/block`, { token: owner.token, body: { blocked } })
    await block(true)
    for (let n = 0; n < 3; n++) expect(await mine.ask('typing', { chatId: id })).toEqual({ ok: true })
    await block(false)
    expect(await told()).toBe(before)
    await sql`insert into customers (institute_id, user_id, first_name, blocked_at) values (${institute.id}, ${client.id}, 'B', now())`.execute(
      t.db,
    )
    for (let n = 0; n < 3; n++) expect(await mine.ask('typing', { chatId: id })).toEqual({ ok: true })
    expect(await told()).toBe(before)
  })

  it('[E-24] that is being written is told to who has the conversation open, and not to its writer', async () => {
    const { client, id } = await conversation()
    const [mine, theirs] = [await connected(listen(client.token)), await connected(listen(owner.token))]
    expect((await mine.ask('typing', { chatId: id })).code).toBe('not_found')
    expect([await mine.ask('join', { chatId: id }), await theirs.ask('join', { chatId: id })]).toEqual([{ ok: true }, { ok: true }])
    // The connection that hears of other processes may still be on its way.
    let typed = 0
    await soon(async () => {
      await mine.ask('typing', { chatId: id })
      typed++
      expect(theirs.of('typing').at(-1)).toEqual({ chatId: id, userId: client.id })
    })
    expect(mine.of('typing')).toEqual([])
    const witness = await connected(listen(owner.token))
    await witness.ask('join', { chatId: id })
    await theirs.ask('leave', { chatId: id })
    const before = theirs.of('typing').length
    await mine.ask('typing', { chatId: id })
    await soon(() => expect(witness.of('typing').length).toBeGreaterThanOrEqual(1))
    expect([before <= typed, (await theirs.ask('typing', { chatId: id })).code]).toEqual([true, 'not_found'])
    expect(theirs.of('typing').length).toBeLessThanOrEqual(typed)
  })

  it('can be written no more once the site has stopped the conversation: both sides are told at once', async () => {
    const { client, id } = await conversation()
    const [mine, theirs] = [await connected(listen(client.token)), await connected(listen(owner.token))]
    await decideOnChat(t.db, { id, decision: 'stopped', now: t.clock.now() })
    spine.wake()
    for (const heard of [mine, theirs]) await soon(() => expect(heard.of('updateChat')).toMatchObject([{ chatId: id, lastMessage: null }]))
  })

  it('is heard by somebody from the moment they may answer, and no longer once they may not', async () => {
    const { client, id } = await conversation()
    const person = await makePerson(t.db, institute.id, 'reception')
    const heard = await connected(listen(person.token))
    await write(client, id, 'One')
    await soon(() => expect(heard.of('newMessage')).toHaveLength(1))
    await t.inject('DELETE', `${secure}/mysalon/members/${person.id}`, { token: owner.token })
    await soon(() => expect(heard.socket.connected).toBe(false))
    const again = await connected(listen(person.token))
    await write(client, id, 'Two')
    expect((await again.ask('join', { chatId: id })).code).toBe('not_found')
    expect(again.of('newMessage')).toEqual([])
  })
})

describe('what a socket should not send', () => {
  it('is refused in words, one by one, and whoever floods is let go while others are served', async () => {
    const [{ client, id }, calm] = [await conversation(), await conversation()]
    const [heard, other] = [await connected(listen(client.token)), await connected(listen(calm.client.token))]
    const code = async (name: string, payload?: unknown) => (await heard.ask(name, payload)).code
    expect([
      await code('join', { chatId: 'nothing' }),
      await code('join'),
      await code('dance', { chatId: id }),
      await code('constructor', {}),
      await code('join', { chatId: calm.id }),
      await code('read', { chatId: calm.id }),
    ]).toEqual(['bad_input', 'bad_input', 'not_found', 'not_found', 'not_found', 'not_found'])
    for (let n = 0; n < 400; n++) heard.socket.emit('join', { chatId: id })
    await soon(() => expect(heard.socket.connected).toBe(false))
    expect(await other.ask('join', { chatId: calm.id })).toEqual({ ok: true })
  })

  it('ends its connection when it is larger than any request, and nothing else', async () => {
    const [{ client }, calm] = [await conversation(), await conversation()]
    const [heard, other] = [await connected(listen(client.token)), await connected(listen(calm.client.token))]
    heard.socket.emit('join', { chatId: 'x'.repeat(200_000) })
    await soon(() => expect(heard.socket.connected).toBe(false))
    expect(await other.ask('join', { chatId: calm.id })).toEqual({ ok: true })
  })
})
