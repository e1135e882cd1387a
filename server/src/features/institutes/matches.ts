// Institutes beside their asked service and free times, and the filters that SQL cannot decide.
import type { Offer } from '@soigne/scheduling/model'
import { type LoadedInstitute, loadMenus, nextTimesFor } from '#/features/availability/service.ts'
import type { Db } from '#/platform/database.ts'
import { type AskedService, askedService } from './asked-service.ts'
import { openUntil } from './opening.ts'
import type { SearchWish } from './search-wish.ts'
import type { CandidateRow } from './store.ts'

/** Free times a card shows. */
export const timesOfCard = 3

export interface Match<Row extends CandidateRow = CandidateRow> {
  row: Row
  /** Unknown until the menu is read. */
  service?: AskedService | null
  /** Unknown until the diary is read. */
  times?: readonly Offer[]
}

type Filters = Pick<SearchWish, 'service' | 'day' | 'part' | 'openNow' | 'sort'>

/** Whether only institutes that really have a time are meant. */
export const wantsTime = ({ day, part, sort }: Filters): boolean => day !== undefined || part !== undefined || sort === 'soonest'

const isOpen = (loaded: LoadedInstitute, { openNow }: Filters, now: number): boolean => !openNow || openUntil(loaded.diary, now) !== null

/**
 * Institutes that really have a time as asked, with the times: two statements, three when some have none soon. Exact over all the rows given;
 * a stored summary of free time may later say beforehand which rows are worth asking.
 */
async function institutesWithTime<Row extends CandidateRow>(
  db: Db,
  rows: readonly Row[],
  filters: Filters,
  now: number,
): Promise<Match<Row>[]> {
  const matches = await withTimes(
    db,
    rows.filter(({ claimed }) => claimed).map((row) => ({ row })),
    filters,
    now,
  )
  return matches.filter(({ times }) => times !== undefined && times.length > 0)
}

/** The same institutes with service and next times, as the filters on day and part ask for them. */
export async function withTimes<Row extends CandidateRow>(
  db: Db,
  matches: readonly Match<Row>[],
  filters: Filters,
  now: number,
): Promise<Match<Row>[]> {
  const services = new Map<string, AskedService | null>()
  const cartOf = (loaded: LoadedInstitute) => {
    const service = isOpen(loaded, filters, now) ? askedService(loaded, filters.service) : null
    services.set(loaded.institute.id, service)
    return service && [{ serviceId: service.id }]
  }
  const { day, part } = filters
  const found = await nextTimesFor(
    db,
    matches.map(({ row }) => row.id),
    cartOf,
    { now, limit: timesOfCard, ...(day !== undefined && { day }), ...(part !== undefined && { part }) },
  )
  return matches.map(({ row }) => ({ row, service: services.get(row.id) ?? null, times: found.get(row.id)?.times ?? [] }))
}

/** Those of the rows that pass the filters on time, price and opening. */
export async function passing<Row extends CandidateRow>(
  db: Db,
  rows: readonly Row[],
  filters: Filters,
  now: number,
): Promise<Match<Row>[]> {
  if (rows.length === 0) return []
  if (wantsTime(filters)) return institutesWithTime(db, rows, filters, now)
  const priced = filters.service.maxPrice !== undefined
  if (!priced && !filters.openNow && filters.sort !== 'price') return rows.map((row) => ({ row }))
  const menus = await loadMenus(db, {
    instituteIds: rows.map(({ id }) => id),
    now: new Date(now),
    depth: priced || filters.sort === 'price' ? 'menus' : 'hours',
  })
  return rows.flatMap((row) => {
    const loaded = menus.get(row.id)
    if (!loaded || !isOpen(loaded, filters, now)) return []
    if (!priced && filters.sort !== 'price') return [{ row }]
    const service = row.claimed ? askedService(loaded, filters.service) : null
    return priced && !service ? [] : [{ row, service }]
  })
}

/** Whether `passing` may drop rows, so that SQL's count is not the total. */
export const narrows = (filters: Filters): boolean => wantsTime(filters) || filters.service.maxPrice !== undefined || filters.openNow
