/** A hold becomes an appointment. What is free and what is taken stays as it is, so nothing is planned again. */
import type { Appointment } from '@soigne/contract/appointments'
import type { Instant } from '@soigne/contract/time'
import { appointmentForWire, type AppointmentRow, findShown } from '#/features/visits/service.ts'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { SelfScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { sqlState } from '#/platform/database.ts'
import { fingerprintOf } from '#/platform/idempotency.ts'
import { needsAccount } from '#/platform/payment-provider.ts'
import { refuse } from '#/platform/refuse.ts'
import { giveBack } from './held-time.ts'
import { type PlannedVisit, rememberedHold } from './planned-visits.ts'
import type { Requester } from './requester.ts'
import { type ConfirmOutcome, confirmHold } from './hold-store.ts'

export interface Confirmation {
  holdId: string
  paymentMethod?: 'card' | 'paypal' | 'klarna' | undefined
  note?: string | undefined
}

const refusals = {
  other_request: 'idempotency_conflict',
  not_found: 'not_found',
  wrong_state: 'wrong_state',
  hold_expired: 'hold_expired',
} as const satisfies Partial<Record<ConfirmOutcome, string>>

/** The visit as it will be answered once it is confirmed. */
function confirmedBody({ row, segments }: PlannedVisit, request: Confirmation, who: Requester, now: Instant): Appointment {
  const confirmed: AppointmentRow = {
    ...row,
    life: 'booked',
    payment: 'none',
    expiresAt: null,
    paymentMethod: request.paymentMethod ?? null,
    note: request.note || null,
  }
  return appointmentForWire(confirmed, segments, who.locale, now)
}

/** Confirms a live hold within a change of its institute that has its row locked. False where something is paid first. @throws hold_expired, wrong_state */
export async function confirmWithin(
  unit: Unit,
  who: Requester<SelfScope<true>>,
  { id, needsAccount }: { id: string; needsAccount: boolean | null },
): Promise<boolean> {
  const visit = await findShown(unit.db, who.scope, id)
  if (!visit) throw refuse('not_found')
  const body = confirmedBody(visit, { holdId: id }, who, unit.now)
  const { status, paymentMethod, note } = body
  const asked = { id, status, paymentMethod, note, key: null, fingerprint: null, body, now: new Date(unit.now), needsAccount }
  const done = await confirmHold(unit.db, who.scope, asked)
  if (!done) throw new Error('a confirmation had no outcome')
  if (done.outcome === 'payment_needed') return false
  if (done.outcome !== 'confirmed' && done.outcome !== 'answered') throw refuse(refusals[done.outcome])
  return true
}

const mostTries = 4

/** Null where something is paid first. */
export async function confirm(context: AppContext, who: Requester<SelfScope<true>>, request: Confirmation): Promise<Appointment | null> {
  const { prepared: db } = context.database
  const now = context.clock.now()
  const { scope } = who
  const id = request.holdId
  const visit = rememberedHold(context.database, scope, id) ?? (await findShown(db, scope, id))
  if (!visit) throw refuse('not_found')
  const body = confirmedBody(visit, request, who, now)
  const key = who.idempotencyKey
  for (let attempt = 1; ; attempt++) {
    try {
      const done = await confirmHold(db, scope, {
        id,
        status: body.status,
        paymentMethod: body.paymentMethod,
        note: body.note,
        key,
        fingerprint: key === null ? null : fingerprintOf({ call: 'book', ...request }),
        body,
        now: new Date(context.clock.now()),
        needsAccount: needsAccount(context.payments),
      })
      if (!done) throw new Error('a confirmation had no outcome')
      if (done.outcome === 'payment_needed') return null
      if (done.outcome !== 'confirmed' && done.outcome !== 'answered') throw refuse(refusals[done.outcome])
      giveBack(context, id)
      return (done.body ?? body) as Appointment
    } catch (error) {
      // Another request took the key at the same moment, or two confirmations of one person met.
      if (attempt >= mostTries || !['40001', '40P01', '23505'].includes(sqlState(error) ?? '')) throw error
    }
  }
}
