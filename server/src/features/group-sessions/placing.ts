/** Where a session can be put: who gives it, in which room, until when. */
import { dayMs, type Instant, minuteOf } from '@soigne/contract/time'
import { spanMinutes } from '@soigne/scheduling/free-time'
import type { InstituteDiary, ResourceDiary, Span } from '@soigne/scheduling/model'
import { isGroupService, whyNotGiven } from '@soigne/scheduling/sessions'
import { loadDiary } from '#/features/availability/service.ts'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { Db } from '#/platform/database.ts'
import { minuteText } from '#/platform/instants.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import type { Place } from './store.ts'

export interface PlaceAsked {
  serviceId: string
  memberId: string
  /** Any free one when absent. */
  resourceId?: string | undefined
  /** Where any will do: this one where it is free. */
  preferredId?: string | null | undefined
  startsAt: Instant
}

const isFree = ({ busy }: ResourceDiary, { from, to }: Span): boolean => busy.every((span) => span.to <= from || span.from >= to)

/** The room of a session: the one asked for, else the first that is free. */
function roomFor(diary: InstituteDiary, asked: PlaceAsked, session: Span, busy: Span): string | null {
  const type = diary.services.get(asked.serviceId)?.resourceType
  if (asked.resourceId !== undefined && !diary.resources.some((one) => one.id === asked.resourceId && one.type === type))
    throw refuse('not_found', { resourceId: asked.resourceId })
  if (type === undefined) return null
  const fits = ({ id }: ResourceDiary): boolean => whyNotGiven(diary, { ...asked, ...session, resourceId: id }) !== 'no_resource'
  const room = diary.resources
    .filter((one) => one.type === type && (asked.resourceId === undefined || one.id === asked.resourceId))
    .toSorted((a, b) => Number(b.id === asked.preferredId) - Number(a.id === asked.preferredId))
    .find((one) => isFree(one, busy) && fits(one))
  if (!room) throw refuse('not_offered', { reason: 'no_resource' })
  return room.id
}

/** The diary of the days around some starts. @throws not_found */
export async function diaryAround(
  { db, instituteId, now }: { db: Db; instituteId: string; now: Instant },
  starts: readonly Instant[],
): Promise<InstituteDiary> {
  const loaded = await loadDiary(db, {
    instituteId,
    from: new Date(Math.min(...starts) - dayMs),
    to: new Date(Math.max(...starts) + dayMs),
    now: new Date(now),
  })
  if (!loaded) throw refuse('not_found')
  return loaded.diary
}

/**
 * Decides it on the diary as it is. Opening hours and shifts do not bind the institute, closures and leave do.
 * @throws not_found for a service, a member or a room of somebody else, not_offered with the reason
 */
export function placeIn(diary: InstituteDiary, asked: PlaceAsked, now: Instant): Place & { capacity: number } {
  const { serviceId, memberId, startsAt } = asked
  const service = diary.services.get(serviceId)
  if (!service) throw refuse('not_found', { serviceId })
  const member = diary.members.find(({ id }) => id === memberId)
  if (!member) throw refuse('not_found', { staffId: memberId })
  if (!isGroupService(service)) throw refuseField('serviceId', 'not_for_groups')
  if (startsAt <= now) throw refuse('not_offered', { reason: 'past' })
  const performance = member.performs.get(serviceId)
  if (!performance) throw refuse('not_offered', { reason: 'not_performed' })
  const from = minuteOf(startsAt)
  const session = { from, to: from + spanMinutes(performance.parts ?? service.parts) }
  const busy = { from: session.from - service.bufferBeforeMinutes, to: session.to + service.bufferAfterMinutes }
  const resourceId = roomFor(diary, asked, session, busy)
  const reason = whyNotGiven(diary, { ...session, serviceId, memberId })
  if (reason !== undefined) throw refuse('not_offered', { reason })
  return {
    memberId,
    resourceId,
    startsAt: minuteText(session.from),
    endsAt: minuteText(session.to),
    busyFrom: minuteText(busy.from),
    busyTo: minuteText(busy.to),
    capacity: service.capacity ?? 1,
  }
}

/** The same within a unit. */
export const placeFor = async (unit: Unit, asked: PlaceAsked): Promise<Place & { capacity: number }> =>
  placeIn(await diaryAround(unit, [asked.startsAt]), asked, unit.now)
