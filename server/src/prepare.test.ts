import type { AddressInfo } from 'node:net'
import { io } from 'socket.io-client'
import { expect, it } from 'vitest'
import { openBudgets } from './platform/budgets.ts'
import { startWork } from './prepare.ts'
import { openSockets } from './sockets.ts'
import { makeUser } from './testing/factories.ts'
import { openTestApp } from './testing/test-app.ts'

it('who connected before events were followed connects again once they are', async () => {
  const t = await openTestApp()
  const sockets = openSockets(t.context, t.app.server, openBudgets({}, 1))
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  const { token } = await makeUser(t.db)
  const url = `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}/chat`
  const client = io(url, { auth: { token }, transports: ['websocket'], reconnectionDelay: 1 })
  let connected = 0
  client.on('connect', () => void connected++)
  let work: Awaited<ReturnType<typeof startWork>> | null = null
  try {
    await expect.poll(() => connected).toBe(1)
    work = await startWork(t.context, {}, { sockets })
    await expect.poll(() => connected).toBe(2)
  } finally {
    await work?.stop()
    client.disconnect()
    await sockets.close()
    await t.close()
  }
})
