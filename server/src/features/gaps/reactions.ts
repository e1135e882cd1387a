/** After a client has booked: what the gap rule hid on that day, so that its worth can be told. */
import { dayMs } from '@soigne/contract/time'
import { hiddenBeside } from '@soigne/scheduling/gaps-to-fill'
import type { EventKind, EventOf } from '#/event-kinds.ts'
import { loadDiary } from '#/features/availability/service.ts'
import { linesOf } from '#/features/booking/service.ts'
import type { CartEntry } from '#/features/visits/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { minuteOfText, parseInstant } from '#/platform/instants.ts'
import type { SpineEvent } from '#/platform/events.ts'
import type { AfterCommit } from '#/platform/reactions.ts'
import { findChosen, insertHidden } from './store.ts'

const system = systemScope('count what the gap rule hid')

interface Chosen {
  scope: ReturnType<typeof system.institute>
  visitId: string
  startsAt: string
  bookedAt: string
}

/** One of a series was chosen by the first, and what the institute books itself by no rule. */
function chosenBy(event: SpineEvent): Chosen[] {
  const { instituteId, subjectId, actor, at, payload } = event as EventOf & { kind: 'visit.booked' }
  if (instituteId === null || subjectId === null || actor.kind !== 'client' || payload.seriesId !== undefined) return []
  return [{ scope: system.institute(instituteId), visitId: subjectId, startsAt: payload.startsAt, bookedAt: at }]
}

async function noteHiddenBeside(context: AppContext, transaction: Db, chosen: Chosen, cart: readonly CartEntry[]): Promise<void> {
  const { scope, visitId, bookedAt } = chosen
  const startsAt = parseInstant(chosen.startsAt)
  const loaded = await loadDiary(transaction, {
    instituteId: scope.instituteId,
    from: new Date(startsAt - dayMs),
    to: new Date(startsAt + dayMs),
    now: new Date(context.clock.now()),
    ignoreAppointmentId: visitId,
  })
  const hidden = loaded && hiddenBeside(loaded.diary, linesOf(cart), minuteOfText(chosen.startsAt), { now: minuteOfText(bookedAt) })
  if (hidden) await insertHidden(transaction, scope, { appointmentId: visitId, bookedAt, ...hidden })
}

async function noteHidden(context: AppContext, transaction: Db, events: readonly SpineEvent[]): Promise<void> {
  const chosen = events.flatMap(chosenBy)
  if (chosen.length === 0) return
  const visits = await findChosen(
    transaction,
    chosen.map(({ scope }) => scope),
    chosen.map(({ visitId }) => visitId),
  )
  const carts = new Map(visits.map(({ id, cart }) => [id, cart]))
  for (const one of chosen) {
    const cart = carts.get(one.visitId)
    if (cart) await noteHiddenBeside(context, transaction, one, cart)
  }
}

export const gapReactions: AfterCommit<AppContext, EventKind>[] = [
  {
    name: 'hidden starts',
    kinds: ['visit.booked'],
    react: (context, transaction, event) => noteHidden(context, transaction, [event]),
    reactTogether: noteHidden,
  },
]
