// The live connection of whoever is signed in. What happens while it is away is read again by those who listen for `back`.
import type { ChatEvents, ChatRequest, SocketAnswer } from '@soigne/contract/chat'
import type { DiaryChanged } from '@soigne/contract/diary'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { Socket } from 'socket.io-client'
import { patientWebSocket } from './patient-web-socket.ts'

/** What the server tells, and `back`: connected, for the first time or again. */
interface LiveEvents extends ChatEvents {
  back: undefined
  /** Something of the institute's calendar is different now. */
  diaryChanged: DiaryChanged
}
type Listener = (payload: never) => void

const listeners = new Map<string, Set<Listener>>()
const watchers = new Set<() => void>()
let socket: Socket | null = null
let wanted: string | null = null
let isOn = false

function tell(name: string, payload: unknown): void {
  for (const listener of listeners.get(name) ?? []) (listener as (payload: unknown) => void)(payload)
}

function setOn(next: boolean): void {
  if (isOn === next) return
  isOn = next
  for (const watcher of watchers) watcher()
}

/** Between being refused and asking again, as long as the library waits after a line that broke. */
const pause = { leastMs: 1000, mostMs: 5000 }
function pauseMs(): number {
  const [random = 0] = crypto.getRandomValues(new Uint16Array(1))
  return pause.leastMs + (random / 65_535) * (pause.mostMs - pause.leastMs)
}

/** Connects to a namespace with the token of a session; the library comes when it is needed, or with the line that broke on its way. */
export async function openLive(namespace: string, token: string): Promise<void> {
  if (wanted === token) return
  closeLive()
  wanted = token
  const library = await import('socket.io-client').catch(() => null)
  if (wanted !== token) return
  if (!library) {
    const again = () => {
      if (wanted !== token || socket) return
      wanted = null
      void openLive(namespace, token)
    }
    addEventListener('online', again, { once: true })
    return
  }
  const next = library.io(namespace, {
    auth: { token },
    transports: [library.XHR, patientWebSocket(library.WebSocket), library.WebTransport],
    reconnectionDelay: pause.leastMs,
    reconnectionDelayMax: pause.mostMs,
    randomizationFactor: 0.5,
    timeout: 20_000,
    forceNew: true,
  })
  socket = next
  next.on('connect', () => {
    setOn(true)
    tell('back', undefined)
  })
  /** Refused at the door, or sent away, the library does not come back by itself: the database may have been away. */
  const comeBack = () => void (next.active || setTimeout(() => void (socket === next && next.connect()), pauseMs()))
  next.on('disconnect', () => {
    setOn(false)
    comeBack()
  })
  next.on('connect_error', (error: Error & { data?: { code?: string } }) => {
    // Nothing is lost: it goes on by asking, and connects again.
    console.info('live connection:', error.message)
    setOn(false)
    // Its session is over.
    if (error.data?.code !== 'unauthorized') comeBack()
  })
  next.onAny(tell)
}

/** Longest that a connection which may be changing its way is waited for. */
const upgradeMs = 10_000

/** Ends a connection that nobody hears any more; a web socket on its way comes first, for the server would refuse it afterwards. */
function letGo(old: Socket): void {
  old.off()
  old.offAny()
  const { engine } = old.io
  if (engine.readyState !== 'open' || engine.transport.name !== 'polling') return void old.disconnect()
  const end = () => {
    clearTimeout(timer)
    old.disconnect()
  }
  const timer = setTimeout(end, upgradeMs)
  for (const name of ['upgrade', 'upgradeError', 'close'] as const) engine.once(name, end)
}

export function closeLive(): void {
  wanted = null
  if (socket) letGo(socket)
  socket = null
  setOn(false)
}

/** Asks over the socket; false when there is none, or the server said no. */
export async function askLive(request: ChatRequest, payload: { chatId: string }): Promise<boolean> {
  if (!socket?.connected) return false
  try {
    const answer = (await socket.timeout(5000).emitWithAck(request, payload)) as SocketAnswer
    return answer.ok
  } catch {
    return false
  }
}

function listen(name: keyof LiveEvents, listener: Listener): () => void {
  const all = listeners.get(name) ?? new Set()
  listeners.set(name, all.add(listener))
  return () => void all.delete(listener)
}

/** Calls back for as long as the component is there. */
export function useLive<Name extends keyof LiveEvents>(name: Name, listener: (payload: LiveEvents[Name]) => void): void {
  const latest = useEffectEvent(listener)
  useEffect(() => listen(name, (payload: LiveEvents[Name]) => latest(payload)), [name])
}

/** Whether the connection stands. */
export const useIsLive = (): boolean =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    () => isOn,
    () => false,
  )
