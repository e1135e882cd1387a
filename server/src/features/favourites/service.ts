/** Institutes that a person marked, shown with the same cards and times as everywhere. */
import type { InstituteCard } from '@soigne/contract/institutes'
import type { Instant } from '@soigne/contract/time'
import type { Locale } from '@soigne/contract/wire'
import { earliestAmong, leadingServices, nextTimesFor } from '#/features/availability/service.ts'
import { cardOf, readCards, serviceOfCard } from '#/features/institutes/service.ts'
import type { SelfScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { refuse } from '#/platform/refuse.ts'
import { changeFavourite, countFavourites, listFavourites } from './store.ts'

const timesOfCard = 3
/** Hearts of a page are marked from one list; nobody has more favourites than this that they would look for. */
const mostIds = 1000

/** Gives whether it is one now. @throws not_found */
export async function toggleFavourite(
  { database: { db }, clock }: AppContext,
  scope: SelfScope,
  asked: { instituteId: string; favourite: boolean | null },
): Promise<boolean> {
  const changed = await changeFavourite(db, scope, { ...asked, now: new Date(clock.now()) })
  if (!changed?.isKnown) throw refuse('not_found')
  return changed.isFavourite
}

/** The card of each, with the next times of what it leads with; where that has none, of what is free earliest. */
async function cardsOf(db: Db, ids: readonly string[], now: Instant, locale: Locale): Promise<InstituteCard[]> {
  const query = { now, limit: timesOfCard }
  const rows = await readCards(db, ids)
  const found = await nextTimesFor(
    db,
    ids,
    (loaded) => {
      const serviceId = leadingServices(loaded).flat()[0]
      return serviceId === undefined ? null : [{ serviceId }]
    },
    query,
  )
  return ids.flatMap((id) => {
    const row = rows.get(id)
    if (!row) return []
    const first = found.get(id)
    const one = first && first.times.length === 0 ? earliestAmong(first, leadingServices(first.loaded), query) : first
    const serviceId = one?.cart[0]?.serviceId
    const service = one && serviceId !== undefined ? serviceOfCard(one.loaded, serviceId, one.times[0]?.startsAt) : null
    return cardOf({ row: { ...row, distanceKm: null }, service, times: one?.times ?? [] }, locale)
  })
}

export async function favouritesOf(
  { database: { db }, clock }: AppContext,
  scope: SelfScope,
  { page, pageSize }: { page: number; pageSize: number },
  locale: Locale,
): Promise<{ items: InstituteCard[]; page: number; pageSize: number; total: number }> {
  const ids = await listFavourites(db, scope, { offset: (page - 1) * pageSize, limit: pageSize })
  return { items: await cardsOf(db, ids, clock.now(), locale), page, pageSize, total: await countFavourites(db, scope) }
}

export const favouriteIdsOf = ({ database: { db } }: AppContext, scope: SelfScope): Promise<string[]> =>
  listFavourites(db, scope, { offset: 0, limit: mostIds })
