/** Every state of an appointment, every step between them, who may take it and what money does. Questions about states are asked here only. */
import type { Status } from '@soigne/contract/appointments'
import type { Actor } from '#/platform/access.ts'

export type StoredStatus = 'held' | Status
/** The sides of a visit. */
export type Party = 'client' | 'institute' | 'system'
/** The side somebody acts for: people and programs of an institute, and operators in its place, for the institute. */
export const partyOf = ({ kind }: Actor): Party => (kind === 'client' || kind === 'system' ? kind : 'institute')

interface Step {
  readonly from: StoredStatus
  readonly by: readonly Party[]
  readonly to: StoredStatus | 'gone'
  /** What happens to money; deposits arrive with payments and take their steps here. */
  readonly money: 'none' | 'kept_or_refunded_by_terms' | 'refunded_in_full' | 'deposit_taken' | 'paid_in_full'
}

const steps = {
  confirm: [{ from: 'held', by: ['client'], to: 'pending', money: 'none' }],
  confirm_with_deposit: [{ from: 'held', by: ['client', 'system'], to: 'deposit_paid', money: 'deposit_taken' }],
  release: [{ from: 'held', by: ['client', 'system'], to: 'gone', money: 'none' }],
  pay: [
    { from: 'pending', by: ['client', 'institute', 'system'], to: 'completed', money: 'paid_in_full' },
    { from: 'deposit_paid', by: ['client', 'institute', 'system'], to: 'completed', money: 'paid_in_full' },
  ],
  move: [
    { from: 'pending', by: ['client', 'institute', 'system'], to: 'pending', money: 'none' },
    { from: 'deposit_paid', by: ['client', 'institute', 'system'], to: 'deposit_paid', money: 'none' },
    { from: 'completed', by: ['client', 'institute', 'system'], to: 'completed', money: 'none' },
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
export function stepFrom(name: StepName, from: StoredStatus, who: Party): Step | null {
  return (steps[name] as readonly Step[]).find((step) => step.from === from && step.by.includes(who)) ?? null
}

/** All steps, for tests and documents. */
export const allSteps = (): readonly (Step & { name: StepName })[] =>
  (Object.keys(steps) as StepName[]).flatMap((name) => (steps[name] as readonly Step[]).map((step) => ({ name, ...step })))
