/** Conversations on screens: what is told when it happens, and what a browser asks over its socket. */
import { type ChatEvents, chatRequests, type ChatSide } from '@soigne/contract/chat'
import type { EventOf } from '#/event-kinds.ts'
import { type SelfScope, systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { SpineEvent } from '#/platform/events.ts'
import { type Emission, type LiveAnswer, roomOfUser, type SocketCall, type Visitor } from '#/platform/live.ts'
import { refuse } from '#/platform/refuse.ts'
import { noteArrival } from './arrivals.ts'
import { isHeard } from './chat-store.ts'
import { readLastMessages, readMessages } from './message-store.ts'
import { readChat } from './service.ts'
import { institutesAnswered, seatOf } from './sides.ts'
import { messageForWire } from './wire.ts'

const system = systemScope('tell sockets of messages')

const roomOfInstitute = (instituteId: string): string => `institute:${instituteId}`
/** Who has the conversation open is told of typing. */
const roomOfChat = (chatId: string): string => `chat:${chatId}`

/** What somebody's socket hears: what concerns them, and the institutes they answer for. */
export const roomsOf = async (context: AppContext, scope: SelfScope): Promise<string[]> => [
  roomOfUser(scope.userId),
  ...(await institutesAnswered(context, scope)).map(({ instituteId }) => roomOfInstitute(instituteId)),
]

const told = <Name extends keyof ChatEvents>(rooms: readonly string[], event: Name, payload: ChatEvents[Name]): Emission => ({
  rooms,
  event,
  payload,
})

type Sent = EventOf<'message.sent'>
type Changed = EventOf<'chat.read' | 'chat.delivered' | 'chat.decided'>
const bothRooms = ({ payload, instituteId }: Sent | Changed): string[] => [roomOfUser(payload.userId), roomOfInstitute(instituteId ?? '')]

const otherSide = (side: ChatSide): ChatSide => (side === 'client' ? 'institute' : 'client')

async function tellSent(context: AppContext, events: readonly Sent[], isAnyone: (room: string) => boolean): Promise<Emission[]> {
  const heard = events.filter((event) => bothRooms(event).some(isAnyone))
  const rows = new Map(
    (
      await readMessages(
        context.database.prepared,
        system,
        heard.map(({ payload }) => payload.messageId),
      )
    ).map((row) => [row.id, row]),
  )
  return heard.flatMap((event) => {
    const row = rows.get(event.payload.messageId)
    if (!row) return []
    const message = messageForWire(context, row)
    const [client, institute] = bothRooms(event)
    const reader = otherSide(row.side)
    if (isAnyone((reader === 'client' ? client : institute) ?? '')) noteArrival(context, { chatId: row.chatId, side: reader, seq: row.seq })
    const rooms = bothRooms(event)
    return [
      told(rooms, 'newMessage', message),
      told(rooms, 'updateChat', { chatId: row.chatId, lastMessage: message, updatedAt: row.createdAt }),
    ]
  })
}

const readUpTo = ({ subjectId, payload: { side, seq } }: EventOf<'chat.read'>): ChatEvents['messagesRead'] => ({
  chatId: subjectId ?? '',
  side,
  ...(seq !== undefined && { seq }),
})

async function tellChanged(context: AppContext, events: readonly Changed[], isAnyone: (room: string) => boolean): Promise<Emission[]> {
  const heard = events.filter((event) => bothRooms(event).some(isAnyone))
  const last = await readLastMessages(context.database.prepared, system, [...new Set(heard.flatMap(({ subjectId }) => subjectId ?? []))])
  return heard.flatMap((event) => {
    const chatId = event.subjectId ?? ''
    const row = last.get(chatId)
    const rooms = bothRooms(event)
    const lastMessage = row ? messageForWire(context, row) : null
    return [
      ...(event.kind === 'chat.read' ? [told(rooms, 'messagesRead', readUpTo(event))] : []),
      // What was decided is read with the conversation.
      ...(row || event.kind === 'chat.decided'
        ? [told(rooms, 'updateChat', { chatId, lastMessage, updatedAt: row?.createdAt ?? event.at })]
        : []),
    ]
  })
}

/** Events are of the kinds that were asked for. */
const as = <E>(events: readonly SpineEvent[]): readonly E[] => events as unknown as readonly E[]

export const chatLive: readonly LiveAnswer<AppContext>[] = [
  { kinds: ['message.sent'], tell: (context, events, isAnyone) => tellSent(context, as<Sent>(events), isAnyone) },
  {
    kinds: ['chat.read', 'chat.delivered', 'chat.decided'],
    tell: (context, events, isAnyone) => tellChanged(context, as<Changed>(events), isAnyone),
  },
]

interface OfChat {
  chatId: string
}
const confirmed = ({ scope }: Visitor): SelfScope<true> => {
  if (!scope.verified) throw refuse('email_unverified')
  return scope as SelfScope<true>
}

/** What a browser asks over its socket. */
export const chatSocketCalls = {
  join: {
    input: chatRequests.join,
    async answer(context: AppContext, { chatId }: OfChat, visitor: Visitor) {
      await seatOf(context, confirmed(visitor), chatId)
      visitor.join(roomOfChat(chatId))
    },
  },
  leave: {
    input: chatRequests.leave,
    answer: async (_context: AppContext, { chatId }: OfChat, visitor: Visitor) => visitor.leave(roomOfChat(chatId)),
  },
  typing: {
    input: chatRequests.typing,
    async answer(context: AppContext, { chatId }: OfChat, visitor: Visitor) {
      if (!visitor.isIn(roomOfChat(chatId))) throw refuse('not_found')
      // Blocked since it was opened: nobody is told, that neither.
      if (!(await isHeard(context.database.prepared, visitor.scope, chatId))) return
      const payload: ChatEvents['typing'] = { chatId, userId: visitor.scope.userId }
      visitor.hint(roomOfChat(chatId), 'typing', payload)
    },
  },
  read: {
    input: chatRequests.read,
    answer: (context: AppContext, { chatId }: OfChat, visitor: Visitor) => readChat(context, confirmed(visitor), chatId),
  },
} satisfies Record<string, SocketCall<AppContext, OfChat>>
