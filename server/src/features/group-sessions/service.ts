/** What an institute does with its group sessions. Seats are visits like others: clients hold, confirm, move and cancel them by the calls of every visit. */
import { randomUUIDv7 } from 'node:crypto'
import { instantOf, minuteOf } from '@soigne/contract/time'
import { addDays } from '@soigne/scheduling/days'
import { dayOf, spanOfDay } from '@soigne/scheduling/wall-clock'
import { freeLapsed, freeTime, keyOf, markCancelled, markMoved, type Requester } from '#/features/booking/service.ts'
import { returnMoneyOf } from '#/features/payments/service.ts'
import { partyOf, stateOf, stepFrom, termsAfterMove } from '#/features/visits/service.ts'
import { changeWithinWall, type DiaryScope, readInstant } from '#/features/diary-entries/service.ts'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { parseInstant } from '#/platform/instants.ts'
import { refuse } from '#/platform/refuse.ts'
import { diaryAround, type PlaceAsked, placeFor, placeIn } from './placing.ts'
import {
  endHold,
  findSession,
  freeSessionTime,
  insertSession,
  listSessions,
  moveSegmentOf,
  type Place,
  placeSession,
  removeSession,
  resizeTo,
  type Seated,
  type SessionRow,
  visitsOf,
  zoneOf,
} from './store.ts'

export { type PlanAsked, planSessions } from './planning.ts'
export type { SessionRow } from './store.ts'

const told = ({ serviceId, memberId, resourceId, startsAt, endsAt, capacity }: SessionRow) => ({
  serviceId,
  memberId,
  resourceId,
  startsAt,
  endsAt,
  capacity,
})

async function session(unit: Unit, id: string): Promise<SessionRow> {
  const row = await findSession(unit, id)
  if (!row) throw refuse('not_found')
  return row
}

/** A session that can still be changed. */
async function coming(unit: Unit, id: string): Promise<SessionRow> {
  const row = await session(unit, id)
  if (parseInstant(row.startsAt) <= unit.now) throw refuse('wrong_state')
  return row
}

export interface SessionAsked {
  serviceId: string
  memberId: string
  startsAt: string
  /** As many seats as the service has when absent. */
  capacity?: number | undefined
  resourceId?: string | undefined
}

/** What stands in the way of a place that was found, for the wall's refusal. */
const wanting = (memberId: string, except: string | null) => {
  const stretches: { startsAt: string; endsAt: string }[] = []
  const add = ({ busyFrom, busyTo }: Place): void => void stretches.push({ startsAt: busyFrom, endsAt: busyTo })
  return {
    wanted: { subjectId: memberId, stretches: () => stretches, inTheWay: ({ id }: { id: string }) => id !== except },
    add,
    /** Another try begins anew. */
    take(place: Place): void {
      stretches.length = 0
      add(place)
    },
    clear: (): void => void (stretches.length = 0),
  }
}

async function put(
  unit: Unit,
  asked: Omit<SessionAsked, 'startsAt'>,
  { capacity, ...place }: Place & { capacity: number },
): Promise<SessionRow> {
  const id = randomUUIDv7()
  await insertSession(unit, { id, serviceId: asked.serviceId, capacity: asked.capacity ?? capacity, place })
  const row = await session(unit, id)
  unit.record('session.opened', id, told(row))
  return row
}

/** @throws time_taken with what the member has then, not_offered where a rule, a closure or leave forbids it, not_found for what is somebody else's */
export async function openSession(context: AppContext, scope: DiaryScope, asked: SessionAsked): Promise<SessionRow> {
  const startsAt = readInstant('startsAt', asked.startsAt, context.clock.now())
  const { wanted, take } = wanting(asked.memberId, null)
  return changeWithinWall(context, scope, wanted, async (unit) => {
    const place = await placeFor(unit, { ...asked, startsAt })
    take(place)
    return put(unit, asked, place)
  })
}

/** All of them, or none where one does not fit. @throws like opening one */
export async function openSessions(
  context: AppContext,
  who: Requester<DiaryScope>,
  { startsAt: texts, ...asked }: Omit<SessionAsked, 'startsAt'> & { startsAt: readonly string[] },
): Promise<SessionRow[]> {
  const starts = texts.map((text, n) => readInstant(`startsAt.${n}`, text, context.clock.now()))
  const { wanted, add, clear } = wanting(asked.memberId, null)
  const key = keyOf(who, { call: 'openGroupSessions', startsAt: texts, ...asked })
  return changeWithinWall(context, who.scope, { ...wanted, key }, async (unit) => {
    clear()
    const diary = await diaryAround(unit, starts)
    const opened: SessionRow[] = []
    for (const startsAt of starts) {
      const place = placeIn(diary, { ...asked, startsAt }, unit.now)
      add(place)
      opened.push(await put(unit, asked, place))
    }
    return opened
  })
}

/** Seats that are only held are let go: their holders chose another time. */
async function releaseSeat(unit: Unit, { id, startsAt, endsAt }: Seated): Promise<void> {
  await freeTime(unit, id)
  await endHold(unit, id)
  unit.record('visit.released', id, { startsAt, endsAt })
}

async function moveSeat(unit: Unit, visit: Seated, place: Place): Promise<void> {
  const { id, terms } = visit
  const { startsAt, endsAt } = place
  await moveSegmentOf(unit, id, place)
  const at = parseInstant(startsAt)
  await markMoved(unit, { id, startsAt: new Date(at), endsAt: new Date(endsAt), terms: termsAfterMove(terms, at, unit.now) })
  unit.record('visit.moved', id, { startsAt, endsAt, before: { startsAt: visit.startsAt, endsAt: visit.endsAt } })
}

/** To another time, member or room; whoever booked goes with it and is told. @throws like opening it, and wrong_state once it has begun */
export async function moveSession(
  context: AppContext,
  scope: DiaryScope,
  id: string,
  to: { startsAt: string; memberId?: string | undefined; resourceId?: string | undefined },
): Promise<SessionRow> {
  const startsAt = readInstant('startsAt', to.startsAt, context.clock.now())
  const { wanted, take } = wanting(to.memberId ?? '', id)
  return changeWithinWall(context, scope, wanted, async (unit) => {
    const before = await coming(unit, id)
    const memberId = to.memberId ?? before.memberId
    wanted.subjectId = memberId
    const visits = await visitsOf(unit, id)
    await freeSessionTime(unit, id)
    const asked: PlaceAsked = { serviceId: before.serviceId, memberId, resourceId: to.resourceId, preferredId: before.resourceId, startsAt }
    const place = await placeFor(unit, asked)
    take(place)
    await placeSession(unit, id, place)
    for (const visit of visits) await (visit.life === 'held' ? releaseSeat(unit, visit) : moveSeat(unit, visit, place))
    const row = await session(unit, id)
    unit.record('session.moved', id, { ...told(row), before: told(before) })
    return row
  })
}

/** @throws seats_taken with how many, when the session would have fewer seats than that */
export const resizeSession = (context: AppContext, scope: DiaryScope, id: string, capacity: number): Promise<SessionRow> =>
  changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    await freeLapsed(unit)
    const before = await coming(unit, id)
    const taken = (await visitsOf(unit, id)).length
    if (capacity < taken) throw refuse('seats_taken', { taken })
    await resizeTo(unit, id, capacity)
    const row = await session(unit, id)
    unit.record('session.resized', id, told({ ...before, capacity: row.capacity }))
    return row
  })

/** Cancels it with every visit booked in it, and lets held seats go. @throws wrong_state once it has begun */
export const cancelSession = (context: AppContext, scope: DiaryScope, id: string, reason: string | null): Promise<void> =>
  changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    await freeLapsed(unit)
    const row = await coming(unit, id)
    const by = partyOf(scope.actor)
    for (const visit of await visitsOf(unit, id)) {
      if (visit.life === 'held') {
        await releaseSeat(unit, visit)
        continue
      }
      if (!stepFrom('cancel', stateOf(visit), by)) throw refuse('wrong_state')
      await markCancelled(unit, { id: visit.id, by, reason, now: new Date(unit.now) })
      await freeTime(unit, visit.id)
      await returnMoneyOf(unit, scope.actor, visit.id, by)
      unit.record('visit.cancelled', visit.id, { startsAt: visit.startsAt, endsAt: visit.endsAt, by, reason, isReasonTold: true })
    }
    await removeSession(unit, id)
    unit.record('session.closed', id, told(row))
  })

/** Sessions that touch some days of the institute's calendar, soonest first. */
export async function sessionsOfDays(
  context: AppContext,
  scope: InstituteScope<'diary.read'>,
  { from, days }: { from?: string | undefined; days: number },
): Promise<SessionRow[]> {
  const { db } = context.database
  const now = context.clock.now()
  const timeZone = await zoneOf(db, scope)
  const first = from ?? dayOf(timeZone, minuteOf(now))
  const instant = (day: string): Date => new Date(instantOf(spanOfDay(timeZone, day).from))
  return listSessions(db, scope, { from: instant(first), to: instant(addDays(first, days)), now: new Date(now) })
}
