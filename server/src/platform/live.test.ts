import { Duplex } from 'node:stream'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { Server } from 'socket.io'
import { io } from 'socket.io-client'
import { expect, it } from 'vitest'
import type { SpineEvent } from './events.ts'
import { type Door, mountSockets, sendTogether, writeTogether } from './live.ts'
import { openLog } from './log.ts'

it('what is told within a turn leaves a socket in one piece, and what is told later in another', async () => {
  const pieces: string[] = []
  const socket = new Duplex({
    read() {},
    writev(chunks, done) {
      pieces.push(chunks.map(({ chunk }) => String(chunk)).join(''))
      done()
    },
  })
  writeTogether(socket)
  // As the library of web sockets writes a frame.
  const frame = (text: string): void => {
    socket.cork()
    socket.write('head ')
    socket.write(`${text} `)
    socket.uncork()
  }
  frame('message')
  frame('chat')
  await turn()
  expect(pieces).toEqual(['head message head chat '])
  frame('read')
  await turn()
  expect(pieces).toEqual(['head message head chat ', 'head read '])
})

it('two events that are told within a turn are one write to the network', async () => {
  const http = createServer()
  let writes = 0
  http.prependListener('upgrade', (_request, socket) => {
    writeTogether(socket)
    for (const name of ['_write', '_writev'] as const) {
      const write = socket[name]?.bind(socket) as (...given: unknown[]) => void
      Object.assign(socket, { [name]: (...given: unknown[]) => (writes++, write(...given)) })
    }
  })
  const server = new Server(http)
  server.engine.on('connection', sendTogether)
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done))
  const client = io(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, { transports: ['websocket'] })
  try {
    await new Promise<void>((done) => void client.once('connect', done))
    const heard: string[] = []
    client.onAny((name: string) => void heard.push(name))
    const before = writes
    server.emit('message')
    server.emit('chat')
    await expect.poll(() => heard).toEqual(['message', 'chat'])
    expect(writes - before).toBe(1)
    server.emit('read')
    await expect.poll(() => heard).toEqual(['message', 'chat', 'read'])
    expect(writes - before).toBe(2)
  } finally {
    client.disconnect()
    await server.close()
  }
})

it('who could not be told of something connects again, to read what was missed', async () => {
  const http = createServer()
  let isBroken = false
  const door = {
    namespace: '/chat',
    enter: async () => ({ identity: { userId: 'u', sessionId: 's' }, scope: {}, rooms: ['user:u'] }),
    ended: async () => [],
    take: () => {},
    origin: () => 'http://127.0.0.1',
    say: (code: string) => code,
    signal: () => {},
  } as unknown as Door
  const tell = async () => {
    if (isBroken) throw new Error('no answer')
    return [{ rooms: ['user:u'], event: 'told', payload: 1 }]
  }
  const sockets = mountSockets(http, { log: openLog('silent') }, { door, calls: {}, answers: [{ kinds: ['test'], tell }] })
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done))
  const client = io(`http://127.0.0.1:${(http.address() as AddressInfo).port}/chat`, {
    transports: ['websocket'],
    auth: { token: 't' },
    reconnectionDelay: 1,
  })
  try {
    let [connected, told] = [0, 0]
    client.on('connect', () => void connected++)
    client.on('told', () => void told++)
    await expect.poll(() => connected).toBe(1)
    const event = {
      id: 1,
      kind: 'test',
      instituteId: null,
      subjectId: null,
      actor: { kind: 'system', job: 'test' },
      payload: {},
      at: '2026-11-20T11:00:00Z',
    } as SpineEvent
    sockets.hear([event])
    await expect.poll(() => told).toBe(1)
    expect(connected).toBe(1)
    isBroken = true
    sockets.hear([event])
    await expect.poll(() => connected).toBe(2)
    isBroken = false
    sockets.hear([event])
    await expect.poll(() => told).toBe(2)
  } finally {
    client.disconnect()
    await sockets.close()
    http.close()
  }
})
