import { Duplex } from 'node:stream'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { Server } from 'socket.io'
import { io } from 'socket.io-client'
import { expect, it } from 'vitest'
import { sendTogether, writeTogether } from './live.ts'

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
