/** How proposals were answered. */
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import type { Rearrangement, RearrangementState } from '@soigne/contract/rearranging'
import type { Locale } from '@soigne/contract/wire'
import { dayMs, type Instant } from '@soigne/contract/time'
import { findAllShown } from '#/features/visits/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { instantText, parseInstant } from '#/platform/instants.ts'
import { neededOf } from './hits-store.ts'
import { closedOf, type DiaryScope, peopleOf, visitForWire } from './proposals.ts'
import { listRearrangements, membersOf, type RearrangementRow } from './store.ts'

/** What was answered is shown so long. */
const shownMs = 14 * dayMs

/** A proposal that ran out was not answered; nothing has to happen for that. */
export const stateAt = ({ state, until }: Pick<RearrangementRow, 'state' | 'until'>, now: Instant): RearrangementState =>
  state === 'sent' && until !== null && parseInstant(until) <= now ? 'no_answer' : state

export async function rearrangementsOf(
  db: Db,
  scope: DiaryScope,
  { now, locale }: { now: Instant; locale: Locale },
): Promise<Rearrangement[]> {
  const rows = await listRearrangements(db, scope, new Date(now - shownMs))
  const ids = rows.map(({ appointmentId }) => appointmentId)
  const visits = await findAllShown(
    db,
    ids.map(() => scope),
    ids,
  )
  const people = await membersOf(db, scope)
  return rows.flatMap((row): Rearrangement[] => {
    const visit = visits.get(row.appointmentId)
    if (!visit) return []
    const state = stateAt(row, now)
    const { startsAt, endsAt } = row
    return [
      {
        _id: row.id,
        state,
        visit: visitForWire(scope, visit, locale),
        before: { startsAt: row.beforeStartsAt, endsAt: row.beforeEndsAt },
        proposed: startsAt === null || endsAt === null ? null : { startsAt, endsAt, staff: peopleOf(people, row.staff ?? []) },
        until: state === 'sent' ? row.until : null,
        note: row.note,
        createdAt: row.createdAt,
        answeredAt: row.answeredAt,
      },
    ]
  })
}

export async function rearrangementList(context: AppContext, scope: DiaryScope, locale: Locale): Promise<Answer<Calls['rearrangements']>> {
  const { db } = context.database
  const now = context.clock.now()
  const { timeZone, closed } = await closedOf(db, scope, now)
  return {
    timeZone,
    now: instantText(now),
    items: await rearrangementsOf(db, scope, { now, locale }),
    needed: await neededOf(db, scope, { closed, now: new Date(now) }),
  }
}
