/** What follows when something happens to a visit: the letters. */
import type { EventKind, EventOf } from '#/event-kinds.ts'
import { findShown } from '#/features/booking/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { AfterCommit } from '#/platform/reactions.ts'
import { tell } from './letters.ts'

type Told = Extract<EventOf, { kind: 'visit.booked' | 'visit.moved' | 'visit.cancelled' }>
const facts = { 'visit.booked': 'booked', 'visit.moved': 'moved', 'visit.cancelled': 'cancelled' } as const

const system = systemScope('write letters about visits')

export const appointmentReactions: AfterCommit<AppContext, EventKind>[] = [
  {
    name: 'visit letters',
    kinds: ['visit.booked', 'visit.moved', 'visit.cancelled'],
    async react(context, transaction, event) {
      const told = event as Told
      if (told.subjectId === null || told.instituteId === null) return
      const scope = system.institute(told.instituteId)
      const visit = await findShown(transaction, scope, told.subjectId)
      if (!visit) return
      const { kind, payload } = told
      // The letter tells what was true when it happened, also when the visit was moved or cancelled a moment later.
      const instant = (text: string): string => new Date(text).toISOString()
      const life: typeof visit.row.life = kind === 'visit.cancelled' ? 'cancelled' : 'booked'
      const row = { ...visit.row, life, startsAt: instant(payload.startsAt), endsAt: instant(payload.endsAt) }
      const before = kind === 'visit.moved' ? payload.before.startsAt : null
      await tell(
        context,
        transaction,
        scope,
        { row, segments: visit.segments },
        { event: told.id, fact: facts[kind], before, byClient: told.actor.kind === 'client' },
      )
    },
  },
]
