import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Chat, ChatMessage } from '@soigne/contract/chat'
import { bookVisit } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { noise, pdf, plain } from '#/testing/pictures.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const secure = '/api/v1/secure'
let t: TestApp
let owner: MadeUser
let institute: MadeInstitute
let keys = 0
beforeAll(async () => {
  t = await openTestApp()
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { ownerId: owner.id })
})
afterAll(() => t.close())

type Who = Pick<MadeUser, 'token'>
async function call<T>(who: Who, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) {
  const answer = await t.inject(method, `${secure}${path}`, { token: who.token, ...(body !== undefined && { body }) })
  return { status: answer.status, body: answer.body as unknown as T }
}
const openChat = async (client: Who, at = institute): Promise<Chat> =>
  (await call<Chat>(client, 'POST', '/chats', { instituteId: at.id })).body
const write = (who: Who, chatId: string, text: string, clientId = `key-${keys++}-0000`) =>
  call<ChatMessage>(who, 'POST', '/messages', { chatId, text, clientId })
const read = async (who: Who, chatId: string, query = ''): Promise<{ items: ChatMessage[]; total: number }> =>
  (await call<{ items: ChatMessage[]; total: number }>(who, 'GET', `/messages/${chatId}${query}`)).body
const listed = async (who: Who, query = ''): Promise<{ items: Chat[]; total: number; unread: number }> =>
  (await call<{ items: Chat[]; total: number; unread: number }>(who, 'GET', `/chats${query}`)).body
const texts = ({ items }: { items: ChatMessage[] }) => items.map(({ text }) => text)

async function sendFile(who: Who, chatId: string, bytes: Uint8Array, name = 'file') {
  const part = (field: string, value: string) => `--edge\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`
  const head = `${part('chatId', chatId)}${part('clientId', `key-${keys++}-0000`)}--edge\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`
  const answer = await t.inject('POST', `${secure}/messages`, {
    token: who.token,
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--edge--\r\n')]),
    headers: { 'content-type': 'multipart/form-data; boundary=edge' },
  })
  return { status: answer.status, body: answer.body as unknown as ChatMessage & { code: string } }
}

describe('a conversation', () => {
  it('[C-11] [E-05] is one for a person and an institute, however often it is opened', async () => {
    const client = await makeUser(t.db)
    const first = await call<Chat>(client, 'POST', '/chats', { instituteId: institute.id })
    expect([first.status, first.body.lastMessage, first.body.side]).toEqual([201, null, 'client'])
    const again = await Promise.all([1, 2, 3].map(() => openChat(client)))
    expect(new Set(again.map(({ _id }) => _id))).toEqual(new Set([first.body._id]))
    // The institute is shown nothing before something was said.
    expect((await listed(owner, '?side=institute&search=&archived=')).items.map(({ _id }) => _id)).not.toContain(first.body._id)
  })

  it('is not opened with a listing nobody answers for, one that is closed, or the institute one works for', async () => {
    const client = await makeUser(t.db)
    const unclaimed = await makeInstitute(t.db)
    await sql`update institutes set claimed = false where id = ${unclaimed.id}`.execute(t.db)
    const closed = await makeInstitute(t.db)
    await sql`update institutes set state = 'suspended' where id = ${closed.id}`.execute(t.db)
    const status = async (who: Who, id: string) => (await call(who, 'POST', '/chats', { instituteId: id })).status
    expect([await status(client, unclaimed.id), await status(client, closed.id), await status(owner, institute.id)]).toEqual([
      422, 404, 403,
    ])
  })

  it('[C-10] [C-14] [C-15] [E-05] [E-06] goes both ways, and each side sees how far the other has come', async () => {
    const client = await makeUser(t.db)
    const { _id: id } = await openChat(client)
    const sent = await write(client, id, '  Do you have time on Friday?  ')
    expect(sent).toMatchObject({
      status: 201,
      body: { text: 'Do you have time on Friday?', side: 'client', senderId: client.id, status: 'sent', seq: 1 },
    })
    const inList = (await listed(owner, '?side=institute')).items.find(({ _id }) => _id === id)
    expect(inList).toMatchObject({
      _id: id,
      unread: 1,
      side: 'institute',
      lastMessage: { text: 'Do you have time on Friday?', senderId: client.id },
    })
    await write(owner, id, 'At 15:00?')
    expect((await listed(client)).items[0]).toMatchObject({ unread: 1, lastMessage: { side: 'institute', status: 'sent' } })
    expect((await listed(client)).unread).toBe(1)
    expect(texts(await read(client, id))).toEqual(['Do you have time on Friday?', 'At 15:00?'])
    const statuses = async () => (await read(client, id)).items.map(({ status }) => status)
    // Both have had them in their lists.
    await expect.poll(statuses, { interval: 10 }).toEqual(['delivered', 'delivered'])
    expect((await call(owner, 'PUT', `/chats/${id}/read`)).status).toBe(200)
    // Reading marks the other side's messages; one's own are as they were.
    expect(await statuses()).toEqual(['read', 'delivered'])
    expect((await call<Chat>(owner, 'GET', `/chats/${id}`)).body.unread).toBe(0)
    await call(client, 'PUT', `/chats/${id}/read`)
    expect(await statuses()).toEqual(['read', 'read'])
    expect((await listed(client)).unread).toBe(0)
  })

  it('keeps one message of a key however often it is sent, also at once', async () => {
    const client = await makeUser(t.db)
    const { _id: id } = await openChat(client)
    const answers = await Promise.all([1, 2, 3, 4].map(() => write(client, id, 'Once', 'the-same-key')))
    expect(new Set(answers.map(({ body }) => body._id)).size).toBe(1)
    expect(texts(await read(owner, id))).toEqual(['Once'])
    expect((await call<Chat>(owner, 'GET', `/chats/${id}`)).body.unread).toBe(1)
    // Of another sender the key is another.
    await write(owner, id, 'Mine', 'the-same-key')
    expect(texts(await read(client, id))).toEqual(['Once', 'Mine'])
  })

  it('[C-15] is read page by page backwards, and what was missed forwards, without gap or double while more comes', async () => {
    const client = await makeUser(t.db)
    const { _id: id } = await openChat(client)
    for (let n = 1; n <= 25; n++) await write(n % 3 === 0 ? owner : client, id, String(n))
    const newest = await read(client, id, '?page=1&pageSize=10')
    expect([texts(newest), newest.total]).toEqual([Array.from({ length: 10 }, (_, n) => String(n + 16)), 25])
    await write(owner, id, '26')
    const older = await read(client, id, `?pageSize=10&before=${newest.items[0]?.seq}`)
    expect(texts(older)).toEqual(Array.from({ length: 10 }, (_, n) => String(n + 6)))
    expect(texts(await read(client, id, '?after=23&pageSize=50'))).toEqual(['24', '25', '26'])
    expect(texts(await read(client, id, '?page=3&pageSize=10'))).toEqual(['1', '2', '3', '4', '5', '6'])
  })

  it('[C-12] [C-13] [E-21] is put away and back, deleted for one side, and begun anew by the next message', async () => {
    const client = await makeUser(t.db)
    const { _id: id } = await openChat(client)
    await write(client, id, 'First')
    const toggle = async () => (await call<{ isArchived: boolean }>(client, 'PUT', `/chats/toggle-archive/${id}`)).body.isArchived
    expect(await toggle()).toBe(true)
    expect([(await listed(client)).total, (await listed(client, '?archived=true')).total]).toEqual([0, 1])
    expect(await toggle()).toBe(false)
    await toggle()
    await write(owner, id, 'Second')
    expect((await listed(client)).total).toBe(1)
    expect((await call(client, 'DELETE', `/chats/${id}`)).status).toBe(200)
    expect([(await listed(client)).total, (await read(client, id)).total, (await read(owner, id)).total]).toEqual([0, 0, 2])
    await write(owner, id, 'Third')
    expect(texts(await read(client, id))).toEqual(['Third'])
    expect((await listed(client)).items[0]).toMatchObject({ unread: 1, lastMessage: { text: 'Third' } })
  })

  it('[C-09] is found by the name of the other side and by what was said, and the last partners come first', async () => {
    const client = await makeUser(t.db)
    const [one, two] = [await makeInstitute(t.db, { name: 'Studio 100%' }), await makeInstitute(t.db, { name: 'Maison Rive' })]
    const [a, b] = [await openChat(client, one), await openChat(client, two)]
    await write(client, a._id, 'Do you colour eyebrows?')
    t.clock.advance(1000)
    await write(client, b._id, 'See you tomorrow')
    const found = async (search: string) => (await listed(client, `?search=${encodeURIComponent(search)}`)).items.map(({ _id }) => _id)
    expect([await found('EYEBROWS'), await found('rive'), await found('100%'), await found('%')]).toEqual([
      [a._id],
      [b._id],
      [a._id],
      [a._id],
    ])
    const partners = await call<{ items: { name: string }[] }>(client, 'GET', '/chats/recent-partners?search=&limit=5')
    expect(partners.body.items.map(({ name }) => name)).toEqual(['Maison Rive', 'Studio 100%'])
    expect((await call<{ items: unknown[] }>(owner, 'GET', '/chats/recent-partners?side=institute&limit=1')).body.items).toHaveLength(1)
  })

  it('[C-09] is found by a name without its accents, and without the marks of Arabic', async () => {
    const client = await makeUser(t.db)
    const names = ['L’Élysée', 'صالون أحمد']
    const [french, arabic] = await Promise.all(names.map(async (name) => openChat(client, await makeInstitute(t.db, { name }))))
    for (const chat of [french, arabic]) await write(client, chat?._id ?? '', '👋')
    const found = async (search: string) => (await listed(client, `?search=${encodeURIComponent(search)}`)).items.map(({ _id }) => _id)
    expect([await found('elysee'), await found('احمد'), await found('👋👋')]).toEqual([[french?._id], [arabic?._id], []])
  })

  it('in which one side has blocked the other takes no message, and says which side only to that side', async () => {
    const client = await makeUser(t.db)
    const { _id: id } = await openChat(client)
    await write(client, id, 'Hello')
    expect((await call(client, 'PUT', `/chats/${id}/block`, { blocked: true })).status).toBe(200)
    expect([(await write(owner, id, 'Again')).status, (await write(client, id, 'Me')).status]).toEqual([403, 403])
    const chat = async (who: Who) => (await call<Chat>(who, 'GET', `/chats/${id}`)).body.isBlocked
    expect([await chat(client), await chat(owner)]).toEqual([true, false])
    await call(client, 'PUT', `/chats/${id}/block`, { blocked: false })
    expect((await write(owner, id, 'Again')).status).toBe(201)
    expect((await call(owner, 'POST', `/chats/${id}/report`, { reason: 'Rude' })).status).toBe(201)
    const { rows } = await sql`select reason, seq from chat_reports where chat_id = ${id}`.execute(t.db)
    expect(rows).toEqual([{ reason: 'Rude', seq: 2 }])
  })

  it('is answered by owner, manager and reception, and shown to no other member of the team', async () => {
    const client = await makeUser(t.db)
    const { _id: id } = await openChat(client)
    await write(client, id, 'Hello')
    const [reception, staff] = [await makePerson(t.db, institute.id, 'reception'), await makePerson(t.db, institute.id, 'staff')]
    expect((await write(reception, id, 'Good morning')).status).toBe(201)
    expect([(await write(staff, id, 'Me too')).status, (await call(staff, 'GET', `/messages/${id}`)).status]).toEqual([404, 404])
    expect((await call(staff, 'GET', '/chats?side=institute')).status).toBe(403)
  })
})

describe('a message', () => {
  it('[C-16] [E-06] carries a picture, made anew, or a PDF; both are listed apart', async () => {
    const client = await makeUser(t.db)
    const { _id: id } = await openChat(client)
    const picture = await sendFile(client, id, await plain('jpeg', 900, 600))
    expect(picture.body.media).toMatchObject({
      type: 'image',
      width: 900,
      height: 600,
      url: expect.stringMatching(/^\/files\/private\/\w+\.webp\?/),
    })
    const document = await sendFile(owner, id, pdf(), 'Care sheet.pdf')
    expect(document.body.media).toMatchObject({ type: 'document', name: 'Care sheet.pdf' })
    await write(client, id, 'Thanks')
    const media = async (query: string) => (await read(client, `media/${id}`, query)).items.map(({ media: one }) => one?.type)
    expect([await media(''), await media('?type=image'), await media('?type=document&page=1')]).toEqual([
      ['document', 'image'],
      ['image'],
      ['document'],
    ])
    expect((await t.app.inject({ method: 'GET', url: picture.body.media?.url ?? '' })).statusCode).toBe(200)
    expect((await t.app.inject({ method: 'GET', url: (picture.body.media?.url ?? '').split('?')[0] ?? '' })).statusCode).toBe(404)
  })

  it('with anything else in it is refused, and leaves nothing', async () => {
    const client = await makeUser(t.db)
    const { _id: id } = await openChat(client)
    expect((await sendFile(client, id, noise(5000), 'photo.jpg')).status).toBe(415)
    expect((await sendFile(client, id, Buffer.from('<script>alert(1)</script>'), 'a.pdf')).status).toBe(415)
    const bare = (body: object) => call<{ details: unknown }>(client, 'POST', '/messages', { chatId: id, clientId: 'key-bad-000', ...body })
    expect([(await bare({})).status, (await bare({ text: '   ' })).status, (await bare({ text: 'x'.repeat(4001) })).status]).toEqual([
      400, 400, 400,
    ])
    expect((await bare({ text: 'a\u0000b' })).status).toBe(400)
    expect((await read(client, id)).total).toBe(0)
  })

  it('shows a visit of the two, as it stands when it is read, and no other', async () => {
    const client = await makeUser(t.db)
    const { _id: id } = await openChat(client)
    const visit = await bookVisit(t, client, institute, { startsAt: '2026-11-24T09:00:00Z' })
    const share = (appointmentId: string, clientId: string) =>
      call<ChatMessage>(client, 'POST', '/messages', { chatId: id, clientId, appointmentId })
    expect((await share(visit._id, 'key-visit-1')).body.visit).toMatchObject({
      appointmentId: visit._id,
      startsAt: '2026-11-24T09:00:00.000Z',
      isCancelled: false,
    })
    expect((await call<Chat>(client, 'GET', `/chats/${id}`)).body.isAcquainted).toBe(true)
    await call(client, 'PUT', `/appointments/${visit._id}/cancel`)
    expect((await read(owner, id)).items[0]?.visit?.isCancelled).toBe(true)
    const stranger = await makeUser(t.db)
    const other = await bookVisit(t, stranger, institute, { startsAt: '2026-11-24T12:00:00Z' })
    expect((await share(other._id, 'key-visit-2')).status).toBe(404)
  })

  it('offers a time of the institute that is free when it is written, once for a key, and by the institute alone', async () => {
    const client = await makeUser(t.db)
    const { _id: id } = await openChat(client)
    const [service] = institute.services
    const offer = (who: Who, clientId: string, startsAt: string, more: object = {}) =>
      call<ChatMessage & { code: string }>(who, 'POST', `/mysalon/chats/${id}/free-times`, {
        clientId,
        services: [{ serviceId: service, ...more }],
        startsAt,
      })
    const made = await offer(owner, 'key-offer-1', '2026-11-25T10:00:00Z', { staffId: institute.members[0] })
    expect(made.body.freeTime).toMatchObject({
      startsAt: '2026-11-25T10:00:00.000Z',
      timeZone: 'Europe/Paris',
      services: [{ serviceId: service, staffId: institute.members[0], name: { en: expect.any(String) }, staffName: expect.any(String) }],
    })
    const refusals = [
      await offer(client, 'key-offer-2', '2026-11-25T10:00:00Z'),
      await offer(owner, 'key-offer-3', '2026-11-25T02:00:00Z'),
      await offer(owner, 'key-offer-4', '2026-11-20T10:00:00Z'),
      await offer(owner, 'key-offer-5', '2026-11-25T10:00:00Z', { staffId: '019b8d2b-8c00-7cc5-9521-000000000000' }),
    ]
    expect(refusals.map(({ status, body }) => `${status} ${body.code}`)).toEqual([
      '403 forbidden',
      '409 slot_taken',
      '409 slot_taken',
      '404 not_found',
    ])
    // It holds nothing: the first who books it has it, and the same key still gives what was said.
    await bookVisit(t, await makeUser(t.db), institute, { startsAt: '2026-11-25T10:00:00Z', lines: [[0, 0]] })
    const again = await offer(owner, 'key-offer-1', '2026-11-25T10:00:00Z', { staffId: institute.members[0] })
    expect([again.status, again.body._id]).toEqual([201, made.body._id])
    expect((await offer(owner, 'key-offer-6', '2026-11-25T10:00:00Z', { staffId: institute.members[0] })).status).toBe(409)
    expect((await read(client, id)).items.map(({ freeTime }) => freeTime?.startsAt)).toEqual(['2026-11-25T10:00:00.000Z'])
  })

  it('[E-06] of many at once takes its own place: no gap, no double', async () => {
    const client = await makeUser(t.db)
    const { _id: id } = await openChat(client)
    await Promise.all(Array.from({ length: 40 }, (_, n) => write(n % 2 ? owner : client, id, String(n))))
    const { items } = await read(client, id, '?pageSize=50')
    expect(items.map(({ seq }) => seq)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1))
    const { rows } = await sql`select last_seq, client_unread, institute_unread from chats where id = ${id}`.execute(t.db)
    expect(rows).toEqual([{ last_seq: 40, client_unread: 20, institute_unread: 20 }])
  })
})
