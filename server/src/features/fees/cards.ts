/** Saved cards as their owner sees and removes them. */
import type { SavedCard } from '@soigne/contract/fees'
import type { SelfScope } from '#/platform/access.ts'
import * as z from 'zod/mini'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { addJobs, type QueuedJob } from '#/platform/jobs.ts'
import { refuse } from '#/platform/refuse.ts'
import { type CardAtProvider, cardsOfOwner, ownCards, removeCard } from './card-store.ts'

export async function savedCards({ database, clock }: AppContext, scope: SelfScope): Promise<SavedCard[]> {
  const cards = await ownCards(database.db, scope, new Date(clock.now()))
  return cards.map(({ id: _id, brand, lastFour, keptAt, isNeeded: needed }) => ({ _id, brand, lastFour, keptAt, needed }))
}

const told = z.object({ provider: z.string(), token: z.string(), accountId: z.nullable(z.string()) })

/** Its provider charges it no more. @throws where the provider is away */
export async function tellProvider({ payments }: AppContext, payload: unknown): Promise<void> {
  const { provider, token, accountId } = told.parse(payload)
  if (payments?.name === provider) await payments.forgetCard(token, accountId)
}

const tellLater = (card: CardAtProvider): QueuedJob => ({ name: 'forget_card', payload: card })

/** In the transaction that ends an account: whoever keeps its cards forgets them too. */
export async function leaveCards(transaction: Db, scope: SelfScope): Promise<void> {
  await addJobs(transaction, (await cardsOfOwner(transaction, scope)).map(tellLater))
}

/** From then on nothing here charges it; its provider is told, and again later where it is away. @throws not_found, card_needed */
export async function forgetCard(context: AppContext, scope: SelfScope<true>, id: string): Promise<void> {
  const { database, clock, log } = context
  const now = new Date(clock.now())
  if (!(await ownCards(database.db, scope, now)).some((card) => card.id === id)) throw refuse('not_found')
  const removed = await removeCard(database.db, scope, { id, now })
  if (!removed) throw refuse('card_needed')
  await tellProvider(context, removed).catch(async (error: unknown) => {
    log.warn({ err: error, card: id }, 'a card was not forgotten yet')
    await addJobs(database.db, [tellLater(removed)])
  })
}
