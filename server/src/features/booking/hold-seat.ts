/** Holding a seat of a group session: one unit of work. Its crowd waits in line here; the lock of the diary and the numbers of the seats let in no more than there are. */
import { randomUUIDv7 } from 'node:crypto'
import { type Hold, holdMinutes } from '@soigne/contract/appointments'
import { type Instant, minuteMs } from '@soigne/contract/time'
import type { ClientFacts, VisitPlan } from '@soigne/scheduling/model'
import { asksForSeat } from '@soigne/scheduling/sessions'
import { type LoadedInstitute, rememberedDiary } from '#/features/availability/service.ts'
import { isBlockedAt } from '#/features/customers/service.ts'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import { findShown, holdForWire, type Terms, termsFor } from '#/features/visits/service.ts'
import type { SelfScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { limitByKey } from '#/platform/concurrency-by-key.ts'
import { brokenConstraint } from '#/platform/database.ts'
import { instantText, minuteText, parseInstant } from '#/platform/instants.ts'
import { RefusalError, refuse } from '#/platform/refuse.ts'
import { nothingFree, references } from './hold-batch.ts'
import { type Agreed, diaryForMove, factsOf, linesOf, planFor, rowsOf, type VisitRequest, withNearest } from './planning.ts'
import { keyOf, type Requester } from './requester.ts'
import { countHolds, insertPlainHold, insertPlan } from './store.ts'
import { freeLapsed } from './sweeping.ts'

const mostTries = 3
const atInstitute = limitByKey(3)

/** Whether a cart is for a group, as far as this process knows. Nothing is lost by a wrong guess: either way of holding refuses what is the other's. */
export async function isForGroup(context: AppContext, { instituteId, cart }: VisitRequest): Promise<boolean> {
  const state = await rememberedDiary(context, instituteId, context.clock.now())
  return state !== null && asksForSeat(state.loaded.diary, linesOf(cart))
}

async function checkCount(context: AppContext, unit: Unit, { scope }: Requester): Promise<void> {
  const { limits } = context.settings
  const { count, first } = await countHolds(unit, scope)
  if (count < (scope.verified ? limits.holds : limits.holdsUnconfirmed)) return
  throw refuse('too_many_holds', undefined, { retryAfter: Math.max(1, Math.ceil((parseInstant(first ?? '') - unit.now) / 1000)) })
}

interface PlanToHold {
  request: VisitRequest
  loaded: LoadedInstitute
  plan: VisitPlan
  expiresAt: Instant
  terms: Terms
  isOffer: boolean
  /** What was agreed before, by line of the cart. */
  agreed?: ReadonlyMap<number, Agreed>
}
/** Writes what was planned as a hold of a person, and gives its id. */
export async function holdPlan(
  unit: Unit,
  scope: SelfScope,
  { request, loaded, plan, expiresAt, terms, isOffer, agreed }: PlanToHold,
): Promise<string> {
  const { totalAmount, ...rows } = rowsOf({ loaded, plan }, agreed)
  const { timeZone, currency } = loaded.institute
  const id = randomUUIDv7()
  const times = { startsAt: instantText(request.startsAt), endsAt: minuteText(plan.endsAt) }
  const until = instantText(expiresAt)
  await insertPlainHold(unit, scope, {
    id,
    ...times,
    expiresAt: until,
    timeZone,
    currency,
    totalAmount,
    cart: request.cart,
    reference: references.draw(),
    terms,
    isOffer,
    now: instantText(unit.now),
  })
  await insertPlan(unit, id, rows)
  unit.record('visit.held', id, { ...times, expiresAt: until, userId: scope.userId })
  return id
}

/** @throws slot_taken with the nearest sessions that have seats, and whatever holding a time throws */
export async function holdSeat(context: AppContext, who: Requester, request: VisitRequest, asked: unknown): Promise<Hold> {
  const { scope, locale } = who
  const { instituteId } = request
  if (await isBlockedAt(context.database.prepared, scope, instituteId)) throw nothingFree()
  let client: ClientFacts | undefined
  const work = async (unit: Unit): Promise<Hold> => {
    await freeLapsed(unit)
    await checkCount(context, unit, who)
    const loaded = await diaryForMove(unit.db, request, unit.now)
    client = await factsOf(unit.db, loaded, request, scope)
    const answer = planFor(loaded, request, client, unit.now, locale)
    if (!answer.ok) throw answer.refusal
    // It is given to groups no more.
    if (answer.plan.sessionId === undefined) throw refuse('slot_taken', { reason: 'no_session' })
    const id = await holdPlan(unit, scope, {
      request,
      loaded,
      plan: answer.plan,
      expiresAt: unit.now + holdMinutes * minuteMs,
      terms: termsFor(loaded.institute, request.startsAt),
      isOffer: false,
    })
    const shown = await findShown(unit.db, scope, id)
    if (!shown) throw new Error('a hold that was made is not there')
    return holdForWire(shown.row, shown.segments, locale, shown.overlap)
  }
  const change = { instituteId, by: scope, persons: [scope], key: keyOf(who, asked) }
  for (let attempt = 1; ; attempt++) {
    try {
      return await atInstitute(instituteId, () => changeInstitute(context, change, work))
    } catch (error) {
      // A seat that was taken past the lock, or a reference drawn twice.
      const again = ['session_seats_pkey', 'appointments_reference_key'].includes(brokenConstraint(error) ?? '')
      if (again && attempt < mostTries) continue
      const code = error instanceof RefusalError ? error.code : null
      if (code !== 'slot_taken' && code !== 'not_offered') throw error
      throw await withNearest(context, error as RefusalError, request, client, context.clock.now())
    }
  }
}
