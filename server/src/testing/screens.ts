/** Screens that listen: sockets on a real port, against the real database, with what follows an event told at once. */
import type { AddressInfo } from 'node:net'
import { io, type Socket } from 'socket.io-client'
import { expect } from 'vitest'
import { openBudgets } from '#/platform/budgets.ts'
import { afterCommit, startSpine } from '#/platform/reactions.ts'
import { openSockets } from '#/sockets.ts'
import type { TestApp } from './test-app.ts'

export interface Screen {
  socket: Socket
  /** What it was told under a name, oldest first. */
  of(name: string): Record<string, unknown>[]
  /** An answer to this comes after all it was told before. */
  ask(name: string, payload?: unknown): Promise<{ ok: boolean; code?: string }>
}
export interface Screens {
  /** A screen of somebody, once it is connected. */
  of(user: { token: string }): Promise<Screen>
  close(): Promise<void>
}

export async function openScreens(t: TestApp): Promise<Screens> {
  const sockets = openSockets(t.context, t.app.server, openBudgets({}, 1))
  const spine = await startSpine(t.context, afterCommit([]), sockets.hear)
  t.context.live.onWake(() => spine.wake())
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}/chat`
  const opened: Socket[] = []
  return {
    async of({ token }) {
      const socket = io(url, { auth: { token }, transports: ['websocket'], forceNew: true, reconnection: false })
      opened.push(socket)
      const heard: { name: string; payload: Record<string, unknown> }[] = []
      socket.onAny((name: string, payload: Record<string, unknown>) => void heard.push({ name, payload }))
      await expect.poll(() => socket.connected).toBe(true)
      return {
        socket,
        of: (name) => heard.filter((one) => one.name === name).map(({ payload }) => payload),
        ask: (name, payload) => socket.emitWithAck(name, payload) as Promise<{ ok: boolean; code?: string }>,
      }
    },
    async close() {
      for (const socket of opened) socket.disconnect()
      await spine.stop()
      await sockets.close()
    },
  }
}
