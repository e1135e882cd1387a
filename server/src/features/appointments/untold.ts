/**
 * What an institute does to a visit is told when it can be taken back no more, so a slip of the hand and its undo tell nobody. Several changes within that
 * time are told as one. Reminders follow at once: nobody is reminded of an hour that is no more.
 */
import { undoSeconds } from '@soigne/contract/diary'
import { freeLapsed, freeTime, markCancelled, removePlan } from '#/features/booking/service.ts'
import { cancelledWithMoney, returnMoney } from '#/features/payments/service.ts'
import { changeInstitute, changeWithin, type Unit } from '#/features/unit-of-work/service.ts'
import { columnOf, type DiaryReaderScope, findVisit, partyOf, segmentsOf, type ShownVisit } from '#/features/visits/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { brokenConstraint, type Db, inTransaction } from '#/platform/database.ts'
import { type NewEvent, recordEvents } from '#/platform/events.ts'
import { instantText, parseInstant } from '#/platform/instants.ts'
import { addJob } from '#/platform/jobs.ts'
import { refuse } from '#/platform/refuse.ts'
import type { EventPayloads } from '#/event-kinds.ts'
import { system, type Told, tellOfVisits } from './telling.ts'
import {
  type DueChange,
  forgetUntold,
  keepUntold,
  lastUntold,
  markTold,
  restoreVisit,
  takeDue,
  type UntoldKind,
  type VisitBefore,
  visitAsItIs,
} from './untold-store.ts'

const undoMs = undoSeconds * 1000
/** Visits of one transaction. */
const atOnce = 50

interface VisitTime {
  startsAt: string
  endsAt: string
}

/** Whoever acts for an institute can take it back; what clients and the product do is told at once. */
export const isToldLater = ({ actor }: { actor: DiaryReaderScope['actor'] }): boolean => actor.kind === 'institute'

/** Keeps a change that was made in this unit until it is told. */
export async function tellLater(
  unit: Unit,
  { actor }: Pick<DiaryReaderScope, 'actor'>,
  change: { id: string; kind: UntoldKind; after: VisitTime; before: VisitBefore | null },
): Promise<void> {
  await keepUntold(unit, { ...change, actor, dueAt: new Date(unit.now + undoMs) })
  await addJob(unit.db, 'tell_of_changes', {}, { key: `tell_of_changes:${change.id}`, afterMs: undoMs + 100 })
}

export { type VisitBefore, visitAsItIs }

/** Who sees one column alone takes back what was only ever in that one. */
async function checkOwn(unit: Unit, scope: DiaryReaderScope, id: string, before: VisitBefore | null): Promise<void> {
  const own = columnOf(scope)
  if (own === null) return
  const now = (await segmentsOf(unit.db, scope, [id])).get(id) ?? []
  const concerned = [...now.map(({ memberId }) => memberId), ...(before?.visit.memberIds ?? [])]
  if (concerned.some((memberId) => memberId !== own)) throw refuse('forbidden')
}

/** Takes back what the institute did last to a visit. @throws too_late once it was told, wrong_state when it was changed since, forbidden where another column is concerned, slot_taken */
export async function undoChange<T>(
  context: AppContext,
  scope: DiaryReaderScope,
  id: string,
  present: (unit: Unit) => Promise<T>,
): Promise<T> {
  const seen = await findVisit(context.database.prepared, scope, { id })
  if (!seen) throw refuse('not_found')
  try {
    return await changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
      await freeLapsed(unit)
      const row = await findVisit(unit.db, scope, { id, lock: true })
      if (!row) throw refuse('not_found')
      const change = await lastUntold(unit, id)
      if (!change || parseInstant(change.dueAt) <= unit.now) throw refuse('too_late')
      if (change.revision !== row.revision) throw refuse('wrong_state')
      await checkOwn(unit, scope, id, change.before)
      const times = { startsAt: row.startsAt, endsAt: row.endsAt }
      if (change.before === null) {
        await markCancelled(unit, { id, by: partyOf(scope.actor), reason: null, now: new Date(unit.now) })
        await freeTime(unit, id)
        unit.record('visit.cancelled', id, { ...times, by: partyOf(scope.actor), reason: null, toldLater: true, undoes: true })
      } else {
        await removePlan(unit, id)
        await restoreVisit(unit, id, change.before)
        const { startsAt, endsAt } = change.before.visit
        const now = { startsAt: instantText(parseInstant(startsAt)), endsAt: instantText(parseInstant(endsAt)) }
        unit.record('visit.moved', id, { ...now, before: times, toldLater: true, undoes: true })
      }
      await forgetUntold(unit, [change.id])
      return present(unit)
    })
  } catch (error) {
    if (['occupations_apart', 'session_seats_pkey'].includes(brokenConstraint(error) ?? ''))
      throw refuse('slot_taken', { reason: 'taken', nearest: [] })
    throw error
  }
}

const sameMembers = (before: VisitBefore, { segments }: ShownVisit): boolean =>
  new Set([...before.visit.memberIds, ...segments.map(({ memberId }) => memberId)]).size === new Set(before.visit.memberIds).size &&
  new Set(segments.map(({ memberId }) => memberId)).size === new Set(before.visit.memberIds).size

const sameTime = (one: VisitTime, other: VisitTime): boolean =>
  parseInstant(one.startsAt) === parseInstant(other.startsAt) && parseInstant(one.endsAt) === parseInstant(other.endsAt)

/** What all changes of one visit come to, for who knew it as it was before; null when that is nothing. */
export function toldOf(changes: readonly DueChange[], visit: ShownVisit): Told | null {
  const [first, last] = [changes[0], changes.at(-1)]
  if (!first || !last) return null
  const isNew = first.kind === 'booked'
  const { row } = visit
  const told = { key: `change:${last.id}`, subjectId: row.id, instituteId: row.instituteId, actor: last.actor }
  if (row.life === 'cancelled') {
    // Whoever cancelled it in between has told of it.
    if (last.kind !== 'cancelled' || isNew) return null
    const times = first.before?.visit ?? last.after
    return { ...told, kind: 'visit.cancelled', payload: { startsAt: times.startsAt, endsAt: times.endsAt, by: 'institute', reason: null } }
  }
  const now = { startsAt: row.startsAt, endsAt: row.endsAt }
  if (isNew) return { ...told, kind: 'visit.booked', payload: { ...now, userId: row.userId } }
  const before = first.before
  if (
    !before ||
    !sameTime(last.after, row) ||
    (parseInstant(before.visit.startsAt) === parseInstant(row.startsAt) && sameMembers(before, visit))
  )
    return null
  const { startsAt, endsAt } = before.visit
  return { ...told, kind: 'visit.moved', payload: { ...now, before: { startsAt, endsAt } } }
}

/** What becomes free for others, now that it is not taken back. */
const settledOf = (changes: readonly DueChange[], now: number): NewEvent<'visit.settled', EventPayloads['visit.settled']>[] => {
  const [last] = changes.slice(-1)
  if (!last) return []
  const freed = changes.flatMap(({ before }) => (before ? [{ startsAt: before.visit.startsAt, endsAt: before.visit.endsAt }] : []))
  const { instituteId, appointmentId: subjectId } = last
  return [{ kind: 'visit.settled', instituteId, subjectId, actor: system.actor, payload: { freed }, at: instantText(now) }]
}

/** A cancellation that is taken back no more: what was paid goes back. */
async function giveMoneyBack(context: AppContext, transaction: Db, changes: readonly DueChange[]): Promise<void> {
  const cancelled = changes.filter(({ kind }) => kind === 'cancelled')
  if (cancelled.length === 0) return
  const ids = cancelled.map(({ appointmentId }) => appointmentId)
  for (const { id, instituteId } of await cancelledWithMoney(transaction, system, ids))
    await changeWithin(context, transaction, { instituteId, by: system }, async (unit) => {
      const row = await findVisit(unit.db, system.institute(instituteId), { id, lock: true })
      const actor = cancelled.find(({ appointmentId }) => appointmentId === id)?.actor ?? system.actor
      if (row?.life === 'cancelled' && row.cancelledBy !== 'client') await returnMoney(unit, actor, row, 'institute')
      unit.nothingChanged()
    })
}

async function tellSome(context: AppContext, transaction: Db): Promise<number> {
  const now = context.clock.now()
  const changes = await takeDue(transaction, system, { now: new Date(now), limit: atOnce })
  const byVisit = [...Map.groupBy(changes, ({ appointmentId }) => appointmentId).values()]
  await giveMoneyBack(context, transaction, changes)
  await tellOfVisits(
    context,
    transaction,
    byVisit.map((list) => ({ about: list[0], toldOf: (visit: ShownVisit) => toldOf(list, visit) })),
  )
  await markTold(
    transaction,
    system,
    changes.map(({ id }) => id),
  )
  await recordEvents(
    transaction,
    byVisit.flatMap((list) => settledOf(list, now)),
  )
  return byVisit.length
}

/** Tells of everything that can be taken back no more. */
export async function tellOfChanges(context: AppContext): Promise<void> {
  while ((await inTransaction(context.database.db, (transaction) => tellSome(context, transaction))) === atOnce);
  context.live.wake()
}
