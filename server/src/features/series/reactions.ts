/** What follows when a series is made or what is left of it cancelled: one letter and one bell for each side. */
import type { EventKind, EventOf } from '#/event-kinds.ts'
import { postMails } from '#/features/mails/service.ts'
import { type NewNotification, notify, visitFacts, writeToTeam } from '#/features/notifications/service.ts'
import { findAllShown, recipientsOf } from '#/features/visits/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { AfterCommit } from '#/platform/reactions.ts'
import { lettersOfSeries } from './letters.ts'

const system = systemScope('write letters about series')
type Told = Extract<EventOf, { kind: 'series.made' | 'series.cancelled' }>

export const seriesReactions: AfterCommit<AppContext, EventKind>[] = [
  {
    name: 'series letters',
    kinds: ['series.made', 'series.cancelled'],
    async react(context, transaction, event) {
      const told = event as Told
      const { instituteId, payload } = told
      if (instituteId === null) return
      const scope = system.institute(instituteId)
      const found = await findAllShown(
        transaction,
        payload.visits.map(() => scope),
        payload.visits,
      )
      const [first, ...rest] = payload.visits.flatMap((id) => found.get(id) ?? [])
      const readers = first && (await recipientsOf(transaction, [scope], [payload.userId]))(payload.userId, instituteId)
      if (!first || !readers) return
      const isMade = told.kind === 'series.made'
      await postMails(
        transaction,
        lettersOfSeries(context, { ...readers, visits: [first, ...rest], event: told.id, fact: isMade ? 'made' : 'cancelled' }),
      )
      const { person } = readers
      const memberIds = [...new Set([first, ...rest].flatMap(({ segments }) => segments.map(({ memberId }) => memberId)))]
      const one = {
        appointmentId: first.row.id,
        facts: { ...visitFacts(first, `${person.firstName} ${person.lastName}`.trim()), more: rest.length },
        dedupeKey: `event:${told.id}`,
        at: new Date(context.clock.now()),
      }
      const news: NewNotification[] = [
        { ...one, to: { userId: payload.userId }, kind: isMade ? 'booked' : 'cancelled' },
        { ...one, to: { instituteId, memberIds, exceptUserId: null }, kind: isMade ? 'came' : 'went' },
      ]
      await notify(transaction, news)
      await writeToTeam(context, transaction, news)
    },
  },
]
