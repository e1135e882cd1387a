/** What follows: clients are told by letter and bell, and what is settled another way is noted. */
import type { EventKind, EventOf } from '#/event-kinds.ts'
import { postMails } from '#/features/mails/service.ts'
import { type NewNotification, notify, visitFacts } from '#/features/notifications/service.ts'
import { findAllShown, findShown, partyOf, recipientsOf, type ShownVisit } from '#/features/visits/service.ts'
import { type InstituteScope, systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { instantText, parseInstant } from '#/platform/instants.ts'
import { addJob } from '#/platform/jobs.ts'
import type { AfterCommit } from '#/platform/reactions.ts'
import { lateVisitsOf } from './late-store.ts'
import { leftOf } from './late.ts'
import { lateLetter, onTimeLetter, proposalLetter } from './letters.ts'
import { findOpen } from './store.ts'

const system = systemScope('tell who is rearranged')
type Told<Kind extends EventKind> = Extract<EventOf, { kind: Kind }>

type Reader = { visit: ShownVisit; person: NonNullable<ReturnType<Awaited<ReturnType<typeof recipientsOf>>>>['person'] }
/** The visits with their people; without those who have no account, and what was cancelled meanwhile. */
async function readersOf(
  transaction: Db,
  scope: InstituteScope<'diary.read'> & InstituteScope<'customers.read'>,
  ids: readonly string[],
): Promise<Reader[]> {
  const visits = [
    ...(
      await findAllShown(
        transaction,
        ids.map(() => scope),
        ids,
      )
    ).values(),
  ].filter(({ row }) => row.life === 'booked')
  const userIds = visits.flatMap(({ row }) => row.userId ?? [])
  const recipients = await recipientsOf(
    transaction,
    userIds.map(() => scope),
    userIds,
  )
  return visits.flatMap((visit): Reader[] => {
    const told = visit.row.userId === null ? null : recipients(visit.row.userId, scope.instituteId, visit.row)
    return told ? [{ visit, person: told.person }] : []
  })
}

const bell = (
  context: AppContext,
  { visit, person }: Reader,
  kind: NewNotification['kind'],
  dedupeKey: string,
  more: object,
): NewNotification => ({
  to: { userId: person.id },
  kind,
  appointmentId: visit.row.id,
  facts: { ...visitFacts(visit, `${person.firstName} ${person.lastName}`.trim()), ...more },
  dedupeKey,
  at: new Date(context.clock.now()),
})

async function tellOfProposal(context: AppContext, transaction: Db, event: Told<'visit.proposed'>): Promise<void> {
  const { instituteId, subjectId, payload } = event
  if (instituteId === null || subjectId === null) return
  const scope = system.institute(instituteId)
  const [reader] = await readersOf(transaction, scope, [subjectId])
  const held = await findShown(transaction, scope, payload.holdId)
  // Answered or taken back already: there is nothing to tell any more.
  if (!reader || held?.row.life !== 'held') return
  const dedupeKey = `event:${event.id}:proposed`
  const facts = { startsAt: instantText(parseInstant(payload.startsAt)), before: payload.before.startsAt, until: payload.until }
  await notify(transaction, [bell(context, reader, 'proposed', dedupeKey, facts)])
  await postMails(transaction, [proposalLetter(context, { ...reader, dedupeKey }, held, payload.until)])
}

async function tellOfLateness(context: AppContext, transaction: Db, event: Told<'member.late' | 'member.on_time'>): Promise<void> {
  const { instituteId, subjectId, payload } = event
  if (instituteId === null || subjectId === null || payload.visits.length === 0) return
  const scope = system.institute(instituteId)
  const late = new Map((await lateVisitsOf(transaction, scope, [subjectId])).map((one) => [one.visitId, one]))
  const now = context.clock.now()
  const told = (await readersOf(transaction, scope, payload.visits)).flatMap((reader) => {
    const one = late.get(reader.visit.row.id)
    return one ? [{ reader, one, dedupeKey: `event:${event.id}:${reader.visit.row.id}` }] : []
  })
  const isLate = event.kind === 'member.late'
  await notify(
    transaction,
    told.map(({ reader, one, dedupeKey }) =>
      isLate
        ? bell(context, reader, 'late', dedupeKey, { startsAt: one.expectedAt, before: one.startsAt })
        : bell(context, reader, 'on_time', dedupeKey, { startsAt: one.startsAt }),
    ),
  )
  await postMails(
    transaction,
    told.map(({ reader, one, dedupeKey }) => {
      const about = { ...reader, dedupeKey }
      return isLate ? lateLetter(context, about, one, leftOf(reader.visit, one.startsAt, now)) : onTimeLetter(context, about, one.startsAt)
    }),
  )
}

/** A visit that was moved or cancelled by the ways of every visit needs no answer any more. */
async function noteSettled(transaction: Db, event: Told<'visit.moved' | 'visit.shortened' | 'visit.cancelled'>): Promise<void> {
  const { instituteId, subjectId, actor, kind } = event
  if (instituteId === null || subjectId === null) return
  if (!(await findOpen(transaction, system.institute(instituteId), subjectId))) return
  const state = partyOf(actor) !== 'client' ? 'settled' : kind === 'visit.cancelled' ? 'declined' : 'other_time'
  await addJob(
    transaction,
    'settle_rearrangement',
    { instituteId, appointmentId: subjectId, state },
    { key: `settle_rearrangement:${subjectId}` },
  )
}

export const rearrangingReactions: AfterCommit<AppContext, EventKind>[] = [
  {
    name: 'rearranging proposals',
    kinds: ['visit.proposed'],
    react: (context, transaction, event) => tellOfProposal(context, transaction, event as Told<'visit.proposed'>),
  },
  {
    name: 'rearranging lateness',
    kinds: ['member.late', 'member.on_time'],
    react: (context, transaction, event) => tellOfLateness(context, transaction, event as Told<'member.late' | 'member.on_time'>),
  },
  {
    name: 'rearranging settled',
    kinds: ['visit.moved', 'visit.shortened', 'visit.cancelled'],
    react: (_context, transaction, event) => noteSettled(transaction, event as Told<'visit.moved' | 'visit.shortened' | 'visit.cancelled'>),
  },
]
