// The search: one moment of the database, one order over all of the area, one page with exact times.
import { type InstituteCard, mostRelaxed, type SearchQuery } from '@soigne/contract/institutes'
import type { CartLine } from '@soigne/scheduling/model'
import type { Locale } from '@soigne/contract/wire'
import { hourMs, type Instant } from '@soigne/contract/time'
import { earliestAmong, type FoundTimes, nextTimesFor, type NextTimesQuery } from '#/features/availability/service.ts'
import { cardOf, readCards, serviceOfCard, timeZonesInUse } from '#/features/institutes/service.ts'
import type { Mending } from '#/features/summary/service.ts'
import { inSnapshot, type Db } from '#/platform/database.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { needsAccount } from '#/platform/payment-provider.ts'
import { countFound, type Found, type FoundRow, type FoundQuery, readFound, type Verdict, wantsTime } from './search-store.ts'
import { askedWords } from './asked-words.ts'
import { readStandIns } from './asked-services-store.ts'
import { soonHours, soonWindow, weights } from './ranking.ts'
import { type Relaxation, relaxedQueries } from './relaxing.ts'
import { wordsAsMeant, wordsAsTyped } from './search-words.ts'
import { type Local, localOf, type PlaceAsked, readCriteria, type ReadFor, type SearchCriteria } from './search-request.ts'
import type { WordQuery } from './words-store.ts'
import { zonesAround } from './zones.ts'

/** Free times a card shows. */
const timesOfCard = 3
/** Within this distance the zones are looked up on the map. */
const nearKm = 150
export interface SearchAnswer extends PlaceAsked {
  items: InstituteCard[]
  page: number
  pageSize: number
  total: number
  origin: SearchCriteria['origin']
  listed: number
  /** Words that nothing here answers, as they were typed: what is found answers the others. */
  leftOut: string[]
  relax: Relaxation[]
  local?: Local
}

type Asked = Pick<FoundQuery, 'criteria' | 'queries' | 'zones' | 'everyZone' | 'now'>

/** One moment of the database, with what several questions of one search share. */
interface Moment extends ReadFor {
  now: Instant
  zones(): Promise<string[]>
  meant(words: readonly string[]): Promise<WordQuery[] | null>
  /** Whether institutes answer, by what was asked of their rows. */
  answered: Map<string, Promise<boolean>>
}

function momentOf({ db, needsAccount }: ReadFor, now: Instant): Moment {
  let zones: Promise<string[]> | undefined
  const meant = new Map<string, Promise<WordQuery[] | null>>()
  return {
    db,
    needsAccount,
    now,
    answered: new Map(),
    zones: () => (zones ??= timeZonesInUse(db)),
    meant(words) {
      const key = words.join(' ')
      const known = meant.get(key) ?? wordsAsMeant(db, words)
      meant.set(key, known)
      return known
    },
  }
}

/** One service, where it is wanted. */
const cartIn =
  ({ rows: { atHome } }: SearchCriteria) =>
  (serviceId: string): CartLine[] => [{ serviceId, ...(atHome && { atHome }) }]

/** The next times of the service each institute leads with. */
function timesOfServices(
  db: Db,
  criteria: SearchCriteria,
  services: ReadonlyMap<string, string>,
  query: NextTimesQuery,
): Promise<Map<string, FoundTimes>> {
  const cart = cartIn(criteria)
  return nextTimesFor(
    db,
    [...services.keys()],
    ({ institute }) => {
      const serviceId = services.get(institute.id)
      return serviceId === undefined ? null : cart(serviceId)
    },
    query,
  )
}

/** The same in the asked day and part of day; where that service has none there, the times of the one that is free earliest. */
async function timesAsked(
  db: Db,
  { criteria: { day, part }, criteria, queries, now }: Asked,
  services: ReadonlyMap<string, string>,
  limit: number,
): Promise<Map<string, FoundTimes>> {
  const query = { now, limit, ...(day !== undefined && { day }), ...(part !== undefined && { part }) }
  const found = await timesOfServices(db, criteria, services, query)
  const without = [...found].filter(([, { times }]) => times.length === 0).map(([id]) => id)
  if (without.length === 0) return found
  const standIns = await readStandIns(db, { criteria, queries, ids: without })
  for (const [id, times] of found)
    if (times.times.length === 0) found.set(id, earliestAmong(times, standIns.get(id) ?? [], query, cartIn(criteria)))
  return found
}

const firstsOf = (ids: Iterable<string>, found: ReadonlyMap<string, FoundTimes>): Verdict[] =>
  Array.from(ids, (id) => ({ id, first: found.get(id)?.times[0]?.startsAt ?? null }))

/** Asks the diaries where the summary cannot tell. */
async function verdictsOf(db: Db, asked: Asked, undecided: Found['undecided']): Promise<Verdict[]> {
  const services = new Map(undecided.map(({ id, serviceId }) => [id, serviceId]))
  return firstsOf(services.keys(), await timesAsked(db, asked, services, 1))
}

async function find(db: Db, asked: Asked, limit: number, offset: number): Promise<Found> {
  const found = await readFound(db, { ...asked, verdicts: [], limit, offset })
  if (found.undecided.length === 0) return found
  return readFound(db, { ...asked, verdicts: await verdictsOf(db, asked, found.undecided), limit, offset })
}

/** How many are found, counted no further than `most`. */
async function count(db: Db, ordered: Asked, most: number): Promise<number> {
  // Nobody need know which of them is first, unless having any time at all is what is asked for.
  const isTimed = ordered.criteria.day !== undefined || ordered.criteria.part !== undefined
  const asked: Asked = isTimed ? { ...ordered, criteria: { ...ordered.criteria, sort: 'recommended' } } : ordered
  const first = await countFound(db, { ...asked, verdicts: [], limit: 0, offset: 0, mostCounted: most })
  if (first.undecided.length === 0) return first.total
  return first.total + (await verdictsOf(db, asked, first.undecided)).filter((one) => one.first !== null).length
}

/** Being open is decided for known zones only, so all are needed; with time an unknown one is not wrong but slow. */
async function zonesFor(moment: Moment, criteria: SearchCriteria): Promise<Pick<Asked, 'zones' | 'everyZone'>> {
  const { origin, radiusKm } = criteria.rows
  if (!wantsTime(criteria) && !criteria.openNow) return { zones: [], everyZone: false }
  if (origin !== undefined && radiusKm !== undefined && radiusKm <= nearKm && !criteria.openNow)
    return { zones: zonesAround(origin, radiusKm), everyZone: false }
  return { zones: await moment.zones(), everyZone: true }
}

/** What is asked with the words as typed. */
async function ask(moment: Moment, criteria: SearchCriteria): Promise<Asked> {
  return { criteria, queries: wordsAsTyped(criteria.rows.words ?? []), ...(await zonesFor(moment, criteria)), now: moment.now }
}

/** Whether any institute passes what its row decides, at whatever time and price. Asked once for the same rows. */
function answersAny(moment: Moment, asked: Asked): Promise<boolean> {
  const { day: _day, part: _part, ...anyTime } = asked.criteria
  const { maxPrice: _price, ...service } = asked.criteria.service
  const criteria: SearchCriteria = { ...anyTime, service, openNow: false, sort: 'recommended' }
  const key = JSON.stringify([criteria.rows, asked.queries])
  const known = moment.answered.get(key) ?? count(moment.db, { ...asked, criteria }, 1).then((found) => found > 0)
  moment.answered.set(key, known)
  return known
}

/** The same with the words as they were probably meant; null when nothing is like them, or when institutes of the area answer them as typed. */
async function asMeant(moment: Moment, asked: Asked): Promise<Asked | null> {
  if (asked.queries.length === 0 || (await answersAny(moment, asked))) return null
  const queries = await moment.meant(asked.criteria.rows.words ?? [])
  return queries && { ...asked, queries }
}

const withWords = (criteria: SearchCriteria, words: readonly string[]): SearchCriteria => ({
  ...criteria,
  rows: { ...criteria.rows, words },
})

/** Some words as typed where institutes of the area answer them, else as meant; null where none does either way. */
async function answered(moment: Moment, criteria: SearchCriteria): Promise<Asked | null> {
  const typed = await ask(moment, criteria)
  if (await answersAny(moment, typed)) return typed
  const meant = await asMeant(moment, typed)
  return meant && (await answersAny(moment, meant)) ? meant : null
}

/** Several words that nothing answers together, without those that nothing answers alone, and then without the last; null when that is not it. */
async function withoutUnknownWords(moment: Moment, criteria: SearchCriteria): Promise<{ asked: Asked; leftOut: string[] } | null> {
  const words = criteria.rows.words ?? []
  if (words.length < 2 || (await answered(moment, criteria))) return null
  const known: string[] = []
  for (const word of words) if (await answered(moment, withWords(criteria, [word]))) known.push(word)
  for (; known.length > 0; known.pop()) {
    const asked = await answered(moment, withWords(criteria, known))
    if (asked) return { asked, leftOut: words.filter((word) => !known.includes(word)) }
  }
  return null
}

const asTyped = (what: string, folded: readonly string[]): string[] => {
  const typed = what.split(/\s+/)
  return folded.map((word) => typed.find((one) => askedWords(one).includes(word)) ?? word)
}

/** How many a criteria would find, however its words have to be read. */
async function totalOf(moment: Moment, criteria: SearchCriteria): Promise<number> {
  const typed = await ask(moment, criteria)
  if (typed.queries.length === 0 || (await answersAny(moment, typed))) return count(moment.db, typed, mostRelaxed)
  const meant = await asMeant(moment, typed)
  return meant && (await answersAny(moment, meant)) ? count(moment.db, meant, mostRelaxed) : 0
}

/** Best merit first; among the first of them a time soon counts too. */
async function withSoon(db: Db, asked: Asked, rows: readonly FoundRow[]): Promise<FoundRow[]> {
  const first = rows.slice(0, soonWindow)
  const unsure = first.flatMap(({ id, serviceId, soon }) => (soon === null && serviceId !== null ? [{ id, serviceId }] : []))
  const services = new Map(unsure.map(({ id, serviceId }) => [id, serviceId]))
  const soon = { now: asked.now, limit: 1, before: asked.now + soonHours * hourMs + 1 }
  const told = unsure.length === 0 ? [] : firstsOf(services.keys(), await timesOfServices(db, asked.criteria, services, soon))
  const soonIds = new Set([
    ...first.filter(({ soon }) => soon).map(({ id }) => id),
    ...told.filter((verdict) => verdict.first !== null).map(({ id }) => id),
  ])
  const meritOf = ({ id, merit }: FoundRow): number => merit + (soonIds.has(id) ? weights.soon : 0)
  return [...first.toSorted((a, b) => meritOf(b) - meritOf(a) || (a.id < b.id ? -1 : 1)), ...rows.slice(soonWindow)]
}

/** The rows of one page with the number of all. */
async function readPage(db: Db, asked: Asked, { page, pageSize }: SearchQuery): Promise<Pick<Found, 'rows' | 'total' | 'listed'>> {
  const offset = (page - 1) * pageSize
  if (asked.criteria.sort !== 'recommended' || offset >= soonWindow) return find(db, asked, pageSize, offset)
  const { rows, total, listed } = await find(db, asked, Math.max(soonWindow, offset + pageSize), 0)
  return { rows: (await withSoon(db, asked, rows)).slice(offset, offset + pageSize), total, listed }
}

/** The cards of found rows, with the next times of each at this moment. */
async function cardsOf(db: Db, asked: Asked, rows: readonly FoundRow[], locale: Locale): Promise<InstituteCard[]> {
  const services = new Map(rows.flatMap(({ id, serviceId }) => (serviceId === null ? [] : [[id, serviceId] as const])))
  const institutes = await readCards(
    db,
    rows.map(({ id }) => id),
  )
  const found = await timesAsked(db, asked, services, timesOfCard)
  return rows.flatMap(({ id, distanceKm }) => {
    const institute = institutes.get(id)
    const times = found.get(id)
    if (!institute) return []
    const shown = times?.cart[0]
    const service = times && shown ? serviceOfCard(times.loaded, shown.serviceId, times.times[0]?.startsAt) : null
    return [cardOf({ row: { ...institute, distanceKm }, service, times: times?.times ?? [], isAtHome: shown?.atHome === true }, locale)]
  })
}

/** Filters worth giving up with what each would bring, most first. */
async function relaxations(moment: Moment, query: SearchQuery, locale: Locale): Promise<Relaxation[]> {
  const found: Relaxation[] = []
  for (const [filter, less] of relaxedQueries(query)) {
    const total = await totalOf(moment, await readCriteria(moment, less, locale))
    if (total > 0) found.push({ filter, total })
  }
  return found.sort((a, b) => b.total - a.total || (a.filter < b.filter ? -1 : 1))
}

/** Institutes for a query, a page of them, each with its next free times at this moment. */
export async function searchInstitutes(
  { database: { db }, clock, payments, mending }: Pick<AppContext, 'database' | 'clock' | 'payments'> & { mending: Mending },
  query: SearchQuery,
  locale: Locale,
): Promise<SearchAnswer> {
  const now = clock.now()
  // The places do not change from one moment to the next.
  const reading = { db, needsAccount: needsAccount(payments) }
  const criteria = await readCriteria(reading, query, locale)
  await mending.settled()
  const { page, pageSize } = query
  return inSnapshot(db, async (transaction) => {
    const moment = momentOf({ ...reading, db: transaction }, now)
    let asked = await ask(moment, criteria)
    let found = await readPage(transaction, asked, query)
    const meant = found.total === 0 ? await asMeant(moment, asked) : null
    if (meant) found = await readPage(transaction, (asked = meant), query)
    const narrowed = found.total === 0 ? await withoutUnknownWords(moment, criteria) : null
    if (narrowed) found = await readPage(transaction, (asked = narrowed.asked), query)
    const leftOut = narrowed ? asTyped(query.what ?? '', narrowed.leftOut) : []
    const { rows, total, listed } = found
    const items = await cardsOf(transaction, asked, rows, locale)
    const relax = total === 0 && page === 1 ? await relaxations(moment, query, locale) : []
    const { origin, place, otherPlaces } = criteria
    const local = total === 0 ? await localOf(transaction, criteria) : null
    return { items, page, pageSize, total, listed, leftOut, origin, place, otherPlaces, relax, ...(local && { local }) }
  })
}

export { askedWords } from './asked-words.ts'
export { categoriesBeginning, wordsAsMeant } from './search-words.ts'
export { anyOf } from './words-store.ts'
