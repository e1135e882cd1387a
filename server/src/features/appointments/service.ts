/** Visits as their client and their institute read them. */
import type { Appointment, InstituteVisit } from '@soigne/contract/appointments'
import type { Locale } from '@soigne/contract/wire'
import { type Instant, instantOf } from '@soigne/contract/time'
import { spanOfDay } from '@soigne/scheduling/wall-clock'
import { parseInstant } from '#/platform/instants.ts'
import { ownHome } from '#/features/at-home/service.ts'
import type { Requester } from '#/features/booking/service.ts'
import {
  appointmentForWire,
  attendanceAt,
  type DiaryReaderScope,
  findVisit,
  isAtHome,
  listOfInstitute,
  listOwn,
  overlapForWire,
  segmentsForWire,
  segmentsOf,
  type ShownVisit,
  statusForWire,
} from '#/features/visits/service.ts'
import { mayAlso } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { refuse } from '#/platform/refuse.ts'
import { calendarFile } from './calendar-file.ts'
import { needingForWire, visitsNeeding, zoneOf } from './history-store.ts'
import { visitShown } from './shown.ts'

export { historyOf } from './history-store.ts'
export { changedMeanwhile, type ChangeScope, checkColumn, checkSeen, moveVisit } from './changes.ts'
export { agreedOf, type Move, moveOf, type PlannedMove, planMove, totalAfter } from './move-plan.ts'
export { tellLater, undoChange } from './untold.ts'
export { isBookingUntold } from './untold-store.ts'
export { visitShown } from './shown.ts'
export { visitTimeLines } from './visit-time.ts'

export function visitForWire({ row, segments, overlap }: ShownVisit, locale: Locale, now: Instant): Appointment {
  const appointment = appointmentForWire(row, segments, locale, now)
  const isAhead = row.life !== 'cancelled' && parseInstant(row.endsAt) > now
  return { ...appointment, ...(overlap && isAhead && overlapForWire(overlap)) }
}

export async function appointmentOf(context: AppContext, { scope, locale }: Requester, id: string): Promise<Appointment> {
  const { db } = context.database
  const visit = await visitShown(db, scope, id)
  const home = isAtHome(visit.row) ? await ownHome(db, scope, id) : null
  const now = context.clock.now()
  const needing = visit.row.life === 'booked' ? await visitsNeeding(db, scope, id, new Date(now)) : []
  const neededBy = needingForWire(needing, locale)
  return { ...visitForWire(visit, locale, now), ...(home && { home }), ...(neededBy.length > 0 && { neededBy }) }
}

type Page<T> = { items: T[]; page: number; pageSize: number; total: number }

export async function appointmentsOf(
  context: AppContext,
  who: Requester,
  query: { status?: Appointment['status'] | undefined; when?: 'upcoming' | 'past' | 'over' | undefined; page: number; pageSize: number },
): Promise<Page<Appointment>> {
  const { db } = context.database
  const now = context.clock.now()
  const { rows, total } = await listOwn(db, who.scope, {
    status: query.status ?? null,
    when: query.when ?? null,
    now: new Date(now),
    offset: (query.page - 1) * query.pageSize,
    limit: query.pageSize,
  })
  const segments = await segmentsOf(
    db,
    who.scope,
    rows.map(({ id }) => id),
  )
  return {
    items: rows.map((row) => appointmentForWire(row, segments.get(row.id) ?? [], who.locale, now)),
    page: query.page,
    pageSize: query.pageSize,
    total,
  }
}

/** A visit as the institute sees it; how to reach the customer is for those who may see customers. */
export function visitForInstitute(
  scope: DiaryReaderScope,
  { row, segments }: Pick<ShownVisit, 'row' | 'segments'>,
  locale: Locale,
  now: Instant,
): InstituteVisit {
  return {
    _id: row.id,
    reference: row.reference,
    status: statusForWire(row),
    attendance: attendanceAt(row, now),
    startsAt: row.startsAt,
    endsAt: row.endsAt,
    customer: {
      name: row.customerName ?? '',
      phone: mayAlso(scope, 'customers.read') ? row.customerPhone : null,
    },
    segments: segmentsForWire(segments, row.currency, locale),
    total: { amount: row.totalAmount, currency: row.currency },
    timeZone: row.timeZone,
    note: row.note,
    version: row.revision,
  }
}

interface ListAsked {
  page: number
  pageSize: number
  /** Days of the institute's calendar, both included, or instants. */
  from?: string | undefined
  to?: string | undefined
}
/** More than a month of any calendar. */
const mostOfCalendar = 5000

const isDay = (text: string): boolean => text.length === 10
const beginOf = (timeZone: string, text: string): Instant => (isDay(text) ? instantOf(spanOfDay(timeZone, text).from) : parseInstant(text))
const endOf = (timeZone: string, text: string): Instant => (isDay(text) ? instantOf(spanOfDay(timeZone, text).to) : parseInstant(text))

/** A page of the next visits of an institute, or all that touch the time between two days or instants. */
async function readList(db: Db, scope: DiaryReaderScope, { page, pageSize, from, to }: ListAsked, now: Instant) {
  if (from === undefined && to === undefined)
    return listOfInstitute(db, scope, { now: new Date(now), offset: (page - 1) * pageSize, limit: pageSize })
  const timeZone = await zoneOf(db, scope)
  const start = from === undefined ? now : beginOf(timeZone, from)
  const until = to === undefined ? null : new Date(endOf(timeZone, to))
  return listOfInstitute(db, scope, { now: new Date(start), until, offset: 0, limit: mostOfCalendar })
}

/** The next visits of an institute, or those of its calendar. */
export async function visitsOfInstitute(context: AppContext, scope: DiaryReaderScope, query: ListAsked, locale: Locale) {
  const { db } = context.database
  const now = context.clock.now()
  const found = await readList(db, scope, query, now)
  const segments = await segmentsOf(
    db,
    scope,
    found.rows.map(({ id }) => id),
  )
  const items = found.rows.map((row) => visitForInstitute(scope, { row, segments: segments.get(row.id) ?? [] }, locale, now))
  return { items, page: query.page, pageSize: query.pageSize, total: found.total }
}

/** The visit as an iCalendar file. */
export async function calendarFileOf(context: AppContext, who: Requester, id: string): Promise<string> {
  const { db } = context.database
  const row = await findVisit(db, who.scope, { id })
  if (!row || row.life === 'held') throw refuse('not_found')
  return calendarFile(row, (await segmentsOf(db, who.scope, [id])).get(id) ?? [], who.locale, context.publicUrl())
}
