/** What falls free is noted where somebody waits; who is offered a time is told by mail and bell. */
import { dayMs, instantOf } from '@soigne/contract/time'
import { spanOfDay } from '@soigne/scheduling/wall-clock'
import type { EventKind, EventOf } from '#/event-kinds.ts'
import { ownHome } from '#/features/at-home/service.ts'
import { postMail } from '#/features/mails/service.ts'
import { notify, visitFacts, whoWantsLetters } from '#/features/notifications/service.ts'
import { findShown, isAtHome, recipientsOf } from '#/features/visits/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { instantText, parseInstant } from '#/platform/instants.ts'
import { addJob } from '#/platform/jobs.ts'
import type { SpineEvent } from '#/platform/events.ts'
import type { AfterCommit } from '#/platform/reactions.ts'
import { offerLetter } from './letter.ts'
import { noteBooked, noteOpening } from './offers-store.ts'

const system = systemScope('tell who waits')

const freeing = [
  'visit.cancelled',
  'visit.released',
  'visit.lapsed',
  'visit.moved',
  'visit.shortened',
  'visit.settled',
  'time.unblocked',
  'leave.removed',
  'session.closed',
  'session.moved',
  'session.resized',
  'external.synced',
] as const
type Freeing = Extract<EventOf, { kind: (typeof freeing)[number] }>

/** Taken back perhaps: nobody is offered it yet. */
const mayComeBack = ({ payload }: Freeing): boolean => 'toldLater' in payload && payload.toldLater === true

/** The stretch that may be free now. Days of leave are those of every zone. */
function freedBy(event: Exclude<Freeing, { kind: 'visit.settled' }>): { startsAt: string; endsAt: string } {
  if (event.kind === 'leave.removed') {
    const { fromDay, toDay } = event.payload
    return {
      startsAt: instantText(instantOf(spanOfDay('UTC', fromDay).from) - dayMs),
      endsAt: instantText(instantOf(spanOfDay('UTC', toDay).to) + dayMs),
    }
  }
  const { startsAt, endsAt } = 'before' in event.payload ? event.payload.before : event.payload
  return { startsAt: instantText(parseInstant(startsAt)), endsAt: instantText(parseInstant(endsAt)) }
}

async function noteFreed(context: AppContext, transaction: Db, event: Freeing): Promise<void> {
  const { instituteId } = event
  if (instituteId === null || mayComeBack(event)) return
  const now = new Date(context.clock.now())
  let isWaitedFor = false
  for (const freed of event.kind === 'visit.settled' ? event.payload.freed : [freedBy(event)])
    isWaitedFor = (await noteOpening(transaction, system.institute(instituteId), { ...freed, now })) || isWaitedFor
  if (isWaitedFor) await addJob(transaction, 'offer_times', { instituteId }, { key: `offer_times:${instituteId}` })
}

async function tellOfOffer(context: AppContext, transaction: Db, event: Extract<EventOf, { kind: 'waiting.offered' }>): Promise<void> {
  const { instituteId, payload } = event
  if (instituteId === null) return
  const scope = system.institute(instituteId)
  const visit = await findShown(transaction, scope, payload.appointmentId)
  const recipients = await recipientsOf(transaction, [scope], [payload.userId])
  const person = recipients(payload.userId, instituteId)?.person
  // Answered already: there is nothing to tell any more.
  if (visit?.row.life !== 'held' || !person) return
  const facts = { ...visitFacts(visit, `${person.firstName} ${person.lastName}`.trim()), until: payload.until }
  await notify(transaction, [
    {
      to: { userId: payload.userId },
      kind: 'offered',
      appointmentId: visit.row.id,
      facts,
      dedupeKey: `offer:${payload.offerId}`,
      at: new Date(context.clock.now()),
    },
  ])
  const { userId } = payload
  const isWanted = (await whoWantsLetters(transaction, system, { userIds: [userId], kind: 'offers' })).has(userId)
  if (!isWanted) return
  const home = isAtHome(visit.row) ? await ownHome(transaction, system.user(userId), visit.row.id) : null
  await postMail(transaction, offerLetter(context, { offerId: payload.offerId, until: payload.until, visit, home, person }))
}

async function takeOffers(transaction: Db, events: readonly SpineEvent[]): Promise<void> {
  const visits = events.flatMap(({ instituteId, subjectId }) =>
    instituteId === null || subjectId === null ? [] : [{ scope: system.institute(instituteId), id: subjectId }],
  )
  await noteBooked(
    transaction,
    visits.map(({ scope }) => scope),
    visits.map(({ id }) => id),
  )
}

export const waitingReactions: AfterCommit<AppContext, EventKind>[] = [
  {
    name: 'waiting openings',
    kinds: freeing,
    react: (context, transaction, event) => noteFreed(context, transaction, event as Freeing),
  },
  {
    name: 'waiting letters',
    kinds: ['waiting.offered'],
    react: (context, transaction, event) => tellOfOffer(context, transaction, event as Extract<EventOf, { kind: 'waiting.offered' }>),
  },
  {
    name: 'waiting booked',
    kinds: ['visit.booked'],
    react: (_context, transaction, event) => takeOffers(transaction, [event]),
    reactTogether: (_context, transaction, events) => takeOffers(transaction, events),
  },
]
