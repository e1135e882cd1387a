/** The bell of whoever may answer a request for days off, and of its member once it is answered. */
import { instantOf } from '@soigne/contract/time'
import { spanOfDay } from '@soigne/scheduling/wall-clock'
import type { EventKind, EventOf } from '#/event-kinds.ts'
import { type NewNotification, notify, writeToTeam } from '#/features/notifications/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { instantText } from '#/platform/instants.ts'
import type { AfterCommit } from '#/platform/reactions.ts'
import { factsOf } from './store.ts'

const system = systemScope('tell of days off')
type Told = Extract<EventOf, { kind: 'leave.asked' | 'leave.answered' }>

export const leaveRequestReactions: AfterCommit<AppContext, EventKind>[] = [
  {
    name: 'leave request bells',
    kinds: ['leave.asked', 'leave.answered'],
    async react(context, transaction, event) {
      const told = event as Told
      const { instituteId, payload, actor } = told
      if (instituteId === null) return
      const found = await factsOf(transaction, system.institute(instituteId), payload.memberId)
      if (!found) return
      const { institute, timeZone, member, userIds } = found
      const beginOf = (day: string): string => instantText(instantOf(spanOfDay(timeZone, day).from))
      const reason = told.kind === 'leave.answered' ? told.payload.reason : null
      const leave = { kind: payload.kind, lastAt: beginOf(payload.toDay), ...(reason !== null && { reason }) }
      const one: Omit<NewNotification, 'to' | 'kind'> = {
        appointmentId: null,
        facts: { institute, client: member, services: [], startsAt: beginOf(payload.fromDay), timeZone, leave },
        dedupeKey: `event:${event.id}`,
        at: new Date(context.clock.now()),
      }
      const by = actor.kind === 'institute' ? actor.userId : null
      if (told.kind === 'leave.asked') {
        const to = { instituteId, memberIds: [], levels: ['owner', 'manager'], exceptUserId: by }
        const news: NewNotification[] = [{ ...one, to, kind: 'leave_asked' }]
        await notify(transaction, news)
        await writeToTeam(context, transaction, news)
        return
      }
      const kind = told.payload.answer === 'agreed' ? 'leave_agreed' : 'leave_declined'
      // Whoever answered their own request knows.
      const readers = userIds.filter((userId) => userId !== by)
      await notify(
        transaction,
        readers.map((userId) => ({ ...one, to: { userId }, kind })),
      )
    },
  },
]
