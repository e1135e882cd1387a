/** What follows when something happens to a visit: the letters, the bells, and when to remind. */
import { instantText, parseInstant } from '#/platform/instants.ts'
import type { EventKind, EventOf } from '#/event-kinds.ts'
import { findAllShown, recipientsOf, type ShownVisit } from '#/features/visits/service.ts'
import { postMails } from '#/features/mails/service.ts'
import { type NewNotification, notify, planReminders, visitFacts } from '#/features/notifications/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import type { SpineEvent } from '#/platform/events.ts'
import type { AfterCommit } from '#/platform/reactions.ts'
import { lettersAbout } from './letters.ts'

/** Told with the others of its series, by features/series. */
const isToldTogether = ({ payload }: Told): boolean => 'seriesId' in payload && payload.seriesId !== undefined

type Told = Extract<EventOf, { kind: 'visit.booked' | 'visit.moved' | 'visit.cancelled' }>
const facts = { 'visit.booked': 'booked', 'visit.moved': 'moved', 'visit.cancelled': 'cancelled' } as const

const system = systemScope('write letters about visits')

/** The letter tells what was true when it happened, also when the visit was moved or cancelled a moment later. */
function asItWas({ kind, payload }: Told, row: ShownVisit['row']): ShownVisit['row'] {
  const instant = (text: string): string => instantText(parseInstant(text))
  const life = kind === 'visit.cancelled' ? 'cancelled' : 'booked'
  return { ...row, life, startsAt: instant(payload.startsAt), endsAt: instant(payload.endsAt) }
}

const bells = {
  'visit.booked': { client: 'booked', institute: 'came' },
  'visit.moved': { client: 'moved', institute: 'changed' },
  'visit.cancelled': { client: 'cancelled', institute: 'went' },
} as const

/** Whoever did it needs no bell; what a client did is kept in theirs, like a receipt. */
function bellsAbout(told: Told, visit: ShownVisit, client: string, at: number): NewNotification[] {
  const { row, segments } = visit
  const facts = visitFacts({ row: asItWas(told, row), segments }, client)
  const one = {
    appointmentId: row.id,
    facts: told.kind === 'visit.moved' ? { ...facts, before: instantText(parseInstant(told.payload.before.startsAt)) } : facts,
    dedupeKey: `event:${told.id}`,
    at: new Date(at),
  }
  const memberIds = [...new Set(segments.map(({ memberId }) => memberId))]
  const exceptUserId = told.actor.kind === 'institute' ? told.actor.userId : null
  return [
    ...(row.userId === null ? [] : [{ ...one, to: { userId: row.userId }, kind: bells[told.kind].client }]),
    { ...one, to: { instituteId: row.instituteId, memberIds, exceptUserId }, kind: bells[told.kind].institute },
  ]
}

async function tellOfVisits(context: AppContext, transaction: Db, events: readonly SpineEvent[]): Promise<void> {
  const about = events.flatMap((event) => {
    const told = event as Told
    const { subjectId: id, instituteId } = told
    return id === null || instituteId === null ? [] : [{ told, id, scope: system.institute(instituteId) }]
  })
  const visits = await findAllShown(
    transaction,
    about.map(({ scope }) => scope),
    about.map(({ id }) => id),
  )
  const ofUsers = about.flatMap(({ id, scope }) => {
    const userId = visits.get(id)?.row.userId
    return userId ? [{ scope, userId }] : []
  })
  const recipients = await recipientsOf(
    transaction,
    ofUsers.map(({ scope }) => scope),
    ofUsers.map(({ userId }) => userId),
  )
  const now = context.clock.now()
  const rung = about.flatMap(({ told, id }) => {
    const visit = visits.get(id)
    if (!visit || isToldTogether(told)) return []
    const person = visit.row.userId && recipients(visit.row.userId, visit.row.instituteId)?.person
    const client = person ? `${person.firstName} ${person.lastName}`.trim() : (visit.row.customerName ?? '')
    return bellsAbout(told, visit, client, now)
  })
  const letters = about.flatMap(({ told, id }) => {
    const visit = visits.get(id)
    const readers = visit?.row.userId && recipients(visit.row.userId, visit.row.instituteId)
    if (!visit || !readers || isToldTogether(told)) return []
    return lettersAbout(context, {
      row: asItWas(told, visit.row),
      segments: visit.segments,
      event: told.id,
      fact: facts[told.kind],
      before: told.kind === 'visit.moved' ? told.payload.before.startsAt : null,
      byClient: told.actor.kind === 'client',
      person: readers.person,
      institute: readers.institute,
    })
  })
  await postMails(transaction, letters)
  await notify(transaction, rung)
  await planReminders(transaction, [...visits.values()], now)
}

export const appointmentReactions: AfterCommit<AppContext, EventKind>[] = [
  {
    name: 'visit letters',
    kinds: ['visit.booked', 'visit.moved', 'visit.cancelled'],
    react: (context, transaction, event) => tellOfVisits(context, transaction, [event]),
    reactTogether: tellOfVisits,
  },
]
