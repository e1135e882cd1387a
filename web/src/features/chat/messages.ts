// Messages of one conversation as they are kept in the browser: by place, each once, whatever comes first of an answer, the socket and the list.
import type { ChatMessage, ChatSide, MessageStatus } from '@soigne/contract/chat'

const order: readonly MessageStatus[] = ['sent', 'delivered', 'read']
const furthest = (a: MessageStatus, b: MessageStatus): MessageStatus => (order.indexOf(a) >= order.indexOf(b) ? a : b)

/** Both together, in order; of a message that is in both the status that came further. */
export function mergeMessages(known: readonly ChatMessage[], more: readonly ChatMessage[]): ChatMessage[] {
  const byId = new Map(known.map((one) => [one._id, one]))
  for (const one of more) {
    const before = byId.get(one._id)
    byId.set(one._id, before ? { ...one, status: furthest(before.status, one.status) } : one)
  }
  return [...byId.values()].toSorted((a, b) => a.seq - b.seq)
}

/** The other side has come to a message: so it has to those of the same side before it. */
export const withStatus = (known: readonly ChatMessage[], of: Pick<ChatMessage, 'side' | 'seq' | 'status'>): ChatMessage[] =>
  known.map((one) => (one.side === of.side && one.seq <= of.seq ? { ...one, status: furthest(one.status, of.status) } : one))

/** `reader` has read up to a place: what the other side wrote there is read, what they wrote themselves stays as it was. */
export const readBy = (known: readonly ChatMessage[], reader: ChatSide, upTo: number): ChatMessage[] =>
  known.map((one) => (one.side === reader || one.seq > upTo ? one : { ...one, status: 'read' }))

/** A free time as it is offered; the server names it. */
export interface OfferedStart {
  services: { serviceId: string; staffId?: string }[]
  startsAt: string
}

/** A message that is on its way, or could not be sent. */
export interface Unsent {
  clientId: string
  text: string
  file: File | null
  appointmentId: string | null
  freeTime: OfferedStart | null
  /** Why it was not taken; null while it is being sent. */
  failure: string | null
}

/** What has arrived is on its way no longer. */
export const stillUnsent = (unsent: readonly Unsent[], known: readonly ChatMessage[]): Unsent[] => {
  const arrived = new Set(known.map(({ clientId }) => clientId))
  return unsent.filter(({ clientId }) => !arrived.has(clientId))
}

const address =
  /(?:https?:\/\/|www\.)\S|(?<![\w@.])(?:[\w-]+\.)+(?:[a-z]{2,}\/\w|(?:com|net|org|info|io|me|eu|fr|ma|be|ch|ca|dz|tn)(?![\w-]))/i
const email = /[\w.+-]+@[\w-]+\.\w/
/** Ten digits of a country, or any number with the one of its country before it, in whatever digits and groups. */
const telephone =
  /(?<![\p{Nd}.,])(?:(?:\+|[0٠]{2})[ (]*\p{Nd}(?:[ ().\-\u00a0\u202f]{0,2}\p{Nd}){8,}|[0٠](?:[ .\-\u00a0\u202f]?\p{Nd}){9})(?!\p{Nd})/u
/** Whether a text would take its reader elsewhere: an address, an email, a telephone number. */
export const leadsElsewhere = (text: string | null): boolean => text !== null && [address, email, telephone].some((one) => one.test(text))
