/** Two at one time on purpose. Only what others have is overlooked: opening hours, shifts, closures and leave hold for an overbooked visit too. */
import { randomUUIDv7 } from 'node:crypto'
import type { CartLine, InstituteDiary, VisitPlan } from '@soigne/scheduling/model'
import { planVisit } from '@soigne/scheduling/plan-visit'
import { dayMs, type Instant, minuteOf } from '@soigne/contract/time'
import { instantText, minuteText } from '#/platform/instants.ts'
import { type LoadedInstitute, loadDiary } from '#/features/availability/service.ts'
import { references, rowsOf } from '#/features/booking/service.ts'
import { termsFor } from '#/features/visits/service.ts'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { brokenConstraint } from '#/platform/database.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import { insertWritten, type WrittenVisit } from './overbooking-store.ts'
import { type DiaryScope, readInstant } from './wall.ts'

export interface OverbookAsked {
  /** Of this institute. */
  customerId: string
  /** In order; who is overbooked is said by name. */
  services: readonly { serviceId: string; staffId: string }[]
  startsAt: string
  /** Why; kept with the visit's time. */
  reason: string
  note?: string | undefined
}

export interface OverbookedVisit {
  id: string
  reference: string
  startsAt: string
  endsAt: string
}

const longestReason = 500
const mostTries = 3

/** The diary in which the members named are free, or all who may be chosen, and the resources too where asked. */
const overlooking = (diary: InstituteDiary, cart: readonly CartLine[], resources: boolean): InstituteDiary => ({
  ...diary,
  members: diary.members.map((member) =>
    cart.some(({ memberId }) => memberId === undefined || memberId === member.id) ? { ...member, busy: [] } : member,
  ),
  resources: resources ? diary.resources.map((resource) => ({ ...resource, busy: [] })) : diary.resources,
})

/** A free room or machine is used where there is one. @throws not_offered for what holds all the same */
export function planOver({ diary }: LoadedInstitute, cart: readonly CartLine[], startsAt: Instant, now: Instant): VisitPlan {
  const asking = { now: minuteOf(now), forInstitute: true }
  const answer = planVisit(overlooking(diary, cart, false), cart, minuteOf(startsAt), asking)
  const second =
    answer.ok || answer.reason !== 'no_resource' ? answer : planVisit(overlooking(diary, cart, true), cart, minuteOf(startsAt), asking)
  if (!second.ok) throw refuse('not_offered', { reason: second.reason })
  return second.plan
}

function readReason(text: string): string {
  const reason = text.trim()
  if (reason === '') throw refuseField('reason', 'required')
  if (reason.length > longestReason) throw refuseField('reason', `too_long:${longestReason}`)
  return reason
}

async function overbookOnce(context: AppContext, scope: DiaryScope, asked: OverbookAsked): Promise<OverbookedVisit> {
  const { instituteId } = scope
  const { customerId, services, note } = asked
  const reason = readReason(asked.reason)
  const start = readInstant('startsAt', asked.startsAt, context.clock.now())
  const cart = services.map(({ serviceId, staffId }) => ({ serviceId, memberId: staffId }))
  if (cart.length === 0) throw refuseField('services', 'required')
  return changeInstitute(context, { instituteId, by: scope }, async (unit) => {
    const days = { from: new Date(start - dayMs), to: new Date(start + dayMs) }
    const loaded = await loadDiary(unit.db, { instituteId, ...days, now: new Date(unit.now), cart })
    if (!loaded) throw refuse('not_found')
    for (const { serviceId, memberId } of cart)
      if (!loaded.serviceDetails.has(serviceId) || !loaded.memberDetails.has(memberId)) throw refuse('not_found')
    const plan = planOver(loaded, cart, start, unit.now)
    const { institute } = loaded
    const visit: WrittenVisit = {
      ...rowsOf({ loaded, plan }),
      id: randomUUIDv7(),
      customerId,
      reference: references.draw(),
      startsAt: instantText(start),
      endsAt: minuteText(plan.endsAt),
      timeZone: institute.timeZone,
      cart: services,
      currency: institute.currency,
      terms: termsFor(institute, start),
      note: note || null,
      ownNote: null,
      reason,
      actor: scope.actor,
      now: instantText(unit.now),
    }
    if (!(await insertWritten(unit, visit))) throw refuse('not_found')
    const { id, reference, startsAt, endsAt } = visit
    unit.record('visit.overbooked', id, { startsAt, endsAt, customerId, reason })
    return { id, reference, startsAt, endsAt }
  })
}

/** @throws not_offered with the reason for what holds all the same, not_found for services, members or customers of somebody else */
export async function overbookVisit(context: AppContext, scope: DiaryScope, asked: OverbookAsked): Promise<OverbookedVisit> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await overbookOnce(context, scope, asked)
    } catch (error) {
      if (attempt === mostTries || brokenConstraint(error) !== 'appointments_reference_key') throw error
    }
  }
}
