/** Proposing other times: each is kept for its client while they decide. What they had stays theirs until they answer. */
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { answeredBeforeMinutes, type Rearrangement, type RearrangementChoice } from '@soigne/contract/rearranging'
import type { Locale } from '@soigne/contract/wire'
import { hourMs, type Instant, minuteMs } from '@soigne/contract/time'
import { type LoadedInstitute, withLengths } from '#/features/availability/service.ts'
import {
  type Agreed,
  deleteHold,
  freeLapsed,
  freeTime,
  holdPlan,
  keyOf,
  markCancelled,
  markMoved,
  planFor,
  readStart,
  takePlan,
  type Requester,
  type VisitRequest,
} from '#/features/booking/service.ts'
import { returnMoney } from '#/features/payments/service.ts'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import {
  type AppointmentRow,
  findVisit,
  lengthByHand,
  lengthsByHand,
  priceKindOf,
  type SegmentRow,
  segmentsOf,
  stateOf,
  stepFrom,
  termsAfterMove,
} from '#/features/visits/service.ts'
import { mayAlso, systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { brokenConstraint } from '#/platform/database.ts'
import { instantText, minuteText, parseInstant } from '#/platform/instants.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import { closeDays } from './hits-store.ts'
import { withPlan } from './proposing.ts'
import { clientOf, type DiaryScope, diaryAround } from './proposals.ts'
import {
  changeState,
  findOpen,
  findRearrangement,
  insertRearrangement,
  membersOf,
  openTermsUntil,
  type Proposed,
  type RearrangementRow,
} from './store.ts'
import { rearrangementsOf } from './tracking.ts'

type Who = Requester<DiaryScope>
/** A time is kept in the name of its client, who did not ask for it. */
const system = systemScope('keep a proposed time')

/** Somebody who is proposed a time that begins soon has half an hour, or until it begins. */
const leastMinutes = 30

/** Until when a client may answer: so many hours, and no later than two hours before the time itself. */
export function answerBy(startsAt: Instant, hours: number, now: Instant): Instant {
  const usual = Math.min(now + hours * hourMs, startsAt - answeredBeforeMinutes * minuteMs)
  return Math.min(startsAt, Math.max(usual, now + leastMinutes * minuteMs))
}

const lineOf = ({ snapshot, position }: SegmentRow): number => snapshot.line ?? position

/** The institute asks for the move: whoever does it, it costs what was agreed, and takes the time it was given. */
const agreedOf = (segments: readonly SegmentRow[]): Map<number, Agreed> =>
  new Map(
    segments.map((segment): [number, Agreed] => [
      lineOf(segment),
      {
        name: segment.snapshot.name,
        priceKind: priceKindOf(segment),
        isResized: lengthByHand(segment) !== null,
        priceWith: () => segment.priceAmount,
      },
    ]),
  )

/** A visit that may be given another time: it is booked and nobody has come yet. @throws not_found, wrong_state */
export async function lockVisit(unit: Unit, scope: DiaryScope, id: string): Promise<AppointmentRow> {
  const row = await findVisit(unit.db, scope, { id, lock: true })
  if (!row || row.life === 'held') throw refuse('not_found')
  if (!stepFrom('move', stateOf(row), 'institute') || row.attendance !== 'expected' || parseInstant(row.endsAt) <= unit.now)
    throw refuse('wrong_state', { appointmentId: id })
  return row
}

interface Chosen {
  startsAt?: string | undefined
  staff?: string[] | undefined
  hours: number
}
interface Kept {
  proposed: Proposed
  /** With what is kept taken. */
  loaded: LoadedInstitute
}

/** Keeps a time for the client of a visit. @throws slot_taken, not_offered, prerequisite_missing, each naming the visit */
async function keepTime(unit: Unit, who: Who, row: AppointmentRow, chosen: Chosen, around: LoadedInstitute): Promise<Kept> {
  const { userId } = row
  if (userId === null) throw refuse('wrong_state', { appointmentId: row.id })
  if (chosen.startsAt === undefined) throw refuseField('startsAt', 'required')
  const startsAt = readStart(chosen.startsAt, unit.now)
  if (startsAt <= unit.now) throw refuse('not_offered', { reason: 'past', appointmentId: row.id })
  const segments = (await segmentsOf(unit.db, who.scope, [row.id])).get(row.id) ?? []
  const loaded = { ...around, diary: withLengths(around.diary, lengthsByHand(segments)) }
  const staff = chosen.staff ?? segments.toSorted((one, other) => lineOf(one) - lineOf(other)).map(({ memberId }) => memberId)
  if (staff.length !== row.cart.length) throw refuseField('staff', 'invalid')
  const cart = row.cart.map((entry, line) => ({ ...entry, staffId: staff[line] ?? 'any' }))
  for (const { serviceId, staffId } of cart)
    if (!loaded.diary.services.has(serviceId) || !loaded.memberDetails.has(staffId))
      throw refuse('not_found', { appointmentId: row.id, staffId })
  const request: VisitRequest = { instituteId: unit.instituteId, cart, startsAt, forInstitute: true }
  const answer = planFor(loaded, request, await clientOf(unit.db, loaded, row, unit.now), unit.now, who.locale)
  if (!answer.ok) throw refuse(answer.refusal.code, { ...answer.refusal.details, appointmentId: row.id })
  const { plan } = answer
  const until = answerBy(startsAt, chosen.hours, unit.now)
  const terms = termsAfterMove({ ...row.terms, openUntil: instantText(unit.now) }, startsAt, unit.now)
  const hold = { request, loaded, plan, expiresAt: until, terms, isOffer: true, agreed: agreedOf(segments) }
  const holdId = await holdPlan(unit, system.user(userId), hold)
  const times = { startsAt: instantText(startsAt), endsAt: minuteText(plan.endsAt) }
  return {
    proposed: { holdId, ...times, staff, until: instantText(until) },
    loaded: { ...around, diary: withPlan(around.diary, plan) },
  }
}

/** Nobody who was asked for another time loses anything by not taking it. */
const openFor = (unit: Unit, row: AppointmentRow, until: string): Promise<number> =>
  openTermsUntil(unit, row.id, [row.startsAt, until].toSorted().at(-1) ?? until)

const beforeOf = ({ startsAt, endsAt }: AppointmentRow) => ({ startsAt, endsAt })

function recordProposed(unit: Unit, row: AppointmentRow, id: string, { holdId, startsAt, endsAt, until }: Proposed): void {
  if (row.userId === null) return
  const payload = { rearrangementId: id, userId: row.userId, holdId, startsAt, endsAt, until, before: beforeOf(row) }
  unit.record('visit.proposed', row.id, payload)
}

interface Round {
  items: RearrangementChoice[]
  hours: number
  note?: string | undefined
  close?: { fromDay: string; toDay: string } | undefined
}

async function sendOne(
  unit: Unit,
  who: Who,
  choice: RearrangementChoice,
  { hours, note }: Round,
  loaded: LoadedInstitute,
): Promise<LoadedInstitute> {
  const row = await lockVisit(unit, who.scope, choice.appointmentId)
  if (await findOpen(unit.db, who.scope, row.id)) throw refuse('wrong_state', { appointmentId: row.id })
  if (choice.how === 'cancel') {
    await markCancelled(unit, { id: row.id, by: 'institute', reason: null, now: new Date(unit.now) })
    await freeTime(unit, row.id)
    await returnMoney(unit, who.scope.actor, row, 'institute')
    unit.record('visit.cancelled', row.id, { ...beforeOf(row), by: 'institute', reason: null })
    return loaded
  }
  const kept = choice.how === 'propose' ? await keepTime(unit, who, row, { ...choice, hours }, loaded) : null
  const id = await insertRearrangement(unit, {
    appointmentId: row.id,
    state: kept ? 'sent' : 'by_phone',
    before: beforeOf(row),
    proposed: kept?.proposed ?? null,
    note: note || null,
  })
  await openFor(unit, row, kept?.proposed.until ?? row.startsAt)
  if (kept) recordProposed(unit, row, id, kept.proposed)
  else unit.record('visit.rearranged', row.id, { rearrangementId: id, state: 'by_phone', ...beforeOf(row) })
  return kept?.loaded ?? loaded
}

async function sendAll(unit: Unit, who: Who, round: Round): Promise<string[]> {
  const { scope } = who
  await freeLapsed(unit)
  if (round.close) {
    if (round.close.toDay < round.close.fromDay) throw refuseField('toDay', 'date')
    await closeDays(unit.db, scope, round.close)
    unit.record('institute.changed', null, { what: 'closures' })
  }
  const starts = round.items.flatMap(({ startsAt }) => (startsAt === undefined ? [] : [instantText(readStart(startsAt, unit.now))]))
  let loaded = await diaryAround(unit.db, scope, starts, unit.now)
  // In the order of their ids, as locks of rows are taken everywhere.
  for (const choice of round.items.toSorted((one, other) => (one.appointmentId < other.appointmentId ? -1 : 1)))
    loaded = await sendOne(unit, who, choice, round, loaded)
  if (round.items.length === 0 && !round.close) unit.nothingChanged()
  return round.items.map(({ appointmentId }) => appointmentId)
}

const isTaken = (error: unknown): boolean => ['occupations_apart', 'session_seats_pkey'].includes(brokenConstraint(error) ?? '')
async function orTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isTaken(error) ? refuse('slot_taken', { reason: 'taken' }) : error
  }
}

/** All or nothing. @throws slot_taken and the like with `appointmentId`; forbidden to close for who may not */
export async function sendProposals(context: AppContext, who: Who, round: Round): Promise<Answer<Calls['rearrange']>> {
  const { scope } = who
  if (round.close && !mayAlso(scope, 'institute.change')) throw refuse('forbidden')
  const { instituteId } = scope
  const key = keyOf(who, { call: 'rearrange', ...round })
  return orTaken(() =>
    changeInstitute(context, { instituteId, by: scope, key }, async (unit) => {
      const ids = new Set(await sendAll(unit, who, round))
      const items = await rearrangementsOf(unit.db, scope, { now: unit.now, locale: who.locale })
      return { items: items.filter(({ visit }) => ids.has(visit._id)) }
    }),
  )
}

/** A proposed time becomes the time of its visit, which is locked: what was kept is handed over, so that it is free at no moment. @throws hold_expired */
export async function takeProposed(unit: Unit, row: AppointmentRow, one: RearrangementRow): Promise<void> {
  const { holdId } = one
  if (row.userId === null || one.state !== 'sent' || row.startsAt !== one.beforeStartsAt) throw refuse('wrong_state')
  const scope = system.user(row.userId)
  const hold = holdId === null ? null : await findVisit(unit.db, scope, { id: holdId, lock: true })
  if (hold?.life !== 'held' || hold.expiresAt === null || parseInstant(hold.expiresAt) <= unit.now) throw refuse('hold_expired')
  await takePlan(unit, row.id, hold.id)
  if (!(await deleteHold(unit, scope, hold.id))) throw refuse('hold_expired')
  const { startsAt, endsAt, terms } = hold
  // Who was wanted by name is replaced by who does it now; who wanted anybody still does.
  const cart = row.cart.map((entry, line) =>
    entry.staffId !== undefined && entry.staffId !== 'any' ? { ...entry, staffId: hold.cart[line]?.staffId ?? entry.staffId } : entry,
  )
  await markMoved(unit, { id: row.id, startsAt: new Date(startsAt), endsAt: new Date(endsAt), terms, cart, totalAmount: row.totalAmount })
  await changeState(unit, { id: one.id, state: 'accepted', proposed: null })
  const before = { startsAt: row.startsAt, endsAt: row.endsAt }
  unit.record('visit.moved', row.id, { startsAt, endsAt, before })
  unit.record('visit.rearranged', row.id, { rearrangementId: one.id, state: 'accepted', startsAt, endsAt })
}

interface ChangeAsked extends Chosen {
  id: string
  how: 'propose' | 'call' | 'agreed' | 'settled'
}

/** Gives back what is kept; what has run out is forgotten already. */
export async function giveBackHold(unit: Unit, row: AppointmentRow, { holdId }: RearrangementRow): Promise<void> {
  if (holdId === null || row.userId === null) return
  const gone = await deleteHold(unit, system.user(row.userId), holdId)
  if (gone) unit.record('visit.released', holdId, gone)
}

async function proposeAnew(unit: Unit, who: Who, row: AppointmentRow, one: RearrangementRow, asked: ChangeAsked): Promise<void> {
  await giveBackHold(unit, row, one)
  const starts = asked.startsAt === undefined ? [] : [instantText(readStart(asked.startsAt, unit.now))]
  const { proposed } = await keepTime(unit, who, row, asked, await diaryAround(unit.db, who.scope, starts, unit.now))
  await changeState(unit, { id: one.id, state: 'sent', proposed })
  await openFor(unit, row, proposed.until)
  recordProposed(unit, row, one.id, proposed)
}

async function changeWithin(unit: Unit, who: Who, asked: ChangeAsked): Promise<void> {
  await freeLapsed(unit)
  const one = await findRearrangement(unit.db, who.scope, asked.id)
  if (!one) throw refuse('not_found')
  const people = await membersOf(unit.db, who.scope)
  for (const staffId of asked.staff ?? []) if (!people.has(staffId)) throw refuse('not_found', { staffId })
  if (one.state !== 'sent' && one.state !== 'by_phone') throw refuse('wrong_state')
  if (asked.how === 'settled') {
    const row = await findVisit(unit.db, who.scope, { id: one.appointmentId, lock: true })
    if (!row) throw refuse('not_found')
    await giveBackHold(unit, row, one)
    await changeState(unit, { id: one.id, state: 'settled', proposed: null })
    unit.record('visit.rearranged', row.id, { rearrangementId: one.id, state: 'settled', ...beforeOf(row) })
    return
  }
  const row = await lockVisit(unit, who.scope, one.appointmentId)
  if (row.startsAt !== one.beforeStartsAt) throw refuse('wrong_state')
  if (asked.how === 'agreed') return takeProposed(unit, row, one)
  if (asked.how === 'propose') return proposeAnew(unit, who, row, one, asked)
  await giveBackHold(unit, row, one)
  await changeState(unit, { id: one.id, state: 'by_phone', proposed: null })
  unit.record('visit.rearranged', row.id, { rearrangementId: one.id, state: 'by_phone', ...beforeOf(row) })
}

/** @throws wrong_state once it was answered, or the visit was moved meanwhile */
export const changeProposal = (context: AppContext, who: Who, asked: ChangeAsked): Promise<Rearrangement> =>
  orTaken(() =>
    changeInstitute(context, { instituteId: who.scope.instituteId, by: who.scope }, async (unit) => {
      await changeWithin(unit, who, asked)
      const items = await rearrangementsOf(unit.db, who.scope, { now: unit.now, locale: who.locale as Locale })
      const changed = items.find(({ _id }) => _id === asked.id)
      if (!changed) throw refuse('not_found')
      return changed
    }),
  )
