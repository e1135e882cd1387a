import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { askLive, closeLive, openLive, useIsLive, useLive } from './live-socket.ts'

type Transport = { prototype: { name: string } }
const namesOf = (transports: Transport[]) => transports.map(({ prototype }) => prototype.name)

/** Stands for the library: it keeps what it was asked for and says what it is told to. */
const library = vi.hoisted(() => ({
  asked: [] as { namespace: string; options: Record<string, unknown> }[],
  listeners: new Map<string, (payload?: unknown) => void>(),
  any: (_name: string, _payload: unknown): void => {},
  isEnded: false,
  /** Whether it tries again by itself. */
  active: false,
  connects: 0,
  /** How far the connection is, and by which way. */
  readyState: 'open',
  way: 'websocket',
  changes: new Map<string, () => void>(),
}))
vi.mock('socket.io-client', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  io(namespace: string, options: Record<string, unknown>) {
    library.asked.push({ namespace, options: { ...options, transports: namesOf(options['transports'] as Transport[]) } })
    return {
      io: {
        engine: {
          readyState: library.readyState,
          transport: { name: library.way },
          once: (name: string, listener: () => void) => library.changes.set(name, listener),
        },
      },
      get active() {
        return library.active
      },
      connect() {
        library.connects++
      },
      off() {},
      offAny() {},
      on: (name: string, listener: () => void) => library.listeners.set(name, listener),
      onAny(listener: (name: string, payload: unknown) => void) {
        library.any = listener
      },
      disconnect() {
        library.isEnded = true
      },
    }
  },
}))

afterEach(() => {
  cleanup()
  closeLive()
  vi.useRealTimers()
  library.active = false
  library.connects = 0
  library.asked.length = 0
  library.isEnded = false
  library.readyState = 'open'
  library.way = 'websocket'
})

function Seen({ told }: { told: unknown[] }) {
  useLive('typing', (payload) => void told.push(payload))
  return <p>{useIsLive() ? 'live' : 'away'}</p>
}
const say = (name: string, payload?: unknown) => act(() => library.listeners.get(name)?.(payload))

it('[K-04] [E-25] connects with the token of the session, and again after one to five seconds', async () => {
  await openLive('/chat', 'token-1')
  expect(library.asked).toEqual([
    {
      namespace: '/chat',
      options: {
        auth: { token: 'token-1' },
        transports: ['polling', 'websocket', 'webtransport'],
        reconnectionDelay: 1000,
        reconnectionDelayMax: 5000,
        randomizationFactor: 0.5,
        timeout: 20_000,
        forceNew: true,
      },
    },
  ])
  await openLive('/chat', 'token-1')
  expect(library.asked).toHaveLength(1)
  await openLive('/chat', 'token-2')
  expect([library.asked.length, library.isEnded]).toEqual([2, true])
})

it('[V-06] [E-25] a connection that fails is logged and counts as none', async () => {
  const info = vi.spyOn(console, 'info').mockImplementation(() => {})
  const told: unknown[] = []
  render(<Seen told={told} />)
  await openLive('/chat', 'token-3')
  say('connect')
  expect(await screen.findByText('live')).toBeTruthy()
  library.any('typing', { chatId: 'c', userId: 'u' })
  expect(told).toEqual([{ chatId: 'c', userId: 'u' }])
  say('connect_error', new Error('no way through'))
  await waitFor(() => expect(screen.getByText('away')).toBeTruthy())
  expect(info).toHaveBeenCalledWith('live connection:', 'no way through')
  expect(await askLive('read', { chatId: 'c' })).toBe(false)
})

it('[K-04] [E-25] comes back after it was refused, but not where its session is over, and not beside the library', async () => {
  vi.spyOn(console, 'info').mockImplementation(() => {})
  await openLive('/chat', 'token-refused')
  vi.useFakeTimers()
  const refusedWith = (code: string) => {
    say('connect_error', Object.assign(new Error(code), { data: { code } }))
    vi.advanceTimersByTime(5000)
    return library.connects
  }
  expect([refusedWith('unavailable'), refusedWith('too_many_requests'), refusedWith('unauthorized')]).toEqual([1, 2, 2])
  // Sent away by the server.
  say('disconnect')
  vi.advanceTimersByTime(999)
  expect(library.connects).toBe(2)
  vi.advanceTimersByTime(4001)
  expect(library.connects).toBe(3)
  library.active = true
  say('disconnect')
  say('connect_error', new Error('no line'))
  vi.advanceTimersByTime(60_000)
  expect(library.connects).toBe(3)
  library.active = false
  say('disconnect')
  closeLive()
  vi.advanceTimersByTime(60_000)
  expect(library.connects).toBe(3)
})

it('[E-25] ends with the session', async () => {
  render(<Seen told={[]} />)
  await openLive('/chat', 'token-4')
  say('connect')
  expect(await screen.findByText('live')).toBeTruthy()
  act(() => closeLive())
  expect([screen.queryByText('away') !== null, library.isEnded]).toEqual([true, true])
})

it.each(['upgrade', 'upgradeError', 'close'])('[U-05] a web socket on its way is not cut off: it ends after %s', async (change) => {
  library.way = 'polling'
  await openLive('/chat', `token-${change}`)
  closeLive()
  expect(library.isEnded).toBe(false)
  library.changes.get(change)?.()
  expect(library.isEnded).toBe(true)
})

it('[U-05] a connection that is only being made ends at once', async () => {
  library.way = 'polling'
  library.readyState = 'opening'
  await openLive('/chat', 'token-5')
  closeLive()
  expect(library.isEnded).toBe(true)
})

it('[E-25] comes with the line when its library did not', async () => {
  vi.resetModules()
  vi.doMock('socket.io-client', () => {
    throw new TypeError('Failed to fetch dynamically imported module')
  })
  const { openLive: open, closeLive: close } = await import('./live-socket.ts')
  await open('/chat', 'token-7')
  const io = vi.fn(() => ({ on() {}, onAny() {}, off() {}, offAny() {}, disconnect() {}, io: { engine: {} } }))
  vi.doMock('socket.io-client', () => ({ io, XHR: class {}, WebSocket: class {}, WebTransport: class {} }))
  dispatchEvent(new Event('online'))
  await waitFor(() => expect(io).toHaveBeenCalledTimes(1))
  // One that stands is left alone.
  dispatchEvent(new Event('online'))
  close()
  dispatchEvent(new Event('online'))
  expect(io).toHaveBeenCalledTimes(1)
  vi.doUnmock('socket.io-client')
})
