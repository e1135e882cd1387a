/** The first page of the dashboard: today as it stands, the week's revenue, and figures of a period. */
import type { Dashboard, Figures, Period } from '@soigne/contract/dashboard'
import { type Instant, instantOf, minuteOf } from '@soigne/contract/time'
import type { Locale } from '@soigne/contract/wire'
import { addDays, dayNumber, weekdayOfNumber } from '@soigne/scheduling/days'
import { dayOf, edgeAt, spanOfDay, wallMinuteOf, zoneClock } from '@soigne/scheduling/wall-clock'
import { visitForInstitute } from '#/features/appointments/service.ts'
import { loadDiary } from '#/features/availability/service.ts'
import { openDisputes } from '#/features/disputes/service.ts'
import { keepUp, partsOfAllTime } from '#/features/monthly-totals/service.ts'
import { refusedOf } from '#/features/payments/service.ts'
import { findAllShown } from '#/features/visits/service.ts'
import { type InstituteScope, mayAlso } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { instantText, parseInstant } from '#/platform/instants.ts'
import { refuse } from '#/platform/refuse.ts'
import { localised } from '#/texts/translate.ts'
import { figuresOfMonth, stepOf, sumOfFigures } from './figures.ts'
import { memberDays } from './occupancy.ts'
import { busyBetween, instituteOf, namesOfServices, revenueBetween, type Slot, slotsBetween, toDoOf, visitsBetween } from './store.ts'

export { figuresOfMonth } from './figures.ts'

type ReadScope = InstituteScope<'diary.read'>

const daysShown = 28
const mostServices = 8

/** The instants of a day, or from one to another. */
function between(timeZone: string, fromDay: string, toDay = fromDay): { from: Date; to: Date } {
  return { from: new Date(instantOf(spanOfDay(timeZone, fromDay).from)), to: new Date(instantOf(spanOfDay(timeZone, toDay).to)) }
}

async function found(db: Db, scope: ReadScope) {
  const institute = await instituteOf(db, scope)
  if (!institute) throw refuse('not_found')
  return institute
}

/** What a group of steps adds up to on each day of the zone. */
function byDay(slots: readonly Slot[], timeZone: string, step: number): Map<string, number> {
  const days = new Map<string, number>()
  for (const { slot, revenue } of slots) {
    const day = dayOf(timeZone, slot * step)
    days.set(day, (days.get(day) ?? 0) + revenue)
  }
  return days
}

/** From Monday until now, beside the week before until the same reading of the clock. */
async function revenueOf(db: Db, scope: ReadScope, asked: { timeZone: string; currency: string; today: string; now: Instant }) {
  const { timeZone, currency, today, now } = asked
  const monday = addDays(today, 1 - weekdayOfNumber(dayNumber(today)))
  // By the clock, not by what has passed since midnight: of these hours there is one more, or one fewer, when clocks change today.
  const sameHour = instantOf(edgeAt(zoneClock(timeZone), dayNumber(today) - 7, wallMinuteOf(timeZone, minuteOf(now))))
  const sum = (from: Date, until: Instant) => revenueBetween(db, scope, { from, to: new Date(until), now: new Date(until) })
  const money = (amount: number) => ({ amount, currency })
  const firstDay = addDays(today, 1 - daysShown)
  const step = stepOf(timeZone)
  const days = byDay(
    await slotsBetween(db, scope, {
      instituteId: scope.instituteId,
      ...between(timeZone, firstDay, today),
      now: new Date(now),
      minutes: step,
    }),
    timeZone,
    step,
  )
  return {
    week: money(await sum(between(timeZone, monday).from, now)),
    weekBefore: money(await sum(between(timeZone, addDays(monday, -7)).from, sameHour)),
    days: Array.from({ length: daysShown }, (_, at) => ({ day: addDays(firstDay, at), amount: days.get(addDays(firstDay, at)) ?? 0 })),
  }
}

export async function dashboardOf(context: AppContext, scope: ReadScope, locale: Locale): Promise<Dashboard> {
  const { db } = context.database
  const now = context.clock.now()
  const { timeZone, currency } = await found(db, scope)
  await keepUp(db, scope, scope.instituteId, new Date(now))
  const today = dayOf(timeZone, minuteOf(now))
  const { from, to } = between(timeZone, today)
  const rows = await visitsBetween(db, scope, from, to)
  const booked = rows.filter((row) => row.life === 'booked')
  const ids = booked.map(({ id }) => id)
  const shown = await findAllShown(
    db,
    ids.map(() => scope),
    ids,
  )
  const loaded = await loadDiary(db, { instituteId: scope.instituteId, from, to, now: new Date(now) })
  const members = loaded ? memberDays(loaded, today, await busyBetween(db, scope, from, to)) : []
  // The desk collects what is left of today; what was left of days before is for who sees sales.
  const unpaidFrom = mayAlso(scope, 'sales.read') ? between(timeZone, addDays(today, -6)).from : from
  const toDo = await toDoOf(db, scope, { today, now: new Date(now), unpaidFrom })
  // Who is away works on nothing, whatever they still have in the calendar.
  const atWork = members.filter(({ shiftMinutes }) => shiftMinutes > 0)
  const sum = (key: 'shiftMinutes' | 'busyMinutes') => atWork.reduce((total, one) => total + one[key], 0)
  return {
    now: instantText(now),
    timeZone,
    day: today,
    visits: ids.flatMap((id) => {
      const visit = shown.get(id)
      return visit ? [visitForInstitute(scope, visit, locale, now)] : []
    }),
    cancelled: rows.length - booked.length,
    noShows: booked.filter(({ attendance }) => attendance === 'no_show').length,
    occupancy: { shiftMinutes: sum('shiftMinutes'), busyMinutes: sum('busyMinutes'), members },
    toDo: {
      unmarked: toDo.unmarked,
      unreadChats: mayAlso(scope, 'messages.answer') ? toDo.unreadChats : null,
      unansweredReviews: mayAlso(scope, 'reviews.answer') ? toDo.unansweredReviews : null,
      leaveRequests: mayAlso(scope, 'team.change') ? toDo.leaveRequests : null,
      unpaid: mayAlso(scope, 'sales.take') ? toDo.unpaid : null,
      refusedRefunds: mayAlso(scope, 'sales.refund') ? await refusedOf(db, scope) : null,
      disputes: mayAlso(scope, 'sales.refund') ? await openDisputes(db, scope) : null,
    },
    revenue: mayAlso(scope, 'sales.read') ? await revenueOf(db, scope, { timeZone, currency, today, now }) : null,
  }
}

/** The days of a period, seen from today. */
export function daysOfPeriod(period: Period, today: string, firstDay: string): { fromDay: string; toDay: string } {
  const firstOfMonth = `${today.slice(0, 7)}-01`
  const lastOfBefore = addDays(firstOfMonth, -1)
  const days: Record<Period, [string, string]> = {
    today: [today, today],
    yesterday: [addDays(today, -1), addDays(today, -1)],
    last7days: [addDays(today, -6), today],
    thisMonth: [firstOfMonth, today],
    lastMonth: [`${lastOfBefore.slice(0, 7)}-01`, lastOfBefore],
    allTime: [firstDay < today ? firstDay : today, today],
  }
  const [fromDay, toDay] = days[period]
  return { fromDay, toDay }
}

export async function figuresOf(context: AppContext, scope: ReadScope, period: Period, locale: Locale): Promise<Figures> {
  const { db } = context.database
  const now = new Date(context.clock.now())
  const { timeZone, currency, firstAt } = await found(db, scope)
  const today = dayOf(timeZone, minuteOf(now.getTime()))
  const first = firstAt === null ? today : dayOf(timeZone, minuteOf(parseInstant(firstAt)))
  const { fromDay, toDay } = daysOfPeriod(period, today, first)
  const stretch = { instituteId: scope.instituteId, timeZone, fromDay, toDay, ...between(timeZone, fromDay, toDay) }
  const parts =
    period === 'allTime'
      ? await partsOfAllTime(db, scope, figuresOfMonth, stretch, now)
      : [await figuresOfMonth.count(db, scope, stretch, now)]
  const { services, hours, revenue, ...counts } = sumOfFigures(parts)
  const best = services.toSorted((a, b) => b[1] - a[1] || b[2] - a[2] || (a[0] < b[0] ? -1 : 1)).slice(0, mostServices)
  const ids = best.map(([id]) => id)
  const names = new Map((await namesOfServices(db, scope, ids)).map(({ id, name }) => [id, localised(name, locale) ?? '']))
  const seesMoney = mayAlso(scope, 'sales.read')
  const money = (amount: number) => (seesMoney ? { amount, currency } : null)
  return {
    fromDay,
    toDay,
    ...counts,
    revenue: money(revenue),
    hours: hours.map(([key, visits]) => ({ weekday: Math.floor(key / 24), hour: key % 24, visits })),
    services: best.map(([_id, visits, amount]) => ({ _id, name: names.get(_id) ?? '', visits, revenue: money(amount) })),
  }
}
