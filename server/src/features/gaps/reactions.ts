/** After a client has booked: what the gap rule hid on that day, so that its worth can be told. */
import { dayMs } from '@soigne/contract/time'
import { hiddenBeside } from '@soigne/scheduling/gaps-to-fill'
import type { EventKind, EventOf } from '#/event-kinds.ts'
import { loadDiary } from '#/features/availability/service.ts'
import { linesOf } from '#/features/booking/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { minuteOfText, parseInstant } from '#/platform/instants.ts'
import type { AfterCommit } from '#/platform/reactions.ts'
import { findChosen, insertHidden } from './store.ts'

const system = systemScope('count what the gap rule hid')

async function noteHidden(context: AppContext, transaction: Db, event: EventOf & { kind: 'visit.booked' }): Promise<void> {
  const { instituteId, subjectId, actor, at, payload } = event
  // One of a series was chosen by the first, and what the institute books itself by no rule.
  if (instituteId === null || subjectId === null || actor.kind !== 'client' || payload.seriesId !== undefined) return
  const scope = system.institute(instituteId)
  const visit = await findChosen(transaction, scope, subjectId)
  if (!visit) return
  const startsAt = parseInstant(payload.startsAt)
  const cart = linesOf(visit.cart)
  const loaded = await loadDiary(transaction, {
    instituteId,
    from: new Date(startsAt - dayMs),
    to: new Date(startsAt + dayMs),
    now: new Date(context.clock.now()),
    ignoreAppointmentId: subjectId,
  })
  const hidden = loaded && hiddenBeside(loaded.diary, cart, minuteOfText(payload.startsAt), { now: minuteOfText(at) })
  if (hidden) await insertHidden(transaction, scope, { appointmentId: subjectId, bookedAt: at, ...hidden })
}

export const gapReactions: AfterCommit<AppContext, EventKind>[] = [
  {
    name: 'hidden starts',
    kinds: ['visit.booked'],
    react: (context, transaction, event) => noteHidden(context, transaction, event as EventOf & { kind: 'visit.booked' }),
  },
]
