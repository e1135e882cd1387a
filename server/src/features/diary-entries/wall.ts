/** Changes that the wall may refuse: what is in the way is named, and what is in the way no more is tried again. */
import { dayMs, type Instant, minuteMs } from '@soigne/contract/time'
import { instantText } from '#/platform/instants.ts'
import { freeLapsed } from '#/features/booking/service.ts'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { brokenConstraint, sqlState } from '#/platform/database.ts'
import type { OnceKey } from '#/platform/idempotency.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import { findTaken, type Stretch, type Taken } from './store.ts'

/** Whoever may change the diary, or the team's part of it. */
export type DiaryScope = InstituteScope<'diary.change'> | InstituteScope<'team.change'>
/** Of everybody's diary, or of one's own column. */
export type ColumnScope = InstituteScope<'diary.own'> | InstituteScope<'diary.change'>

const mostTries = 3
/** Nobody enters anything further away than this. */
const mostAwayMs = 800 * dayMs

const hitTheWall = (error: unknown): boolean => sqlState(error) === '23P01' && brokenConstraint(error) === 'occupations_apart'

/** An instant of a whole minute, in milliseconds since the epoch. @throws bad_input */
export function readInstant(field: string, text: string, now: Instant): Instant {
  let instant: Instant
  try {
    instant = Temporal.Instant.from(text).epochMilliseconds
  } catch {
    throw refuseField(field, 'date')
  }
  if (Math.abs(instant - now) > mostAwayMs || instant % minuteMs !== 0) throw refuseField(field, 'date')
  return instant
}

/** The first before the second. @throws bad_input */
export function checkStretch({ startsAt, endsAt }: Stretch, now: Instant): Stretch {
  const [from, to] = [readInstant('startsAt', startsAt, now), readInstant('endsAt', endsAt, now)]
  if (from >= to) throw refuseField('endsAt', 'date')
  return { startsAt: instantText(from), endsAt: instantText(to) }
}

interface Wanted {
  subjectId: string
  stretches: () => readonly Stretch[]
  /** What of it may not stay; everything when absent. */
  inTheWay?: (taken: Taken) => boolean
  /** Visits are left where they are. */
  keepsVisits?: boolean
  /** The same request is done once. */
  key?: OnceKey | null
}

/** A change within the wall; when it is refused, whatever is in the way is named. Visits that were put over others stand beside the wall and are in the way all the same. */
export async function changeWithinWall<T>(
  context: AppContext,
  scope: ColumnScope | DiaryScope,
  wanted: Wanted,
  work: (unit: Unit) => Promise<T>,
): Promise<T> {
  const { instituteId } = scope
  for (let attempt = 1; ; attempt++) {
    try {
      return await changeInstitute(context, { instituteId, by: scope, key: wanted.key ?? null }, async (unit) => {
        await freeLapsed(unit)
        const answer = await work(unit)
        if (wanted.keepsVisits) return answer
        const asked = { subjectId: wanted.subjectId, stretches: wanted.stretches(), now: new Date(unit.now) }
        const visits = (await findTaken(unit.db, scope, asked)).filter(({ kind }) => kind === 'visit')
        if (visits.length > 0) throw refuse('time_taken', { taken: visits })
        return answer
      })
    } catch (error) {
      if (!hitTheWall(error)) throw error
      const now = new Date(context.clock.now())
      const asked = { subjectId: wanted.subjectId, stretches: wanted.stretches(), now }
      const taken = (await findTaken(context.database.db, scope, asked)).filter(wanted.inTheWay ?? (() => true))
      // It may have gone in this very moment.
      if (taken.length > 0 || attempt === mostTries) throw refuse('time_taken', { taken })
    }
  }
}
