/** The bell of whoever is told of a review, or of the answer to one. */
import type { EventKind, EventOf } from '#/event-kinds.ts'
import { type NewNotification, notify, visitFacts, writeToTeam } from '#/features/notifications/service.ts'
import { findShown } from '#/features/visits/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { AfterCommit } from '#/platform/reactions.ts'
import { shownName } from './present.ts'
import { authorOf } from './store.ts'

const system = systemScope('tell of reviews')
type Told = Extract<EventOf, { kind: 'review.written' | 'review.replied' }>

export const reviewReactions: AfterCommit<AppContext, EventKind>[] = [
  {
    name: 'review bells',
    kinds: ['review.written', 'review.replied'],
    async react(context, transaction, event) {
      const told = event as Told
      const { instituteId, payload } = told
      // A changed answer is no news.
      if (instituteId === null || (told.kind === 'review.replied' && !told.payload.isNew)) return
      const visit = await findShown(transaction, system.institute(instituteId), payload.appointmentId)
      const userId = visit?.row.userId ?? null
      if (!visit || userId === null) return
      const author = await authorOf(transaction, system.user(userId), instituteId)
      const facts = { ...visitFacts(visit, author ? shownName(author) : ''), slug: visit.row.instituteSlug }
      const one = { appointmentId: visit.row.id, dedupeKey: `event:${event.id}`, at: new Date(context.clock.now()) }
      if (told.kind === 'review.written') {
        const to = { instituteId, memberIds: [], exceptUserId: null }
        const news: NewNotification[] = [{ ...one, to, kind: 'reviewed', facts: { ...facts, rating: told.payload.rating } }]
        await notify(transaction, news)
        await writeToTeam(context, transaction, news)
      } else await notify(transaction, [{ ...one, to: { userId }, kind: 'replied', facts }])
    },
  },
]
