/** What follows when a series is made or what is left of it cancelled: one letter and one bell for each side. */
import type { EventKind, EventOf } from '#/event-kinds.ts'
import { postMails } from '#/features/mails/service.ts'
import { type NewNotification, notify, visitFacts, writeToTeam } from '#/features/notifications/service.ts'
import { moneyOf } from '#/features/payments/service.ts'
import { findAllShown, recipientsOf, sessionsForWire, sessionsOfVisit, type ShownVisit } from '#/features/visits/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import type { AfterCommit } from '#/platform/reactions.ts'
import { lettersOfSeries } from './letters.ts'

const system = systemScope('write letters about series')
/** What became of the money and the sessions of visits that were cancelled together. */
async function goneOf(transaction: Db, visits: readonly ShownVisit[]) {
  let [refunded, left] = [0, 0]
  const sessions = new Map<string, number>()
  for (const { row } of visits) {
    const { instituteId, id } = row
    const money = await moneyOf(transaction, system, { instituteId, saleId: id })
    refunded += money.refunded
    left += money.left
    for (const { name, count, state } of sessionsForWire(await sessionsOfVisit(transaction, system, { instituteId, visitId: id }), row))
      if (state === 'back') sessions.set(name, (sessions.get(name) ?? 0) + count)
  }
  return { refunded, left, sessions }
}

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
      const gone = await goneOf(transaction, isMade ? [] : [first, ...rest])
      await postMails(
        transaction,
        lettersOfSeries(context, { ...readers, visits: [first, ...rest], event: told.id, fact: isMade ? 'made' : 'cancelled', gone }),
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
