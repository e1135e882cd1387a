/** Free times. What is asked of one institute is answered from its diary in memory (free-times.ts); diaries of many are loaded here, in one statement. */
import type { CartLine, Day, Offer, ServiceParts } from '@soigne/scheduling/model'
import { dayMs, type Instant } from '@soigne/contract/time'
import { parseInstant, utcDayOf } from '#/platform/instants.ts'
import type { Db } from '#/platform/database.ts'
import { busyBySubject, type LoadedInstitute, loadedFrom, withLengths } from './diary.ts'
import { type DiaryRow, readBusy, readDiaries, readDiaryRows } from './store.ts'
import { checkBookable, daysOf, earliestOf, longestHorizonDays, type NextTimesQuery, offersWithin, type TimesOfDays } from './offers.ts'

export {
  anyoneOf,
  asksForHome,
  isOnRequest,
  type LoadedInstitute,
  loadedFrom,
  type MemberShifts,
  menuPrice,
  performersOf,
  priceWith,
  type ServiceDetail,
  shiftsOf,
  withLengths,
} from './diary.ts'
export {
  type DiaryState,
  freshDiary,
  keepDiary,
  lapsedIn,
  liveDiary,
  lockedDiary,
  rememberedDiary,
  verifiedDiary,
  withHold,
} from './diary-memory.ts'
export { leadingServices, leadsOf, leadsOfTier } from './leading.ts'
export { earliestOf, inOnePlace, type NextTimesQuery, timesOf } from './offers.ts'
export { freeDays, freeTimeAt, nextFree } from './free-times.ts'
export { type IndexCover, lockDiaries } from './state-store.ts'
export type { DiaryRow } from './store.ts'

/** Most next times are found within these days; what is taken later is read only for those who have found too few. */
const nearDays = 10

const midnightUtc = (day: Day): Instant => parseInstant(`${day}T00:00:00Z`)

// Local days, night shifts, buffers and the end of a visit reach over the edges.
const daysAround = (from: Instant, to: Instant): { fromDay: Day; toDay: Day } => ({
  fromDay: utcDayOf(from - 2 * dayMs),
  toDay: utcDayOf(to + 3 * dayMs),
})
const instantsAround = (from: Instant, to: Instant): { from: Date; to: Date } => ({
  from: new Date(from - dayMs),
  to: new Date(to + 2 * dayMs),
})

export interface DiariesQuery {
  /** Every local day that from…to touches is known, with the night before and after. Ask the engine about no other day. */
  from: Date
  to: Date
  now: Date
  /** Leaves out what one visit takes, for moving it. */
  ignoreAppointmentId?: string
  /** Leaves out members and resources that this cart could not use. */
  cart?: readonly CartLine[]
  /** Counts as taken what holds past their end still take, until they are swept away. */
  withLapsed?: boolean
}

/** The diaries of institutes by id, in one statement whatever their number; unknown ids are missing. */
export async function loadDiaries(
  db: Db,
  { instituteIds, from, to, now, ignoreAppointmentId, cart, withLapsed = false }: DiariesQuery & { instituteIds: readonly string[] },
): Promise<Map<string, LoadedInstitute>> {
  if (instituteIds.length === 0) return new Map()
  const [start, end] = [from.getTime(), to.getTime()]
  const taken = { ...instantsAround(start, end), now: withLapsed ? null : now, ignoreAppointmentId: ignoreAppointmentId ?? null }
  const rows = await readDiaries(db, { instituteIds, ...daysAround(start, end), taken, cart: cart ?? null })
  return new Map(rows.map(({ busy, ...row }) => [row.id, loadedFrom(row, busyBySubject(busy ?? []))]))
}

/** The diary of one institute, or null when there is none with this id; its state is for the caller to judge. */
export async function loadDiary(
  db: Db,
  { instituteId, ...query }: DiariesQuery & { instituteId: string },
): Promise<LoadedInstitute | null> {
  return (await loadDiaries(db, { ...query, instituteIds: [instituteId] })).get(instituteId) ?? null
}

/** Hours of the days around now, and with `menus` services and teams too, in one statement; never to be asked for free times. */
export async function loadMenus(
  db: Db,
  { instituteIds, now, depth }: { instituteIds: readonly string[]; now: Date; depth: 'hours' | 'menus' },
): Promise<Map<string, LoadedInstitute>> {
  if (instituteIds.length === 0) return new Map()
  const rows = await readDiaryRows(db, { instituteIds, ...daysAround(now.getTime(), now.getTime()), depth, now })
  return new Map(rows.map((row) => [row.id, loadedFrom(row, new Map())]))
}

export interface CartQuery {
  instituteId: string
  cart: readonly CartLine[]
  /** Milliseconds since the epoch. */
  now: Instant
  ignoreAppointmentId?: string
}

/** Loads around days asked for; days that cannot be booked are not worth reading. */
async function loadForDays(
  db: Db,
  { instituteId, cart, now, ignoreAppointmentId }: CartQuery,
  from: Day | undefined,
  days: number,
): Promise<LoadedInstitute> {
  const asked = from === undefined ? now : midnightUtc(from)
  const start = Math.min(Math.max(asked, now), now + longestHorizonDays * dayMs)
  const end = Math.min(Math.max(asked + days * dayMs, start), start + days * dayMs)
  const loaded = await loadDiary(db, {
    instituteId,
    from: new Date(start),
    to: new Date(end),
    now: new Date(now),
    ...(ignoreAppointmentId !== undefined && { ignoreAppointmentId }),
  })
  return checkBookable(loaded, cart, ignoreAppointmentId !== undefined)
}

interface DaysQuery extends CartQuery {
  from?: Day
  days: number
  /** Times that services of a visit were given by hand. */
  lengths?: ReadonlyMap<string, ServiceParts>
}
/** Free starts day by day from a day of the institute's calendar (today when absent), read from the database. A member who does not perform a service has none. */
export async function daysWithTimes(db: Db, { lengths, ...query }: DaysQuery): Promise<TimesOfDays> {
  const loaded = await loadForDays(db, query, query.from, query.days)
  return daysOf(lengths ? { ...loaded, diary: withLengths(loaded.diary, lengths) } : loaded, query)
}

export interface FoundTimes {
  loaded: LoadedInstitute
  cart: readonly CartLine[]
  times: readonly Offer[]
}

/** Where what was asked first has no time: the times of the service that is free earliest among the first services, by rank, of which any is. */
export function earliestAmong(
  found: FoundTimes,
  ranked: readonly (readonly string[])[],
  query: NextTimesQuery,
  cartOf?: (serviceId: string) => CartLine[],
): FoundTimes {
  const earliest = earliestOf(found.loaded, ranked, query, query.day === undefined ? longestHorizonDays : nearDays, cartOf)
  return earliest ? { ...found, ...earliest } : found
}

/** The stretch to read: the asked day, or from the first day on. */
function stretchOf(query: NextTimesQuery, days: number): { from: Instant; to: Instant } {
  const first = query.day ?? query.from
  const asked = Math.max(query.now, first === undefined ? query.now : midnightUtc(first))
  const from = Math.min(asked, query.now + longestHorizonDays * dayMs)
  return { from, to: query.day === undefined ? from + days * dayMs : from + dayMs }
}

/**
 * The next free times of many institutes at once: one statement for what they set, one for what is taken soon and, where that gave too few,
 * one for what is taken later. `cartOf` decides for each institute what is asked (null: nothing). Only published, claimed institutes have times.
 */
export async function nextTimesFor(
  db: Db,
  instituteIds: readonly string[],
  cartOf: (loaded: LoadedInstitute) => readonly CartLine[] | null,
  query: NextTimesQuery,
): Promise<Map<string, FoundTimes>> {
  const found = new Map<string, FoundTimes>()
  if (instituteIds.length === 0) return found
  const whole = stretchOf(query, longestHorizonDays)
  const now = new Date(query.now)
  const rows = await readDiaryRows(db, { instituteIds, ...daysAround(whole.from, whole.to), depth: 'diaries', now })
  const search = async (asked: readonly DiaryRow[], days: number): Promise<void> => {
    if (asked.length === 0) return
    const { from, to } = stretchOf(query, days)
    const busy = busyBySubject(
      await readBusy(db, { instituteIds: asked.map(({ id }) => id), ...instantsAround(from, to), now, ignoreAppointmentId: null }),
    )
    for (const row of asked) {
      const loaded = loadedFrom(row, busy)
      const cart = (row.state === 'published' && row.claimed ? cartOf(loaded) : null) ?? []
      found.set(row.id, { loaded, cart, times: cart.length === 0 ? [] : offersWithin(loaded, cart, query, days) })
    }
  }
  await search(rows, nearDays)
  if (query.day !== undefined || query.before !== undefined) return found
  const wanting = rows.filter(({ id }) => {
    const one = found.get(id)
    return one !== undefined && one.cart.length > 0 && one.times.length < query.limit
  })
  await search(wanting, longestHorizonDays)
  return found
}
