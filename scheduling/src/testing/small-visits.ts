/** Visits of the small institute, read and written as people say them. */
import type { CartLine, InstituteDiary, VisitPlan } from '#/model.ts'
import { offersForDays } from '#/offers.ts'
import { planVisit } from '#/plan-visit.ts'
import { ASKING, at, service, shown, TUESDAY, wallOf } from './small-institute.ts'

/** Half an hour of work, forty minutes idle, twenty of work. */
export const COLOUR = service('colour', { parts: { activeMinutes: 30, idleMinutes: 40, activeAfterMinutes: 20 } })

/** The starts of the Tuesday for a cart of any members, as the clock shows them. */
export function tuesday(diary: InstituteDiary, ...ids: readonly string[]): string {
  const cart = ids.map((serviceId) => ({ serviceId }))
  return shown(offersForDays(diary, cart, { ...ASKING, fromDay: TUESDAY, days: 1 })[0]?.times ?? [])
}

/** The plan of a visit on the Tuesday; fails the test when it is refused. */
export function plan(diary: InstituteDiary, start: string, cart: readonly CartLine[]): VisitPlan {
  const planned = planVisit(diary, cart, at(start), ASKING)
  if (!planned.ok) throw new Error(`refused: ${planned.reason}`)
  return planned.plan
}

/** 'ana 09:00-10:00' for each segment. */
export function segments({ segments: list }: VisitPlan): readonly string[] {
  return list.map(({ memberId, startsAt, endsAt }) => `${memberId} ${wallOf(startsAt)}-${wallOf(endsAt)}`)
}

/** 'ana 09:00-10:00' for each stretch of time taken. */
export function occupied({ occupations }: VisitPlan): readonly string[] {
  return occupations.map(({ id, from, to }) => `${id} ${wallOf(from)}-${wallOf(to)}`)
}

/** A line of a cart. */
export const line = (serviceId: string, memberId?: string): CartLine => ({ serviceId, memberId })
