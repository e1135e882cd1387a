/** Saved cards as their owner sees and removes them. */
import type { SavedCard } from '@soigne/contract/fees'
import type { SelfScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse } from '#/platform/refuse.ts'
import { ownCards, removeCard } from './card-store.ts'

export async function savedCards({ database, clock }: AppContext, scope: SelfScope): Promise<SavedCard[]> {
  const cards = await ownCards(database.db, scope, new Date(clock.now()))
  return cards.map(({ id: _id, brand, lastFour, keptAt, isNeeded: needed }) => ({ _id, brand, lastFour, keptAt, needed }))
}

/** From then on nothing here charges it; its provider is told, and where that fails it is only kept there. @throws not_found, card_needed */
export async function forgetCard(context: AppContext, scope: SelfScope<true>, id: string): Promise<void> {
  const { database, clock, payments, log } = context
  const now = new Date(clock.now())
  if (!(await ownCards(database.db, scope, now)).some((card) => card.id === id)) throw refuse('not_found')
  const removed = await removeCard(database.db, scope, { id, now })
  if (!removed) throw refuse('card_needed')
  if (payments?.name !== removed.provider) return
  await payments
    .forgetCard(removed.token, removed.accountId)
    .catch((error: unknown) => log.warn({ err: error, card: id }, 'a card was not forgotten'))
}
