/** The list of sales, and what a period comes to. */
import type { Calls } from '@soigne/contract/calls'
import type { Period } from '@soigne/contract/dashboard'
import type { Answer, Parsed } from '@soigne/contract/define'
import { type Instant, instantOf, minuteOf } from '@soigne/contract/time'
import type { Locale } from '@soigne/contract/wire'
import { addDays } from '@soigne/scheduling/days'
import { dayOf, spanOfDay } from '@soigne/scheduling/wall-clock'
import { daysOfPeriod } from '#/features/dashboard/service.ts'
import { partsOfAllTime } from '#/features/monthly-totals/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { foldText } from '#/platform/fold-text.ts'
import { parseInstant } from '#/platform/instants.ts'
import { refuse } from '#/platform/refuse.ts'
import { instituteOf, isMember, latestSales, listSales, takenBetween } from './list-store.ts'
import { rowForWire } from './reading.ts'
import { salesOfMonth, sumOfSales } from './totals.ts'

export { linesOfSale, paymentsOf as paymentsOfSale, type StoredLine, type VisitToPay, visitToPay } from './detail-store.ts'
export { instituteOf } from './list-store.ts'
export { rateOf, readSale } from './reading.ts'
export { salesOfMonth } from './totals.ts'

type ReadScope = InstituteScope<'sales.read'>

export interface Stretch {
  fromDay: string
  toDay: string
  timeZone: string
  currency: string
  from: Date
  to: Date
}

/** The days of a period at the institute, and their instants. */
export async function stretchOf(db: Db, scope: ReadScope, period: Period, now: Instant): Promise<Stretch> {
  const institute = await instituteOf(db, scope)
  if (!institute) throw refuse('not_found')
  const { timeZone, currency, firstAt } = institute
  const today = dayOf(timeZone, minuteOf(now))
  const { fromDay, toDay } = daysOfPeriod(period, today, firstAt === null ? today : dayOf(timeZone, minuteOf(parseInstant(firstAt))))
  return {
    fromDay,
    toDay,
    timeZone,
    currency,
    from: new Date(instantOf(spanOfDay(timeZone, fromDay).from)),
    to: new Date(instantOf(spanOfDay(timeZone, toDay).to)),
  }
}

/** So many days before, or the same days of the month before. */
function earlier(day: string, period: Period): string | null {
  const date = Temporal.PlainDate.from(day)
  if (period === 'allTime') return null
  return period === 'thisMonth' || period === 'lastMonth' ? date.subtract({ months: 1 }).toString() : addDays(day, -7)
}

/** What a period is compared with: a week or a month before, and until the same reading of the clock where it is not over. */
function stretchBefore({ timeZone, fromDay, toDay, to }: Stretch, period: Period, now: Instant): { from: Date; to: Date } | null {
  const isOver = now >= to.getTime()
  // The whole month before, however long that is.
  const last = period === 'lastMonth' ? addDays(fromDay, -1) : earlier(isOver ? toDay : dayOf(timeZone, minuteOf(now)), period)
  const first = earlier(fromDay, period)
  if (first === null || last === null) return null
  const span = spanOfDay(timeZone, last)
  const today = instantOf(spanOfDay(timeZone, dayOf(timeZone, minuteOf(now))).from)
  const end = isOver ? instantOf(span.to) : Math.min(instantOf(span.to), instantOf(span.from) + now - today)
  return { from: new Date(instantOf(spanOfDay(timeZone, first).from)), to: new Date(end) }
}

type Asked = Parsed<Calls['sales']>['query']

/** A page of what was asked for, and how many there are; null where that is everything. */
async function pageOf(db: Db, scope: ReadScope, { from, to }: Stretch, now: Instant, asked: Asked) {
  const { status = null, method = null, staff = null, due, what, page, pageSize } = asked
  const span = { from, to, offset: (page - 1) * pageSize, limit: pageSize }
  const words = foldText(what)
  if (status === null && method === null && staff === null && due === undefined && words === '')
    return { rows: await latestSales(db, scope, span), count: null }
  const number = what.trim().toUpperCase()
  const rows = await listSales(db, scope, {
    ...span,
    status,
    method,
    due: due === undefined ? null : new Date(now),
    memberId: staff,
    words,
    number,
  })
  return { rows, count: rows[0]?.count ?? 0 }
}

export async function salesOf(context: AppContext, scope: ReadScope, asked: Asked, locale: Locale): Promise<Answer<Calls['sales']>> {
  const { db } = context.database
  const { instituteId } = scope
  const now = context.clock.now()
  const { period, page, pageSize } = asked
  if (asked.staff !== undefined && !(await isMember(db, scope, asked.staff))) throw refuse('not_found')
  const stretch = await stretchOf(db, scope, period, now)
  const { currency, timeZone, fromDay, toDay } = stretch
  const { rows, count } = await pageOf(db, scope, stretch, now, asked)
  const whole = { instituteId, ...stretch }
  const at = new Date(now)
  const totals = sumOfSales(
    period === 'allTime' ? await partsOfAllTime(db, scope, salesOfMonth, whole, at) : [await salesOfMonth.count(db, scope, whole, at)],
  )
  const before = stretchBefore(stretch, period, now)
  const money = (amount: number) => ({ amount, currency })
  return {
    items: rows.map((row) => rowForWire(row, currency, locale)),
    page,
    pageSize,
    total: count ?? totals.count,
    timeZone,
    totals: {
      fromDay,
      toDay,
      taken: money(totals.taken),
      payments: totals.payments,
      refunded: money(totals.refunded),
      tips: money(totals.tips),
      methods: totals.methods,
      before: before && money(await takenBetween(db, scope, before.from, before.to)),
      due: money(totals.due),
      cancelled: { amount: totals.cancelledAmount, visits: totals.cancelledVisits },
      invoiced: totals.invoiced,
    },
  }
}
