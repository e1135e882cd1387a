/** Visits as their client and their institute read them. */
import type { Appointment, InstituteVisit } from '@soigne/contract/appointments'
import type { Locale } from '@soigne/contract/wire'
import type { Instant } from '@soigne/contract/time'
import { parseInstant } from '#/platform/instants.ts'
import type { Requester } from '#/features/booking/service.ts'
import {
  appointmentForWire,
  attendanceAt,
  findShown,
  findVisit,
  listOfInstitute,
  listOwn,
  overlapForWire,
  segmentsForWire,
  segmentsOf,
  type ShownVisit,
  statusForWire,
  type VisitScope,
} from '#/features/visits/service.ts'
import { type InstituteScope, mayAlso } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { refuse } from '#/platform/refuse.ts'
import { calendarFile } from './calendar-file.ts'

export { visitTimeLines } from './visit-time.ts'

/** One visit as it is now. */
export async function visitShown(db: Db, scope: VisitScope, id: string): Promise<ShownVisit> {
  const visit = await findShown(db, scope, id)
  if (!visit || visit.row.life === 'held') throw refuse('not_found')
  return visit
}

export function visitForWire({ row, segments, overlap }: ShownVisit, locale: Locale, now: Instant): Appointment {
  const appointment = appointmentForWire(row, segments, locale, now)
  const isAhead = row.life !== 'cancelled' && parseInstant(row.endsAt) > now
  return { ...appointment, ...(overlap && isAhead && overlapForWire(overlap)) }
}

export const appointmentOf = async (context: AppContext, { scope, locale }: Requester, id: string): Promise<Appointment> =>
  visitForWire(await visitShown(context.database.db, scope, id), locale, context.clock.now())

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
  scope: InstituteScope<'diary.read'> | InstituteScope<'diary.change'>,
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
  }
}

/** The next visits of an institute. */
export async function visitsOfInstitute(
  context: AppContext,
  scope: InstituteScope<'diary.read'>,
  query: { page: number; pageSize: number },
  locale: Locale,
) {
  const { db } = context.database
  const now = context.clock.now()
  const found = await listOfInstitute(db, scope, {
    now: new Date(now),
    offset: (query.page - 1) * query.pageSize,
    limit: query.pageSize,
  })
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
