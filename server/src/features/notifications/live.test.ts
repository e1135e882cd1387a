/** The bell over sockets on a real port. */
import type { AddressInfo } from 'node:net'
import { io, type Socket } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openBudgets } from '#/platform/budgets.ts'
import type { Follower } from '#/platform/events.ts'
import type { Sockets } from '#/platform/live.ts'
import { afterCommit, startSpine } from '#/platform/reactions.ts'
import { openSockets } from '#/sockets.ts'
import { bookVisit, wall } from '#/testing/booking.ts'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const path = '/api/v1/secure/notifications'
let t: TestApp
let sockets: Sockets
let spine: Follower
let url = ''
const opened: Socket[] = []
beforeAll(async () => {
  t = await openTestApp({ at: '2026-11-20T11:00:00Z' })
  sockets = openSockets(t.context, t.app.server, openBudgets({}, 1))
  spine = await startSpine(t.context, afterCommit([]), sockets.hear)
  t.context.live.onWake(() => spine.wake())
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}`
})
afterEach(() => {
  for (const socket of opened.splice(0)) socket.disconnect()
})
afterAll(async () => {
  await spine.stop()
  await sockets.close()
  await t.close()
})

/** What a connected socket hears of the bell, from now on. */
async function listen(token: string): Promise<number[]> {
  const socket = io(`${url}/chat`, { auth: { token }, transports: ['websocket'], forceNew: true, reconnection: false })
  opened.push(socket)
  const heard: number[] = []
  socket.on('notification', ({ unread }: { unread: number }) => void heard.push(unread))
  await expect.poll(() => socket.connected, { interval: 10 }).toBe(true)
  return heard
}
const last = (heard: number[]) => expect.poll(() => heard.at(-1), { interval: 10 })

test('[C-27] a booking rings the bells of client and owner on all their screens, reading it quiets them, and nobody else hears', async () => {
  const owner = await makeUser(t.db, { role: 'isPro' })
  const institute = await makeInstitute(t.db, { ownerId: owner.id })
  const [client, stranger] = [await makeUser(t.db), await makeUser(t.db)]
  const [phone, desk] = [await listen(client.token), await listen(client.token)]
  const [salon, other] = [await listen(owner.token), await listen(stranger.token)]
  await bookVisit(t, client, institute, { startsAt: wall('2026-11-24T10:00') })
  await t.drainJobs()
  for (const heard of [phone, desk, salon]) await last(heard).toBe(1)

  const { body } = await t.inject('GET', path, { token: client.token })
  const [{ id } = { id: '' }] = (body as unknown as { items: { id: string }[] }).items
  await t.inject('PUT', `${path}/${id}/read`, { token: client.token })
  for (const heard of [phone, desk]) await last(heard).toBe(0)
  const told = phone.length

  // Nothing changes: nothing is told. The owner hears of what they did afterwards, so all before it was told.
  await t.inject('PUT', `${path}/${id}/read`, { token: client.token })
  await t.inject('PUT', `${path}/read-all`, { token: client.token })
  await t.inject('PUT', `${path}/read-all`, { token: owner.token })
  await last(salon).toBe(0)
  expect([phone.length, other]).toEqual([told, []])
})

test('a notification that is removed is counted no more', async () => {
  const client = await makeUser(t.db)
  await bookVisit(t, client, await makeInstitute(t.db), { startsAt: wall('2026-11-24T12:00') })
  await t.drainJobs()
  const heard = await listen(client.token)
  const { body } = await t.inject('GET', path, { token: client.token })
  const [{ id } = { id: '' }] = (body as unknown as { items: { id: string }[] }).items
  await t.inject('DELETE', `${path}/${id}`, { token: client.token })
  await last(heard).toBe(0)
})
