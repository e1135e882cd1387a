/** The first page of the dashboard: the day of an institute as it stands, and figures of a period. All days are those of the institute's zone. */
import * as z from 'zod/mini'
import { instituteVisit } from './appointments.ts'
import { defineCalls } from './define.ts'
import { dispute, refusedRefund } from './payments.ts'
import { money } from './wire.ts'

/** Periods that figures are asked for, in the order of the specification. */
export const periods = ['today', 'yesterday', 'last7days', 'thisMonth', 'lastMonth', 'allTime'] as const
/** Schema of a period. */
export const period = z.enum(periods)
export type Period = z.output<typeof period>

const stretch = z.object({ startsAt: z.string(), endsAt: z.string() })

/** How full somebody's day is. What is taken counts once where visits overlap, without idle parts and without those who did not come. */
const fullness = { shiftMinutes: z.int(), busyMinutes: z.int() }
const memberDay = z.object({
  _id: z.string(),
  name: z.string(),
  imageUrl: z.string(),
  /** When they work, breaks and absences left out. */
  shifts: z.array(stretch),
  busy: z.array(stretch),
  ...fullness,
})

const dashboard = z.object({
  /** The server's clock. */
  now: z.string(),
  timeZone: z.string(),
  day: z.string(),
  /** Everything booked for today, in order. */
  visits: z.array(instituteVisit),
  cancelled: z.int(),
  noShows: z.int(),
  occupancy: z.object({ ...fullness, members: z.array(memberDay) }),
  /** Only what waits for somebody; null where the caller may not do it. */
  toDo: z.object({
    /** Visits that have ended and are not marked; they turn done one hour after their end. */
    unmarked: z.int(),
    unreadChats: z.nullable(z.int()),
    unansweredReviews: z.nullable(z.int()),
    /** Days off that the team asks for. */
    leaveRequests: z.nullable(z.int()),
    /** Visits that are over and not paid in full, where money is taken here: of the last seven days, or of today for who takes money and sees no sales; null for anybody else. */
    unpaid: z.nullable(z.int()),
    /** Money that did not go back and waits for somebody, the last first. */
    refusedRefunds: z.nullable(z.array(refusedRefund)),
    /** Those the bank has not decided yet. */
    disputes: z.nullable(z.array(dispute)),
  }),
  /** Prices of visits that are done; null for those who may not see money. */
  revenue: z.nullable(
    z.object({
      /** From Monday until now, and of the week before until the same hour. */
      week: money,
      weekBefore: money,
      /** The last 28 days, today last. */
      days: z.array(z.object({ day: z.string(), amount: z.int() })),
    }),
  ),
})
export type Dashboard = z.output<typeof dashboard>

const figures = z.object({
  /** The first day there is something of, and the last. */
  fromDay: z.string(),
  toDay: z.string(),
  visits: z.int(),
  /** Of them those that are done: marked so, or over for an hour without a mark. */
  done: z.int(),
  cancelled: z.int(),
  noShows: z.int(),
  revenue: z.nullable(money),
  /** Visits that began in an hour of a weekday, Monday 1; hours without any are left out. */
  hours: z.array(z.object({ weekday: z.int(), hour: z.int(), visits: z.int() })),
  /** Most done first, at most eight. */
  services: z.array(z.object({ _id: z.string(), name: z.string(), visits: z.int(), revenue: z.nullable(money) })),
})
export type Figures = z.output<typeof figures>

/** Reading the first page. */
export const dashboardCalls = defineCalls({
  dashboard: {
    method: 'GET',
    path: '/api/v1/secure/mysalon/dashboard',
    access: { of: 'institute', may: 'diary.read' },
    tag: 'dashboard',
    summary: 'Today at my institute: visits, how full the day is, what waits for somebody, and the revenue of the week',
    answer: dashboard,
  },
  dashboardFigures: {
    method: 'GET',
    path: '/api/v1/secure/mysalon/dashboard/figures',
    access: { of: 'institute', may: 'diary.read' },
    tag: 'dashboard',
    summary: 'Figures of a period: visits, cancellations, no-shows, busiest hours and the services done most',
    query: z.object({ period: z._default(period, 'thisMonth') }),
    answer: figures,
  },
})
