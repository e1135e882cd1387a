/** Messages that came onto a screen of the other side: noted and told a moment later, all of a moment together. */
import type { Chat } from '@soigne/contract/chat'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Database } from '#/platform/database.ts'
import { type Delivery, markDelivered } from './chat-store.ts'

const system = systemScope('note arrivals of messages')

/** Nobody waits for a second tick. */
const deliveredAfterMs = 150
const arrived = new WeakMap<Database, Delivery[]>()

export function noteArrival(context: AppContext, delivery: Delivery): void {
  const { db } = context.database
  const waiting = arrived.get(db)
  if (waiting) return void waiting.push(delivery)
  const deliveries = [delivery]
  arrived.set(db, deliveries)
  setTimeout(() => {
    arrived.delete(db)
    void tellDelivered(context, deliveries).catch((error: unknown) => context.log.warn({ err: error }, 'arrivals could not be noted'))
  }, deliveredAfterMs).unref()
}

/** What somebody is given a list of has come as far as their screen, also what was said while they were away. */
export function noteShown(context: AppContext, chats: readonly Chat[]): void {
  for (const { _id: chatId, side, lastMessage } of chats)
    if (lastMessage && lastMessage.side !== side && lastMessage.status === 'sent')
      noteArrival(context, { chatId, side, seq: lastMessage.seq })
}

async function tellDelivered(context: AppContext, deliveries: readonly Delivery[]): Promise<void> {
  const moved = await markDelivered(context.database.prepared, system, deliveries, new Date(context.clock.now()))
  if (moved.length > 0) context.live.wake()
}
