/** What follows when something happens to a visit. */
import type { EventKind, EventOf } from '#/event-kinds.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import type { SpineEvent } from '#/platform/events.ts'
import type { AfterCommit } from '#/platform/reactions.ts'
import { tellOfVisits } from './telling.ts'

type Fact = Extract<EventOf, { kind: 'visit.booked' | 'visit.moved' | 'visit.shortened' | 'visit.readdressed' | 'visit.cancelled' }>

/** With the others of its series (features/series), or when it can be taken back no more (untold.ts). Reminders follow all the same. */
const isToldElsewhere = ({ payload }: Fact): boolean =>
  ('seriesId' in payload && payload.seriesId !== undefined) || ('toldLater' in payload && payload.toldLater === true)

const tell = (context: AppContext, transaction: Db, events: readonly SpineEvent[]): Promise<void> =>
  tellOfVisits(
    context,
    transaction,
    events.map((event) => {
      const { subjectId, instituteId, actor, ...fact } = event as Fact
      if (subjectId === null || instituteId === null) return { about: undefined, toldOf: () => null }
      const told = { key: `event:${event.id}`, subjectId, instituteId, actor, ...fact }
      return { about: { appointmentId: subjectId, instituteId }, toldOf: () => (isToldElsewhere(event as Fact) ? null : told) }
    }),
  )

export const appointmentReactions: AfterCommit<AppContext, EventKind>[] = [
  {
    name: 'visit letters',
    kinds: ['visit.booked', 'visit.moved', 'visit.shortened', 'visit.readdressed', 'visit.cancelled'],
    react: (context, transaction, event) => tell(context, transaction, [event]),
    reactTogether: tell,
  },
]
