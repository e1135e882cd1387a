// When nothing is found: how many would be found without each filter.
import type { Db } from '#/platform/database.ts'
import { passing } from './matches.ts'
import type { SearchWish } from './search-wish.ts'
import { type CandidateRow, readNearMisses } from './store.ts'

/** Enough to say "many". */
const mostRows = 1800

type NearMiss = CandidateRow & { failed: string[] }
export interface Relaxation { filter: string; total: number }

/** The wish without one of the filters that SQL does not decide, for each that is set. */
function withoutEach(wish: SearchWish): [string, SearchWish][] {
  const { day, part, ...rest } = wish
  const { maxPrice, ...service } = wish.service
  const wishes: [string, SearchWish][] = []
  if (day !== undefined) wishes.push(['day', { ...rest, ...(part !== undefined && { part }) }])
  if (part !== undefined) wishes.push(['part', { ...rest, ...(day !== undefined && { day }) }])
  if (maxPrice !== undefined) wishes.push(['maxPrice', { ...wish, service }])
  if (wish.openNow) wishes.push(['openNow', { ...wish, openNow: false }])
  return wishes
}

/** The filters on the service are of two kinds: without the row's filter the service's must go too. */
function withoutRowFilter(wish: SearchWish, name: string): SearchWish {
  const { fit, category, audience, ...others } = wish.service
  const service = { ...others, ...(fit && name !== 'what' && { fit }), ...(category !== undefined && name !== 'category' && { category }), ...(audience !== undefined && name !== 'audience' && { audience }) }
  return { ...wish, service }
}

async function totals(db: Db, wish: SearchWish, loosely: boolean, now: number): Promise<Map<string, number>> {
  const near: NearMiss[] = await readNearMisses(db, { filters: wish.rows, loosely, limit: mostRows })
  const found = new Map<string, number>()
  for (const name of new Set(near.flatMap(({ failed }) => failed))) {
    const rows = near.filter(({ failed }) => failed.every((one) => one === name))
    found.set(name, (await passing(db, rows, withoutRowFilter(wish, name), now)).length)
  }
  // A filter on the service alone can be what stands in the way although the institute passes it.
  for (const name of ['what', 'category', 'audience']) {
    const rows = near.filter(({ failed }) => failed.length === 0)
    if (!found.has(name) && rows.length > 0) found.set(name, (await passing(db, rows, withoutRowFilter(wish, name), now)).length)
  }
  const whole = near.filter(({ failed }) => failed.length === 0)
  for (const [name, less] of withoutEach(wish)) found.set(name, (await passing(db, whole, less, now)).length)
  return found
}

/** Filters worth giving up with what each would bring, most first; typed words are matched as the search itself would. */
export async function relaxations(db: Db, wish: SearchWish, now: number): Promise<Relaxation[]> {
  const found = await totals(db, wish, false, now)
  if (wish.rows.words?.length) for (const [filter, total] of await totals(db, wish, true, now)) if (!found.get(filter)) found.set(filter, total)
  return [...found].filter(([, total]) => total > 0).map(([filter, total]) => ({ filter, total })).sort((a, b) => b.total - a.total || (a.filter < b.filter ? -1 : 1))
}
