/**
 * What happens, on the screens of those it concerns: sockets of signed-in people. Every process reads the events (`events.ts`) and tells its own
 * sockets, so that something is told after it was committed, and by whichever process a person is connected to.
 */
import type { IncomingMessage, Server as HttpServer } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RefusalCode } from '@soigne/contract/refusals'
import { type DefaultEventsMap, type Namespace, Server, type Socket } from 'socket.io'
import type * as z from 'zod/mini'
import type { Identity, SelfScope } from './access.ts'
import type { SpineEvent } from './events.ts'
import type { Log } from './log.ts'
import { RefusalError, refuse } from './refuse.ts'

/** Something that is told to rooms. */
export interface Emission {
  rooms: readonly string[]
  event: string
  payload: unknown
}

/** All sockets of one person. */
export const roomOfUser = (userId: string): string => `user:${userId}`

/** What follows events at once on screens; it only reads. */
export interface LiveAnswer<Context> {
  kinds: readonly string[]
  /** @param isAnyone whether one of these rooms has a socket of this process */
  tell(context: Context, events: readonly SpineEvent[], isAnyone: (room: string) => boolean): Promise<Emission[]>
}

/** Somebody's socket, as far as those who answer it may know. */
export interface Visitor {
  scope: SelfScope
  isIn(room: string): boolean
  join(room: string): void
  leave(room: string): void
  /** To everybody in a room but this socket, in every process; it may be lost. */
  hint(room: string, event: string, payload: unknown): void
}

/** A request over the socket; what it takes is checked before it is answered. */
export interface SocketCall<Context, Input = never> {
  input: z.ZodMiniType
  answer: (context: Context, input: Input, visitor: Visitor) => Promise<void>
}

export interface Door {
  namespace: string
  /** @throws unauthorized */
  enter(token: string): Promise<{ identity: Identity; scope: SelfScope; rooms: readonly string[] }>
  /** Of these sessions, those that have ended meanwhile. */
  ended(sessions: readonly string[]): Promise<readonly string[]>
  /** Spends what a network may spend on opening a socket. @throws too_many_requests */
  take(request: IncomingMessage): void
  origin(): string
  /** A refusal in words. */
  say(code: RefusalCode, locale: string | undefined): string
  /** To other processes. */
  signal(signal: unknown): void
}

export interface Live {
  /** Something was committed here: it is looked for at once. */
  wake(): void
  /** Who is woken. */
  onWake(wake: () => void): void
}

/** Until somebody listens, waking does nothing. */
export function openLive(): Live {
  let wake = (): void => {}
  return { wake: () => wake(), onWake: (next) => void (wake = next) }
}

/** Requests that a socket may have at once, and each second after. */
const requests = { most: 40, perSecond: 15 }
/** Refusals in a row after which it is let go. */
const mostRefused = 200
/** Sockets of one person in one process: tabs, telephones, and those that are not known to be gone. */
const mostSockets = 40
const lookMs = 400

interface Told {
  identity: Identity
  scope: SelfScope
}
type Wire = Socket<DefaultEventsMap, DefaultEventsMap, DefaultEventsMap, Told>
type Place = Namespace<DefaultEventsMap, DefaultEventsMap, DefaultEventsMap, Told>

/** True while a socket sends no faster than a person and their telephone do. */
function purse(): () => boolean {
  let [left, at] = [requests.most, performance.now()]
  return () => {
    const now = performance.now()
    left = Math.min(requests.most, left + ((now - at) / 1000) * requests.perSecond)
    at = now
    if (left < 1) return false
    left--
    return true
  }
}

type Acknowledge = (answer: { ok: true } | { ok: false; code: string; message: string }) => void

export interface Sockets {
  /** In the order they are given; nobody waits for it. */
  hear(events: readonly SpineEvent[]): void
  hearSignal(signal: unknown): void
  isAnyone(room: string): boolean
  /** Lets go of the sockets in a room, or of all, which connect again by themselves. */
  reconnect(room?: string): void
  close(): Promise<void>
}

const isOpen = (request: IncomingMessage, origin: string): boolean => {
  const from = request.headers.origin
  return from === undefined || from === origin || new URL(from).host === request.headers.host
}

const socketPath = '/socket.io/'
export const isForSockets = (url: string | undefined): boolean => url?.startsWith(socketPath) === true

function openServer(http: HttpServer, door: Door): Server {
  return new Server(http, {
    path: socketPath,
    // What is sent is an id or two; messages are posted.
    maxHttpBufferSize: 20_000,
    connectTimeout: 20_000,
    transports: ['polling', 'websocket'],
    serveClient: false,
    allowRequest(request, decide) {
      try {
        if (!isOpen(request, door.origin())) return decide('origin', false)
        if (!/[?&]sid=/.test(request.url ?? '')) door.take(request)
        decide(null, true)
      } catch {
        decide('refused', false)
      }
    },
  })
}

/**
 * What is written to a socket within a turn leaves it in one piece: a message is told as two frames, and a system call for each costs more than making it.
 * The library corks the socket for each frame.
 */
export function writeTogether(socket: Duplex): void {
  const uncork = socket.uncork.bind(socket)
  socket.uncork = () => process.nextTick(uncork)
}

/** The library sends the first packet of a turn at once, and the others when that has gone: here all of them wait for the end of the turn. */
export function sendTogether(connection: { flush(): void }): void {
  const flush = connection.flush.bind(connection)
  let isDue = false
  connection.flush = () => {
    if (isDue) return
    isDue = true
    process.nextTick(() => {
      isDue = false
      flush()
    })
  }
}

/** Opens sockets on a server that listens, or will. */
export function mountSockets<Context extends { log: Log }>(
  http: HttpServer,
  context: Context,
  { door, calls, answers }: { door: Door; calls: Readonly<Record<string, SocketCall<Context>>>; answers: readonly LiveAnswer<Context>[] },
): Sockets {
  http.prependListener('upgrade', (_request, socket) => writeTogether(socket))
  const io = openServer(http, door)
  io.engine.on('connection', sendTogether)
  // Everybody belongs to the one namespace.
  io.use((_socket, next) => next(new Error('unknown')))
  const place: Place = io.of(door.namespace)
  place.use((socket, next) => void enter(place, socket, door).then(() => next(), next))
  place.on('connection', (socket) => listen(socket, context, { door, calls }))
  const isAnyone = (room: string): boolean => (place.adapter.rooms.get(room)?.size ?? 0) > 0
  const looking = setInterval(() => void endSockets(place, door, context.log), lookMs)
  looking.unref()
  const letGo = (room?: string): void => {
    for (const socket of place.sockets.values()) if (room === undefined || socket.rooms.has(room)) socket.conn.close()
  }
  let telling: Promise<void> = Promise.resolve()
  const tell = async (events: readonly SpineEvent[]): Promise<void> => {
    for (const { kinds, tell } of answers) {
      const asked = events.filter(({ kind }) => kinds.includes(kind))
      if (asked.length === 0) continue
      try {
        for (const { rooms, event, payload } of await tell(context, asked, isAnyone)) place.to([...rooms]).emit(event, payload)
      } catch (error) {
        // Nobody knows whom it concerned: all connect again, and read what they missed.
        context.log.warn({ err: error }, 'sockets could not be told')
        letGo()
      }
    }
  }
  return {
    isAnyone,
    reconnect: letGo,
    hear: (events) => void (telling = telling.then(() => tell(events))),
    hearSignal(signal) {
      const { room, event, payload, except } = signal as { room: string; event: string; payload: unknown; except: string }
      place.to(room).except(except).emit(event, payload)
    },
    async close() {
      clearInterval(looking)
      letGo()
      io.engine.close()
      await telling
    },
  }
}

async function enter(place: Place, socket: Wire, door: Door): Promise<void> {
  const token: unknown = socket.handshake.auth['token']
  if (typeof token !== 'string') throw socketError('unauthorized', socket, door)
  try {
    const { identity, scope, rooms } = await door.enter(token)
    if ((place.adapter.rooms.get(roomOfUser(identity.userId))?.size ?? 0) >= mostSockets) throw refuse('too_many_requests')
    socket.data.identity = identity
    socket.data.scope = scope
    await socket.join(rooms as string[])
  } catch (error) {
    throw socketError(error instanceof RefusalError ? error.code : 'unavailable', socket, door)
  }
}

const localeOf = (socket: Wire): string | undefined => socket.handshake.headers['accept-language']

/** What a browser is told when it is not let in: the code, with words beside it. */
function socketError(code: RefusalCode, socket: Wire, door: Door): Error & { data: unknown } {
  return Object.assign(new Error(code), { data: { code, message: door.say(code, localeOf(socket)) } })
}

function listen<Context extends { log: Log }>(
  socket: Wire,
  context: Context,
  { door, calls }: { door: Door; calls: Readonly<Record<string, SocketCall<Context>>> },
): void {
  const mayAsk = purse()
  let refused = 0
  const visitor: Visitor = {
    scope: socket.data.scope,
    isIn: (room) => socket.rooms.has(room),
    join: (room) => void socket.join(room),
    leave: (room) => void socket.leave(room),
    hint: (room, event, payload) => door.signal({ room, event, payload, except: socket.id }),
  }
  const refuseIt = (code: RefusalCode, acknowledge: Acknowledge): void => {
    acknowledge({ ok: false, code, message: door.say(code, localeOf(socket)) })
    if (++refused >= mostRefused) socket.disconnect(true)
  }
  const answer = async (name: string, given: unknown, acknowledge: Acknowledge): Promise<void> => {
    const call = Object.hasOwn(calls, name) ? calls[name] : undefined
    if (!mayAsk()) return refuseIt('too_many_requests', acknowledge)
    if (!call) return refuseIt('not_found', acknowledge)
    const input = call.input.safeParse(given)
    if (!input.success) return refuseIt('bad_input', acknowledge)
    try {
      await call.answer(context, input.data as never, visitor)
      refused = 0
      acknowledge({ ok: true })
    } catch (error) {
      if (!(error instanceof RefusalError)) context.log.error({ err: error }, 'a request over a socket failed')
      refuseIt(error instanceof RefusalError ? error.code : 'internal', acknowledge)
    }
  }
  socket.onAny((name: string, ...given: unknown[]) => {
    const last = given.at(-1)
    const acknowledge: Acknowledge = typeof last === 'function' ? (last as Acknowledge) : () => {}
    void answer(name, typeof given[0] === 'function' ? undefined : given[0], acknowledge)
  })
}

/** Sockets of sessions that have ended since are closed, however they ended. */
async function endSockets(place: Place, door: Door, log: Log): Promise<void> {
  if (place.sockets.size === 0) return
  try {
    const sessions = new Set([...place.sockets.values()].map(({ data }) => data.identity.sessionId))
    const ended = new Set(await door.ended([...sessions]))
    if (ended.size === 0) return
    for (const socket of place.sockets.values()) if (ended.has(socket.data.identity.sessionId)) socket.disconnect(true)
  } catch (error) {
    log.debug({ err: error }, 'sessions of sockets could not be looked at')
  }
}
