import { Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { writeTogether } from './live.ts'

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
