/** Sessions before they are made: where they would stand, every so many weeks at the same wall hour, and what is in the way of each. */
import type { PlannedSession } from '@soigne/contract/group-sessions'
import { type Instant, minuteOf } from '@soigne/contract/time'
import type { Locale } from '@soigne/contract/wire'
import type { InstituteDiary } from '@soigne/scheduling/model'
import { findTaken, readInstant } from '#/features/diary-entries/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { instantText, parseInstant } from '#/platform/instants.ts'
import { RefusalError, refuse } from '#/platform/refuse.ts'
import { refusalText } from '#/texts/refusal-texts.ts'
import { diaryAround, type PlaceAsked, placeIn } from './placing.ts'
import { type Place, roomsFor, timeOfSession } from './store.ts'

export interface PlanAsked {
  serviceId: string
  memberId: string
  startsAt: string
  everyWeeks: number
  times: number
  resourceId?: string | undefined
  /** The session that would move there. */
  sessionId?: string | undefined
}

export interface SessionPlan {
  timeZone: string
  items: PlannedSession[]
  rooms: { _id: string; name: string }[]
}

/** The same wall hour, so many weeks later each time. */
function startsOf(first: Instant, timeZone: string, { everyWeeks, times }: Pick<PlanAsked, 'everyWeeks' | 'times'>): Instant[] {
  const wall = Temporal.Instant.fromEpochMilliseconds(first).toZonedDateTimeISO(timeZone)
  return Array.from({ length: times }, (_, n) => wall.add({ weeks: everyWeeks * n }).epochMilliseconds as Instant)
}

type OwnTime = NonNullable<Awaited<ReturnType<typeof timeOfSession>>>

/** A session is not in its own way. */
function withoutOwn(diary: InstituteDiary, own: OwnTime | null): InstituteDiary {
  if (own === null) return diary
  const [from, to] = [minuteOf(parseInstant(own.from)), minuteOf(parseInstant(own.to))]
  return {
    ...diary,
    resources: diary.resources.map((one) =>
      one.id === own.resourceId ? { ...one, busy: one.busy.filter((span) => span.from !== from || span.to !== to) } : one,
    ),
  }
}

/** @throws not_found for what is somebody else's, bad_input for a service that is not for groups */
export async function planSessions(
  context: AppContext,
  scope: InstituteScope<'diary.change'>,
  locale: Locale,
  asked: PlanAsked,
): Promise<SessionPlan> {
  const { db } = context.database
  const now = context.clock.now()
  const first = readInstant('startsAt', asked.startsAt, now)
  const own = asked.sessionId === undefined ? null : await timeOfSession(db, scope, asked.sessionId)
  if (asked.sessionId !== undefined && own === null) throw refuse('not_found', { sessionId: asked.sessionId })
  const near = await diaryAround({ db, instituteId: scope.instituteId, now }, [first])
  const starts = startsOf(first, near.timeZone, asked)
  const diary = withoutOwn(await diaryAround({ db, instituteId: scope.instituteId, now }, starts), own)
  const place = (startsAt: Instant): Place | RefusalError => {
    const one: PlaceAsked = { ...asked, startsAt, preferredId: own?.resourceId }
    try {
      return placeIn(diary, one, now)
    } catch (error) {
      if (error instanceof RefusalError && error.code === 'not_offered') return error
      throw error
    }
  }
  const items: PlannedSession[] = []
  for (const startsAt of starts) {
    const found = place(startsAt)
    if (found instanceof RefusalError) {
      const conflict = refusalText(locale, found.code, found.details, {})
      items.push({ startsAt: instantText(startsAt), endsAt: instantText(startsAt), conflict })
      continue
    }
    const stretches = [{ startsAt: found.busyFrom, endsAt: found.busyTo }]
    const taken = await findTaken(db, scope, { subjectId: asked.memberId, stretches, now: new Date(now) })
    const isTaken = taken.some(({ id }) => id !== asked.sessionId)
    items.push({
      startsAt: found.startsAt,
      endsAt: found.endsAt,
      conflict: isTaken ? refusalText(locale, 'time_taken', undefined, {}) : null,
    })
  }
  return { timeZone: diary.timeZone, items, rooms: await roomsFor(db, scope, asked.serviceId) }
}
