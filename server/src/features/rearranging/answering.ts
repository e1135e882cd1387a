/** The client's side: what is proposed for a visit, taking it, and giving the visit up for nothing. */
import type { Appointment } from '@soigne/contract/appointments'
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { visitForWire, visitShown } from '#/features/appointments/service.ts'
import { freeLapsed, freeTime, keyOf, markCancelled, type Requester } from '#/features/booking/service.ts'
import { returnMoney } from '#/features/payments/service.ts'
import { leaveRest } from '#/features/removed-services/service.ts'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import { type AppointmentRow, findShown, findVisit, segmentsForWire, segmentsOf, stateOf, stepFrom } from '#/features/visits/service.ts'
import type { SelfScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { instantText } from '#/platform/instants.ts'
import { refuse } from '#/platform/refuse.ts'
import { findLate } from './late-store.ts'
import { leavingOf, leftOf } from './late.ts'
import { giveBackHold, takeProposed } from './sending.ts'
import { changeState, findOfVisit, findProposedTo, type RearrangementRow } from './store.ts'
import { stateAt } from './tracking.ts'

type Who = Requester<SelfScope<true>>
type Own = Answer<Calls['ownProposal']>

/** It is about the visit as it stands, and nobody has answered. */
const isOpen = (one: RearrangementRow | null, row: AppointmentRow): one is RearrangementRow =>
  one?.state === 'sent' && one.beforeStartsAt === row.startsAt && row.life === 'booked'

/** What is proposed for a visit; null where nothing is, or it was answered. */
async function openTime(
  context: AppContext,
  { scope, locale }: Pick<Requester, 'scope' | 'locale'>,
  row: AppointmentRow,
  one: RearrangementRow | null,
): Promise<Own['proposal']> {
  if (!isOpen(one, row) || one.startsAt === null || one.endsAt === null) return null
  const isKept = stateAt(one, context.clock.now()) === 'sent'
  const hold = isKept && one.holdId !== null ? await findShown(context.database.db, scope, one.holdId) : null
  return {
    startsAt: one.startsAt,
    endsAt: one.endsAt,
    before: { startsAt: row.startsAt, endsAt: row.endsAt },
    until: isKept ? one.until : null,
    isKept: hold !== null,
    segments: segmentsForWire(hold?.segments ?? [], row.currency, locale),
  }
}

/** Everything that waits for an answer of one's own. */
export async function ownProposals(context: AppContext, who: Requester): Promise<Answer<Calls['ownProposals']>> {
  const { db } = context.database
  const now = context.clock.now()
  const items: Answer<Calls['ownProposals']>['items'] = []
  for (const id of await findProposedTo(db, who.scope, new Date(now))) {
    const { row } = await visitShown(db, who.scope, id)
    const proposal = await openTime(context, who, row, await findOfVisit(db, who.scope, id))
    if (proposal) items.push({ appointmentId: id, institute: { name: row.instituteName, timeZone: row.timeZone }, proposal })
  }
  return { now: instantText(now), items }
}

export async function ownProposal(context: AppContext, { scope, locale }: Requester, id: string): Promise<Own> {
  const { db } = context.database
  const now = context.clock.now()
  const visit = await visitShown(db, scope, id)
  const { row } = visit
  const one = await findOfVisit(db, scope, id)
  const late = row.life === 'booked' ? await findLate(db, scope, { id, now: new Date(now) }) : null
  const leaving = late && (await leavingOf(db, { scope, locale }, visit, late.startsAt, now))
  return {
    now: instantText(now),
    timeZone: row.timeZone,
    proposal: await openTime(context, { scope, locale }, row, one),
    late: late && { ...late, canLeave: leaving !== null, leaving },
  }
}

async function lockOwn(unit: Unit, scope: SelfScope, id: string): Promise<AppointmentRow> {
  const row = await findVisit(unit.db, scope, { id, lock: true })
  if (!row || row.life === 'held') throw refuse('not_found')
  return row
}

async function answer(context: AppContext, who: Who, call: string, id: string, work: (unit: Unit) => Promise<void>): Promise<Appointment> {
  const { scope } = who
  const { row } = await visitShown(context.database.prepared, scope, id)
  const change = { instituteId: row.instituteId, by: scope, key: keyOf(who, { call, id }) }
  return changeInstitute(context, change, async (unit) => {
    await freeLapsed(unit)
    await work(unit)
    return visitForWire(await visitShown(unit.db, scope, id), who.locale, unit.now)
  })
}

/** @throws hold_expired when it has run out, wrong_state when there is nothing to answer (any more) */
export const acceptProposal = (context: AppContext, who: Who, id: string): Promise<Appointment> =>
  answer(context, who, 'acceptProposal', id, async (unit) => {
    const row = await lockOwn(unit, who.scope, id)
    const one = await findOfVisit(unit.db, who.scope, id)
    if (!isOpen(one, row) || row.attendance !== 'expected') throw refuse('wrong_state')
    await takeProposed(unit, row, one)
  })

/** Free of charge: the institute has asked for another time, or is late; what is under way is done all the same. @throws wrong_state */
export const declineProposal = (context: AppContext, who: Who, id: string): Promise<Appointment> =>
  answer(context, who, 'declineProposal', id, async (unit) => {
    const row = await lockOwn(unit, who.scope, id)
    const one = await findOfVisit(unit.db, who.scope, id)
    const isAsked = isOpen(one, row)
    const late = isAsked ? null : await findLate(unit.db, who.scope, { id, now: new Date(unit.now) })
    const segments = (await segmentsOf(unit.db, who.scope, [id])).get(id) ?? []
    const left = late && leftOf({ row, segments }, late.startsAt, unit.now)
    if (left && !left.isWhole) return leaveRest(unit, who, row, segments, left.rest)
    if (!stepFrom('cancel', stateOf(row), 'client') || row.attendance !== 'expected' || !(isAsked || left)) throw refuse('wrong_state')
    await markCancelled(unit, { id, by: 'client', reason: null, now: new Date(unit.now) })
    await freeTime(unit, id)
    // Whatever the window says: it was the institute that could not keep the time.
    await returnMoney(unit, who.scope.actor, row, 'institute')
    const times = { startsAt: row.startsAt, endsAt: row.endsAt }
    unit.record('visit.cancelled', id, { ...times, by: 'client', reason: null })
    if (!isAsked) return
    await giveBackHold(unit, row, one)
    await changeState(unit, { id: one.id, state: 'declined', proposed: null })
    unit.record('visit.rearranged', id, { rearrangementId: one.id, state: 'declined', ...times })
  })
