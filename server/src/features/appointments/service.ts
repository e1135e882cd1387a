/** Visits as their client and their institute read them. */
import type { Appointment } from '@soigne/contract/appointments'
import type { Locale } from '@soigne/contract/wire'
import {
  appointmentForWire,
  attendanceAt,
  findOwn,
  findShown,
  listOfInstitute,
  listOwn,
  overlapForWire,
  type Requester,
  segmentsForWire,
  segmentsOf,
  type ShownVisit,
} from '#/features/booking/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { refuse } from '#/platform/refuse.ts'
import { calendarFile } from './calendar-file.ts'

/** One visit of mine as it is now. */
export async function visitShown(db: Db, own: { id: string; userId: string }): Promise<ShownVisit> {
  const visit = await findShown(db, own)
  if (!visit || visit.row.status === 'held') throw refuse('not_found')
  return visit
}

export function visitForWire({ row, segments, overlap }: ShownVisit, locale: Locale, now: number): Appointment {
  const appointment = appointmentForWire(row, segments, locale, now)
  const isAhead = row.status !== 'cancelled' && Date.parse(row.endsAt) > now
  return { ...appointment, ...(overlap && isAhead && overlapForWire(overlap)) }
}

export const appointmentOf = async (db: Db, own: { id: string; userId: string }, locale: Locale, now: number): Promise<Appointment> =>
  visitForWire(await visitShown(db, own), locale, now)

type Page<T> = { items: T[]; page: number; pageSize: number; total: number }

export async function appointmentsOf(
  context: AppContext,
  who: Requester,
  query: { status?: Appointment['status'] | undefined; when?: 'upcoming' | 'past' | undefined; page: number; pageSize: number },
): Promise<Page<Appointment>> {
  const { db } = context.database
  const now = context.clock.now()
  const { rows, total } = await listOwn(db, {
    userId: who.scope.userId,
    status: query.status ?? null,
    when: query.when ?? null,
    now: new Date(now),
    offset: (query.page - 1) * query.pageSize,
    limit: query.pageSize,
  })
  const segments = await segmentsOf(
    db,
    rows.map(({ id }) => id),
  )
  return {
    items: rows.map((row) => appointmentForWire(row, segments.get(row.id) ?? [], who.locale, now)),
    page: query.page,
    pageSize: query.pageSize,
    total,
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
    found.rows.map(({ id }) => id),
  )
  const items = found.rows.map((row) => {
    const status: Appointment['status'] = row.status === 'held' ? 'pending' : row.status
    return {
      _id: row.id,
      reference: row.reference,
      status,
      attendance: attendanceAt(row, now),
      startsAt: row.startsAt,
      endsAt: row.endsAt,
      customer: { name: row.customerName ?? '', phone: row.customerPhone },
      segments: segmentsForWire(segments.get(row.id) ?? [], row.currency, locale),
      total: { amount: row.totalAmount, currency: row.currency },
      timeZone: row.timeZone,
      note: row.note,
    }
  })
  return { items, page: query.page, pageSize: query.pageSize, total: found.total }
}

/** The visit as an iCalendar file. */
export async function calendarFileOf(context: AppContext, who: Requester, id: string): Promise<string> {
  const { db } = context.database
  const row = await findOwn(db, { id, userId: who.scope.userId })
  if (!row || row.status === 'held') throw refuse('not_found')
  return calendarFile(row, (await segmentsOf(db, [id])).get(id) ?? [], who.locale, context.publicUrl())
}
