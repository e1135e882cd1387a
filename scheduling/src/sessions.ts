/**
 * Group sessions: one time, one member, seats for many. A service with more than one seat is offered at its sessions and at no other time.
 * A session sets its own time: opening hours, shifts, the grid and gaps do not count for it. Closures, leave, notice and the horizon do.
 */
import { MINUTES_OF_DAY, addDays, dayNumber, dayOfNumber } from './days.ts'
import type {
  Asking,
  CartLine,
  Day,
  DayRange,
  EpochMinute,
  GroupSession,
  InstituteDiary,
  MemberDiary,
  Offer,
  Planning,
  RefusalReason,
  ServiceRule,
  Span,
} from './model.ts'
import { prerequisiteHolds, prerequisitesOf } from './prerequisites.ts'
import { earliestStart, lastBookableDay } from './visit-question.ts'
import { dayOf, edgeAt, spanOfDay, zoneClock } from './wall-clock.ts'

/** Whether a service is given to groups. */
export const isGroupService = (rule: Pick<ServiceRule, 'capacity'> | undefined): boolean => (rule?.capacity ?? 1) > 1

/** Whether a cart asks for a seat of a session. */
export const asksForSeat = (diary: InstituteDiary, cart: readonly CartLine[]): boolean =>
  cart.some(({ serviceId }) => isGroupService(diary.services.get(serviceId)))

/** Why a session is not held after all, whoever wants a seat. */
export function whyNotGiven(
  diary: InstituteDiary,
  session: Pick<GroupSession, 'serviceId' | 'memberId' | 'resourceId' | 'from' | 'to'>,
): Extract<RefusalReason, 'closed' | 'on_leave' | 'no_resource'> | undefined {
  const { timeZone } = diary
  if (touches(timeZone, diary.closures, session)) return 'closed'
  const member = diary.members.find(({ id }) => id === session.memberId)
  if (member !== undefined && touches(timeZone, member.absences, session)) return 'on_leave'
  const type = diary.services.get(session.serviceId)?.resourceType
  const resource = diary.resources.find(({ id }) => id === session.resourceId)
  return resource !== undefined && resource.type === type && touches(timeZone, resource.closures, session) ? 'no_resource' : undefined
}

/** Whether days of the calendar, or the same minutes of each, have any minute of a session. */
function touches(timeZone: string, ranges: readonly DayRange[], session: Span): boolean {
  if (ranges.length === 0) return false
  const clock = zoneClock(timeZone)
  const first = dayNumber(dayOf(timeZone, session.from))
  const last = dayNumber(dayOf(timeZone, session.to - 1))
  return ranges.some(({ fromDay, toDay, part }) => {
    for (let number = first - 2; number <= last; number++) {
      const day = dayOfNumber(number)
      if (day < fromDay || toDay < day) continue
      const from = edgeAt(clock, number, part?.opensAt ?? 0)
      const to = edgeAt(clock, number, part?.closesAt ?? MINUTES_OF_DAY)
      if (from < to && from < session.to && session.from < to) return true
    }
    return false
  })
}

interface Seats {
  readonly session: GroupSession
  readonly member: MemberDiary
  readonly left: number
}

/** The sessions a line of a cart may mean that begin from…to, first those with most free seats, of equals in the order of the team. */
function sessionsFor(diary: InstituteDiary, { serviceId, memberId }: CartLine, from: EpochMinute, to: EpochMinute): readonly Seats[] {
  return (diary.sessions ?? [])
    .flatMap((session): Seats[] => {
      if (session.serviceId !== serviceId || session.from < from || session.from >= to) return []
      if (memberId !== undefined && session.memberId !== memberId) return []
      const member = diary.members.find(({ id }) => id === session.memberId)
      return member?.performs.has(serviceId) === true ? [{ session, member, left: session.seats - session.taken }] : []
    })
    .sort(
      (a, b) =>
        a.session.from - b.session.from ||
        b.left - a.left ||
        a.member.order - b.member.order ||
        (a.member.id < b.member.id ? -1 : a.member.id > b.member.id ? 1 : a.session.id < b.session.id ? -1 : 1),
    )
}

/** The offers of a cart that asks for a seat, from…to, in order of time. */
export function seatOffers(
  diary: InstituteDiary,
  cart: readonly CartLine[],
  asking: Asking,
  from: EpochMinute,
  to: EpochMinute,
): readonly Offer[] {
  const [line] = cart
  if (line === undefined || cart.length > 1) return []
  const earliest = Math.max(from, earliestStart(diary, cart, asking))
  const horizon = asking.forInstitute === true ? to : spanOfDay(diary.timeZone, lastBookableDay(diary, asking)).to
  const open = sessionsFor(diary, line, earliest, Math.min(to, horizon)).filter(
    ({ session, left }) =>
      left > 0 && whyNotGiven(diary, session) === undefined && missing(diary, cart, session.from, asking) === undefined,
  )
  return [...Map.groupBy(open, ({ session }) => session.from)].map(([startsAt, together]) => ({
    startsAt,
    endsAt: together[0]!.session.to,
    strandedMinutes: 0,
    seatsLeft: together.reduce((sum, { left }) => sum + left, 0),
  }))
}

/** The same for whole days of the calendar. */
export const seatOffersOfDays = (
  diary: InstituteDiary,
  cart: readonly CartLine[],
  asking: Asking,
  fromDay: Day,
  days: number,
): readonly Offer[] =>
  seatOffers(diary, cart, asking, spanOfDay(diary.timeZone, fromDay).from, spanOfDay(diary.timeZone, addDays(fromDay, days)).from)

function missing(diary: InstituteDiary, cart: readonly CartLine[], startsAt: EpochMinute, { client }: Asking) {
  if (client === undefined) return undefined
  return prerequisitesOf(diary, cart).find(({ prerequisite }) => !prerequisiteHolds(diary.timeZone, prerequisite, client, startsAt))
}

/** Decides a seat at a start that is neither too early nor too late: in the session with most free seats, of equals in the order of the team. */
export function planSeat(diary: InstituteDiary, cart: readonly CartLine[], startsAt: EpochMinute, asking: Asking): Planning {
  const [line] = cart
  if (line === undefined || cart.length > 1) return { ok: false, reason: 'session_alone', members: [] }
  const unmet = missing(diary, cart, startsAt, asking)
  if (unmet !== undefined) return { ok: false, reason: 'prerequisite', ...unmet, members: [] }
  const there = sessionsFor(diary, line, startsAt, startsAt + 1)
  const given = there.filter(({ session }) => whyNotGiven(diary, session) === undefined)
  const [chosen] = given
  if (chosen === undefined) {
    const reason = there[0] === undefined ? 'no_session' : (whyNotGiven(diary, there[0].session) ?? 'no_session')
    return { ok: false, reason, line: 0, members: [] }
  }
  const { session, member, left } = chosen
  if (left <= 0) return { ok: false, reason: 'full', line: 0, members: [] }
  const { serviceId, memberId, resourceId, to: endsAt } = session
  const parts = member.performs.get(serviceId)?.parts ?? diary.services.get(serviceId)!.parts
  const segment = { line: 0, serviceId, memberId, startsAt, endsAt, parts, ...(resourceId === undefined ? {} : { resourceId }) }
  return { ok: true, plan: { startsAt, endsAt, segments: [segment], occupations: [], strandedMinutes: 0, sessionId: session.id } }
}
