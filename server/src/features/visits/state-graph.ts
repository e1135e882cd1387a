/**
 * What becomes of a visit: its life and its payment are two things, stored apart; here stand every state of both, every step between them,
 * who may take it and what money does. Questions about states are asked here only.
 */
import type { Status } from '@soigne/contract/appointments'
import type { Actor } from '#/platform/access.ts'

export const lives = ['held', 'booked', 'cancelled'] as const
/** `awaiting`: a checkout is open; `failed`: the last one came to nothing. Nothing is paid in either. */
export const payments = ['none', 'awaiting', 'failed', 'deposit_paid', 'paid', 'refunded'] as const

/** As it is stored. Whether somebody came is another thing: attendance. */
export interface Standing {
  life: (typeof lives)[number]
  payment: (typeof payments)[number]
}

/** The specification's word for both; null for a hold, which is no appointment yet. The wire has its words from here. */
export function statusOf({ life, payment }: Standing): Status | null {
  if (life === 'held') return null
  if (life === 'cancelled') return 'cancelled'
  if (payment === 'deposit_paid') return 'deposit_paid'
  return payment === 'paid' ? 'completed' : 'pending'
}

/** What is paid of booked visits that have this word. */
export const paymentsOf = (status: Status): Standing['payment'][] =>
  payments.filter((payment) => statusOf({ life: 'booked', payment }) === status)

/** A hold, a hold whose checkout is open, or an appointment with its word. */
export type VisitState = 'held' | 'awaiting' | Status
export const stateOf = (standing: Standing): VisitState => statusOf(standing) ?? (standing.payment === 'awaiting' ? 'awaiting' : 'held')

/** The sides of a visit. */
export type Party = 'client' | 'institute' | 'system'
/** The side somebody acts for: people and programs of an institute, and operators in its place, for the institute. */
export const partyOf = ({ kind }: Actor): Party => (kind === 'client' || kind === 'system' ? kind : 'institute')

interface Step {
  readonly from: VisitState
  readonly by: readonly Party[]
  readonly to: VisitState | 'gone'
  /** What happens to money. */
  readonly money: 'none' | 'kept_or_refunded_by_terms' | 'refunded_in_full' | 'share_refunded' | 'deposit_taken' | 'paid_in_full'
}

const steps = {
  confirm: [{ from: 'held', by: ['client'], to: 'pending', money: 'none' }],
  begin_checkout: [{ from: 'held', by: ['client'], to: 'awaiting', money: 'none' }],
  /** Declined or given up: the same hold goes on. */
  give_up_checkout: [{ from: 'awaiting', by: ['client', 'system'], to: 'held', money: 'none' }],
  confirm_with_deposit: [{ from: 'awaiting', by: ['client', 'system'], to: 'deposit_paid', money: 'deposit_taken' }],
  /** Nothing is paid: a card was kept. */
  confirm_with_card: [{ from: 'awaiting', by: ['client', 'system'], to: 'pending', money: 'none' }],
  confirm_paid: [{ from: 'awaiting', by: ['client', 'system'], to: 'completed', money: 'paid_in_full' }],
  release: [
    { from: 'held', by: ['client', 'system'], to: 'gone', money: 'none' },
    { from: 'awaiting', by: ['client', 'system'], to: 'gone', money: 'none' },
  ],
  pay: [
    { from: 'pending', by: ['client', 'institute', 'system'], to: 'completed', money: 'paid_in_full' },
    { from: 'deposit_paid', by: ['client', 'institute', 'system'], to: 'completed', money: 'paid_in_full' },
  ],
  move: [
    { from: 'pending', by: ['client', 'institute', 'system'], to: 'pending', money: 'none' },
    { from: 'deposit_paid', by: ['client', 'institute', 'system'], to: 'deposit_paid', money: 'none' },
    { from: 'completed', by: ['client', 'institute', 'system'], to: 'completed', money: 'none' },
  ],
  /** One service of several; what is paid in full is given back by a credit note instead. */
  remove_service: [
    { from: 'pending', by: ['client', 'institute'], to: 'pending', money: 'none' },
    { from: 'deposit_paid', by: ['client', 'institute'], to: 'deposit_paid', money: 'share_refunded' },
  ],
  /** Of a visit at home. */
  correct_home: [
    { from: 'pending', by: ['client', 'institute'], to: 'pending', money: 'none' },
    { from: 'deposit_paid', by: ['client', 'institute'], to: 'deposit_paid', money: 'none' },
    { from: 'completed', by: ['client', 'institute'], to: 'completed', money: 'none' },
  ],
  cancel: [
    { from: 'pending', by: ['client', 'institute', 'system'], to: 'cancelled', money: 'none' },
    { from: 'deposit_paid', by: ['client'], to: 'cancelled', money: 'kept_or_refunded_by_terms' },
    { from: 'deposit_paid', by: ['institute', 'system'], to: 'cancelled', money: 'refunded_in_full' },
    { from: 'completed', by: ['client'], to: 'cancelled', money: 'kept_or_refunded_by_terms' },
    { from: 'completed', by: ['institute', 'system'], to: 'cancelled', money: 'refunded_in_full' },
  ],
} as const satisfies Record<string, readonly Step[]>

export type StepName = keyof typeof steps

/** The step of that name from a state, if this person may take it. */
export function stepFrom(name: StepName, from: VisitState, who: Party): Step | null {
  return (steps[name] as readonly Step[]).find((step) => step.from === from && step.by.includes(who)) ?? null
}

/** All steps, for tests and documents. */
export const allSteps = (): readonly (Step & { name: StepName })[] =>
  (Object.keys(steps) as StepName[]).flatMap((name) => (steps[name] as readonly Step[]).map((step) => ({ name, ...step })))
