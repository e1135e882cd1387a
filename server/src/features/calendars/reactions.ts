/** What happens to a visit is written into the calendar of its client by a job: a provider that is slow or away keeps nothing else waiting. */
import type { EventKind } from '#/event-kinds.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import type { SpineEvent } from '#/platform/events.ts'
import { addJobs } from '#/platform/jobs.ts'
import type { AfterCommit } from '#/platform/reactions.ts'
import { pushJob } from './pushing.ts'
import { visitsToPush } from './store.ts'

const system = systemScope('find the calendars of visits')

async function pushVisits(transaction: Db, events: readonly SpineEvent[]): Promise<void> {
  const settled = events.filter(({ payload }) => (payload as { toldLater?: true }).toldLater !== true)
  const ids = settled.flatMap(({ subjectId }) => (subjectId === null ? [] : [subjectId]))
  await addJobs(transaction, (await visitsToPush(transaction, system, [...new Set(ids)])).map(pushJob))
}

export const calendarReactions: AfterCommit<AppContext, EventKind>[] = [
  {
    name: 'calendar pushes',
    kinds: ['visit.booked', 'visit.moved', 'visit.shortened', 'visit.cancelled', 'visit.settled'],
    react: (_context, transaction, event) => pushVisits(transaction, [event]),
    reactTogether: (_context, transaction, events) => pushVisits(transaction, events),
  },
]
