/** What becomes of a fee: made when somebody cancels late or does not come, charged when the time to waive it is over, waived or given back. */
import { feeWaitHours } from '@soigne/contract/fees'
import { hourMs, minuteMs } from '@soigne/contract/time'
import { moveMoney, takeFee } from '#/features/ledger/service.ts'
import { besideOf, onlineMoney, refundWaived } from '#/features/payments/service.ts'
import type { Unit } from '#/features/unit-of-work/service.ts'
import { type AppointmentRow, findVisit } from '#/features/visits/service.ts'
import { type Actor, systemScope } from '#/platform/access.ts'
import { instantText, parseInstant } from '#/platform/instants.ts'
import { refuse } from '#/platform/refuse.ts'
import { type Fee, feeOfVisit, insertFee, lockFee, setFee } from './store.ts'

const system = systemScope('reckon fees')

type Visit = Pick<AppointmentRow, 'id' | 'userId' | 'fees' | 'totalAmount' | 'currency' | 'startsAt'>

async function make(unit: Unit, { id, userId, currency }: Visit, kind: Fee['kind'], amount: number, dueAt: number): Promise<void> {
  const feeId = await insertFee(unit, { visitId: id, userId, kind, amount, currency, dueAt: new Date(dueAt) })
  if (feeId !== null) unit.record('fee.made', id, { feeId, kind, amount, currency, dueAt: instantText(dueAt) })
}

/** For a visit that its client has cancelled late. */
export const makeLateFee = (unit: Unit, visit: Visit, amount: number): Promise<void> =>
  make(unit, visit, 'late_cancel', amount, unit.now + feeWaitHours * hourMs)

/** What missing a visit costs beside what was paid for it already. */
export async function missedOf(unit: Unit, { id, fees, totalAmount }: Visit): Promise<number> {
  if (!fees) return 0
  const sale = { instituteId: unit.instituteId, saleId: id }
  const { counter } = await besideOf(unit.db, system, sale)
  const online = (await onlineMoney(unit.db, system, sale)).reduce((sum, { left }) => sum + left, 0)
  return Math.max(0, Math.min(fees.noShow, totalAmount) - counter - online)
}

/** For a visit that its client has missed; its time begins when the grace after the start is over. */
export async function makeNoShowFee(unit: Unit, visit: Visit): Promise<void> {
  const amount = await missedOf(unit, visit)
  if (amount === 0) return
  const from = Math.max(unit.now, parseInstant(visit.startsAt) + (visit.fees?.graceMinutes ?? 0) * minuteMs)
  await make(unit, visit, 'no_show', amount, from + feeWaitHours * hourMs)
}

/** Nobody is charged before the grace after the start of a visit is over, however early it was marked. */
export const mayBeChargedFrom = ({ dueAt }: Pick<Fee, 'dueAt'>): number => parseInstant(dueAt) - feeWaitHours * hourMs

const ended = (unit: Unit, { id: feeId, visitId, amount, currency }: Fee, state: Parameters<typeof endFee>[2]): void =>
  unit.record('fee.ended', visitId, { feeId, amount, currency, state })

/** What an attempt at charging came to, or why there was none. */
export async function endFee(
  unit: Unit,
  fee: Fee,
  state: 'asked' | 'unpaid' | 'waived' | 'withdrawn' | 'charged' | 'given_back',
): Promise<void> {
  const last = state === 'asked' || state === 'unpaid' ? (fee.calledOff ?? state) : state
  await setFee(unit, { id: fee.id, state: last })
  ended(unit, fee, last)
}

/** The money of a fee is there. False where nobody wants it any more: then it goes back. */
export async function acceptFee(unit: Unit, feeId: string, checkoutId: string, actor: Actor): Promise<boolean> {
  const fee = await lockFee(unit, feeId)
  if (!fee) return false
  if (fee.calledOff) await endFee(unit, fee, fee.calledOff)
  if (fee.calledOff || !['charging', 'asked', 'unpaid'].includes(fee.state)) return false
  await setFee(unit, { id: feeId, state: 'charged', checkoutId })
  await takeFee(await movementOf(unit, fee, actor), { feeId, checkoutId, amount: fee.amount })
  ended(unit, fee, 'charged')
  return true
}

async function movementOf(unit: Unit, { visitId: id }: Fee, actor: Actor) {
  const visit = await findVisit(unit.db, system.institute(unit.instituteId), { id })
  return moveMoney(unit, actor, { id, appointmentId: id, customerId: visit?.customerId ?? null })
}

/** It was charged, and all of it goes back. */
async function giveBack(unit: Unit, fee: Fee, by: { actor: Actor; reason: string | null }): Promise<void> {
  const { id, checkoutId, visitId, amount, currency } = fee
  if (checkoutId === null) throw new Error('a fee was charged by nothing')
  await setFee(unit, { id, state: 'given_back', reason: by.reason, decidedBy: by.actor })
  await takeFee(await movementOf(unit, fee, by.actor), { feeId: id, checkoutId, amount: -amount })
  await refundWaived(unit, { checkoutId, visitId, amount, currency })
  ended(unit, fee, 'given_back')
}

/** Whether it can be waived, or what was charged given back. */
export const isOpenFee = ({ state, calledOff }: Pick<Fee, 'state' | 'calledOff'>): boolean =>
  ['due', 'charging', 'charged', 'asked', 'unpaid'].includes(state) && calledOff === null

/** Waived by the institute, or withdrawn since its client came after all; what was charged goes back. @throws wrong_state where it is over */
async function callOff(unit: Unit, fee: Fee, to: 'waived' | 'withdrawn', by: { actor: Actor; reason: string | null }): Promise<void> {
  if (fee.state === 'charged') return giveBack(unit, fee, by)
  if (!isOpenFee(fee)) throw refuse('wrong_state')
  const more = { id: fee.id, reason: by.reason, decidedBy: by.actor }
  if (fee.state === 'charging') {
    // Whoever asks the card is on the way: what comes of it goes back.
    await setFee(unit, { ...more, state: 'charging', calledOff: to })
    return unit.record('fee.charging', fee.visitId, { feeId: fee.id, amount: fee.amount, currency: fee.currency })
  }
  await setFee(unit, { ...more, state: to })
  ended(unit, fee, to)
}

/** @throws not_found, wrong_state */
export async function waiveFee(unit: Unit, id: string, by: { actor: Actor; reason: string }): Promise<void> {
  const fee = await lockFee(unit, id)
  if (!fee) throw refuse('not_found')
  await callOff(unit, fee, 'waived', by)
}

/** Whoever was missed has come after all. */
export async function withdrawFee(unit: Unit, visitId: string, actor: Actor): Promise<void> {
  const seen = await feeOfVisit(unit.db, system, { visitId, instituteId: unit.instituteId })
  const fee = seen?.kind === 'no_show' ? await lockFee(unit, seen.id) : null
  if (!fee || fee.calledOff || fee.state === 'waived' || fee.state === 'given_back') return
  await callOff(unit, fee, 'withdrawn', { actor, reason: null })
}
