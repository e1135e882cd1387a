/** Institutes that a person marked, shown with the same cards and times as everywhere. */
import type { InstituteCard } from '@soigne/contract/institutes'
import { type Instant, minuteOf } from '@soigne/contract/time'
import type { Locale } from '@soigne/contract/wire'
import { dayOf } from '@soigne/scheduling/wall-clock'
import {
  earliestAmong,
  type FoundTimes,
  leadingServices,
  type LoadedInstitute,
  nextTimesFor,
  type NextTimesQuery,
} from '#/features/availability/service.ts'
import { cardOf, readCards, serviceOfCard } from '#/features/institutes/service.ts'
import type { SelfScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { refuse } from '#/platform/refuse.ts'
import { changeFavourite, countFavourites, listFavourites } from './store.ts'

const timesOfCard = 3
/** So many diaries are in memory at once. */
const atOnce = 100
/** Hearts of a page are marked from one list; nobody has more favourites than this that they would look for. */
const mostIds = 1000

interface Marked {
  id: string
  timeZone: string
}
const idsOf = (marked: readonly Marked[]): string[] => marked.map(({ id }) => id)

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

const leadOf = (loaded: LoadedInstitute) => {
  const serviceId = leadingServices(loaded).flat()[0]
  return serviceId === undefined ? null : [{ serviceId }]
}

/** The next times of what each leads with; where that has none, of what is free earliest. */
async function timesOf(db: Db, ids: readonly string[], query: NextTimesQuery): Promise<Map<string, FoundTimes>> {
  const found = await nextTimesFor(db, ids, leadOf, query)
  for (const [id, one] of found) if (one.times.length === 0) found.set(id, earliestAmong(one, leadingServices(one.loaded), query))
  return found
}

/** Those that have a time today, each on its own calendar. */
async function freeToday(db: Db, marked: readonly Marked[], now: Instant): Promise<Map<string, FoundTimes>> {
  const idsOfDay = Map.groupBy(marked, ({ timeZone }) => dayOf(timeZone, minuteOf(now)))
  const free = new Map<string, FoundTimes>()
  for (const [day, ofDay] of idsOfDay)
    for (let at = 0; at < ofDay.length; at += atOnce) {
      const ids = ofDay.slice(at, at + atOnce).map(({ id }) => id)
      for (const [id, one] of await timesOf(db, ids, { now, limit: timesOfCard, day })) if (one.times.length > 0) free.set(id, one)
    }
  return free
}

/** The card of each, with the times that were found. */
async function cardsOf(db: Db, ids: readonly string[], found: ReadonlyMap<string, FoundTimes>, locale: Locale): Promise<InstituteCard[]> {
  const rows = await readCards(db, ids)
  return ids.flatMap((id) => {
    const row = rows.get(id)
    if (!row) return []
    const one = found.get(id)
    const serviceId = one?.cart[0]?.serviceId
    const service = one && serviceId !== undefined ? serviceOfCard(one.loaded, serviceId, one.times[0]?.startsAt) : null
    return cardOf({ row: { ...row, distanceKm: null }, service, times: one?.times ?? [] }, locale)
  })
}

export async function favouritesOf(
  { database: { db }, clock }: AppContext,
  scope: SelfScope,
  { page, pageSize, free }: { page: number; pageSize: number; free?: 'today' | undefined },
  locale: Locale,
): Promise<{ items: InstituteCard[]; page: number; pageSize: number; total: number }> {
  const now = clock.now()
  const offset = (page - 1) * pageSize
  if (free === undefined) {
    const ids = idsOf(await listFavourites(db, scope, { offset, limit: pageSize }))
    const found = await timesOf(db, ids, { now, limit: timesOfCard })
    return { items: await cardsOf(db, ids, found, locale), page, pageSize, total: await countFavourites(db, scope) }
  }
  const marked = await listFavourites(db, scope, { offset: 0, limit: mostIds })
  const found = await freeToday(db, marked, now)
  const ids = idsOf(marked).filter((id) => found.has(id))
  return { items: await cardsOf(db, ids.slice(offset, offset + pageSize), found, locale), page, pageSize, total: ids.length }
}

export const favouriteIdsOf = async ({ database: { db } }: AppContext, scope: SelfScope): Promise<string[]> =>
  idsOf(await listFavourites(db, scope, { offset: 0, limit: mostIds }))
