// When nothing is found: how many would be found without each filter.
import type { Db } from '#/platform/database.ts'
import { narrows, passing } from './matches.ts'
import type { SearchWish } from './search-wish.ts'
import { type CandidateRow, type Matching, matchings, readCandidates, readNearMisses } from './store.ts'

/** Enough to say "many". */
const mostRows = 1800

type NearMiss = CandidateRow & { failed: string[] }
export interface Relaxation {
  filter: string
  total: number
}

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
  const service = {
    ...others,
    ...(fit && name !== 'what' && { fit }),
    ...(category !== undefined && name !== 'category' && { category }),
    ...(audience !== undefined && name !== 'audience' && { audience }),
  }
  return { ...wish, service }
}

/** Filters that say something of the service too: without one of them another service may be the asked one. */
const ofService: readonly string[] = ['category', 'audience']

async function totals(db: Db, wish: SearchWish, matching: Matching, now: number): Promise<Map<string, number>> {
  const near: NearMiss[] = await readNearMisses(db, { filters: wish.rows, matching, limit: mostRows })
  const found = new Map<string, number>()
  const plain = await passing(
    db,
    near.filter(({ failed }) => failed.every((name) => !ofService.includes(name))),
    wish,
    now,
  )
  for (const { row } of plain) for (const name of row.failed) found.set(name, (found.get(name) ?? 0) + 1)
  const whole = near.filter(({ failed }) => failed.length === 0)
  for (const name of ofService) {
    if (wish.rows[name as 'category' | 'audience'] === undefined) continue
    const rows = near.filter(({ failed }) => failed.every((one) => one === name))
    found.set(name, (await passing(db, rows, withoutRowFilter(wish, name), now)).length)
  }
  for (const [name, less] of withoutEach(wish)) found.set(name, (await passing(db, whole, less, now)).length)
  return found
}

/** What giving up the words would bring. */
async function totalWithoutWords(db: Db, wish: SearchWish, now: number): Promise<number> {
  const { words: _words, ...filters } = wish.rows
  const rows = await readCandidates(db, { filters, matching: 'as_typed', order: 'fit', limit: mostRows, offset: 0 })
  const less = withoutRowFilter(wish, 'what')
  return narrows(less) ? (await passing(db, rows, less, now)).length : (rows[0]?.total ?? 0)
}

/** Filters worth giving up with what each would bring, most first; typed words are matched as the search itself would. */
export async function relaxations(db: Db, wish: SearchWish, now: number): Promise<Relaxation[]> {
  const found = new Map<string, number>()
  const { words } = wish.rows
  if (words) found.set('what', await totalWithoutWords(db, wish, now))
  for (const matching of words === undefined ? matchings.slice(0, 1) : words.length === 0 ? [] : matchings) {
    for (const [filter, total] of await totals(db, wish, matching, now)) if (!found.get(filter)) found.set(filter, total)
  }
  return [...found]
    .filter(([, total]) => total > 0)
    .map(([filter, total]) => ({ filter, total }))
    .sort((a, b) => b.total - a.total || (a.filter < b.filter ? -1 : 1))
}
