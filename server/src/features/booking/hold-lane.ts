/**
 * Holds of one institute go one batch after the other: those who ask while a batch is under way are planned together, on one diary, and stored by one statement.
 * A diary in memory may be old; the statement says so ('stale'), and the batch is planned again on a fresh one. The last attempt reads it under its lock.
 */
import { createHash, randomInt, randomUUIDv7 } from 'node:crypto'
import { type Hold, holdMinutes } from '@soigne/contract/appointments'
import type { Locale } from '@soigne/contract/wire'
import type { ClientFacts, VisitPlan } from '@soigne/scheduling/model'
import {
  type DiaryState,
  freshDiary,
  keepDiary,
  lapsedIn,
  lockedDiary,
  rememberedDiary,
  verifiedDiary,
  withHold,
} from '#/features/availability/service.ts'
import { indexPatch, refreshInstitutes } from '#/features/summary/service.ts'
import type { SelfScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { type Db, inTransaction, sqlState } from '#/platform/database.ts'
import { refuse, type Refusal } from '#/platform/refuse.ts'
import { checkCart, planFor, rowsOf, type VisitRequest, withNearest } from './planning.ts'
import { endOf, plannedVisit, rememberHold } from './planned-visits.ts'
import { holdForWire } from './present.ts'
import { holdVisits, lockPersons, type NewHold, readAnswer } from './store.ts'
import { sweepInstitute } from './sweeping.ts'
import { termsFor } from './terms.ts'

export interface HoldAsked {
  request: VisitRequest
  client: ClientFacts | undefined
  scope: SelfScope
  locale: Locale
  /** Of the key, if there is one. */
  key: string | null
  fingerprint: string | null
}
interface Waiting extends HoldAsked {
  resolve(hold: Hold): void
  reject(error: unknown): void
}

const minuteMs = 60_000
const mostTogether = 16
/** On diaries in memory; the next is made under the lock. */
const triesInMemory = 3
const mostTries = 8

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
/** Seven letters and digits that cannot be mistaken for one another when read out. One that is in use is drawn again. */
export const references = {
  draw(): string {
    const letters = Array.from({ length: 7 }, () => alphabet[randomInt(alphabet.length)]).join('')
    return `${letters.slice(0, 4)}-${letters.slice(4)}`
  },
}

export const fingerprintOf = (request: unknown): Buffer => createHash('sha256').update(JSON.stringify(request)).digest()

interface Lane {
  waiting: Waiting[]
}
const lanes = new WeakMap<AppContext, Map<string, Lane>>()

/** Waits for a place in the next batch of the institute. */
export function holdInLane(context: AppContext, asked: HoldAsked): Promise<Hold> {
  let ofApp = lanes.get(context)
  if (!ofApp) lanes.set(context, (ofApp = new Map()))
  const { instituteId } = asked.request
  const open = ofApp.get(instituteId)
  return new Promise<Hold>((resolve, reject) => {
    const one: Waiting = { ...asked, resolve, reject }
    if (open) return void open.waiting.push(one)
    const lane: Lane = { waiting: [one] }
    ofApp.set(instituteId, lane)
    void run(context, instituteId, lane).finally(() => ofApp.delete(instituteId))
  })
}

async function run(context: AppContext, instituteId: string, lane: Lane): Promise<void> {
  while (lane.waiting.length > 0) {
    const batch = lane.waiting.splice(0, mostTogether)
    await holdBatch(context, instituteId, batch).catch((error: unknown) => {
      for (const one of batch) one.reject(error)
    })
  }
}

interface PlannedHold {
  asked: Waiting
  hold: NewHold
  visit: ReturnType<typeof plannedVisit>
  plan: VisitPlan
}
interface Round {
  planned: PlannedHold[]
  refused: { asked: Waiting; refusal: Refusal; wantsNearest: boolean }[]
  /** The diary with everything planned in it. */
  after: DiaryState
}

function holdOf(context: AppContext, state: DiaryState, asked: Waiting, plan: VisitPlan, now: number): PlannedHold {
  const { loaded } = state
  const { totalAmount, segments, occupations } = rowsOf({ loaded, plan })
  const hold = {
    id: randomUUIDv7(),
    userId: asked.scope.userId,
    reference: references.draw(),
    startsAt: new Date(asked.request.startsAt).toISOString(),
    endsAt: endOf(plan),
    timeZone: loaded.institute.timeZone,
    cart: asked.request.cart,
    totalAmount,
    currency: loaded.institute.currency,
    terms: termsFor(loaded.institute, asked.request.startsAt),
    expiresAt: new Date(now + holdMinutes * minuteMs).toISOString(),
    segments,
    occupations,
    most: context.settings.limits.holds,
    key: asked.key,
    fingerprint: asked.fingerprint,
  }
  const visit = plannedVisit(state, hold, new Date(now).toISOString())
  return { asked, plan, visit, hold: { ...hold, body: holdForWire(visit.row, visit.segments, asked.locale) } }
}

/** Plans one after the other, each on the diary that those before it leave. */
function planRound(context: AppContext, state: DiaryState, batch: readonly Waiting[], now: number): Round {
  const round: Round = { planned: [], refused: [], after: state }
  for (const asked of batch) {
    try {
      const loaded = checkCart(round.after.loaded, asked.request)
      const answer = planFor(loaded, asked.request, asked.client, now, asked.locale)
      if (!answer.ok) {
        round.refused.push({ asked, refusal: answer.refusal, wantsNearest: answer.wantsNearest })
        continue
      }
      const planned = holdOf(context, round.after, asked, answer.plan, now)
      const taking = answer.plan.occupations.map(({ id, from, to }) => ({ subjectId: id, from, to }))
      round.after = withHold(round.after, taking, Date.parse(planned.hold.expiresAt))
      round.planned.push(planned)
    } catch (error) {
      if (!(error as { code?: unknown }).code) throw error
      round.refused.push({ asked, refusal: error as Refusal, wantsNearest: false })
    }
  }
  return round
}

/** Our own earlier answer to this very request may be what stands in the way: it is kept with its key. */
async function refuseOne(context: AppContext, { asked, refusal, wantsNearest }: Round['refused'][number], now: number): Promise<void> {
  try {
    if (asked.key !== null) {
      const kept = await readAnswer(context.database.prepared, asked.scope, asked.key)
      if (kept?.body && kept.fingerprint.toString('hex') === asked.fingerprint) return asked.resolve(kept.body as Hold)
      if (kept) throw refuse('idempotency_conflict')
    }
    asked.reject(wantsNearest ? await withNearest(context, refusal, asked.request, asked.client, now) : refusal)
  } catch (error) {
    asked.reject(error)
  }
}

/** What went wrong may go well on a fresh diary: somebody wrote past this process. */
const mayGoWell = (error: unknown): boolean => ['23P01', '40001', '40P01', '23505'].includes(sqlState(error) ?? '')

/** The diary to plan on; null when there is no such institute. Time of holds that have run out is freed first. */
async function diaryToPlan(context: AppContext, instituteId: string, attempt: number, now: number): Promise<DiaryState | null> {
  const state = attempt === 0 ? await rememberedDiary(context, instituteId, now) : await freshDiary(context, instituteId, now)
  if (!state || lapsedIn(state, now).length === 0) return state
  await sweepInstitute(context, instituteId)
  return freshDiary(context, instituteId, now)
}

async function holdBatch(context: AppContext, instituteId: string, batch: Waiting[]): Promise<void> {
  let left = batch
  for (let attempt = 0; left.length > 0 && attempt < mostTries; attempt++) {
    if (attempt >= triesInMemory) {
      left = await holdUnderLock(context, instituteId, left)
      continue
    }
    const now = context.clock.now()
    let state = await diaryToPlan(context, instituteId, attempt, now)
    if (!state) return left.forEach(({ reject }) => reject(refuse('not_found')))
    let round = planRound(context, state, left, now)
    if (round.refused.length > 0 && attempt === 0) {
      // Nobody is refused for what is only remembered.
      const verified = await verifiedDiary(context, instituteId, now)
      if (verified && verified !== state) round = planRound(context, (state = verified), left, now)
    }
    for (const one of round.refused) void refuseOne(context, one, now)
    const stored = await store(context, context.database.prepared, state, round, now)
    stored.settle()
    left = stored.left
  }
  for (const { reject } of left) reject(refuse('unavailable'))
}

/** The last resort of a crowd on several processes: the diary is read while nobody else can change it. */
async function holdUnderLock(context: AppContext, instituteId: string, batch: Waiting[]): Promise<Waiting[]> {
  const stored = await inTransaction(context.database.prepared, async (transaction): Promise<Stored> => {
    await lockPersons(
      transaction,
      batch.map(({ scope }) => scope),
    )
    const state = await lockedDiary(transaction, instituteId, context.clock)
    const now = context.clock.now()
    if (!state) return { left: [], settle: () => batch.forEach(({ reject }) => reject(refuse('not_found'))) }
    const round = planRound(context, state, batch, now)
    const { left, settle } = await store(context, transaction, state, round, now)
    return { left, settle: () => (settle(), round.refused.forEach((one) => void refuseOne(context, one, now))) }
  })
  stored.settle()
  return stored.left
}

interface Stored {
  /** Who has to be planned again. */
  left: Waiting[]
  /** Tells the others; to be called after the commit. */
  settle(): void
}

async function store(context: AppContext, db: Db, state: DiaryState, round: Round, now: number): Promise<Stored> {
  const { planned, after } = round
  const nothing: Stored = { left: planned.map(({ asked }) => asked), settle: () => {} }
  if (planned.length === 0) return nothing
  const instituteId = state.loaded.institute.id
  const spans = planned.flatMap(({ plan }) => plan.occupations.map(({ from, to }) => ({ from, to })))
  const patch = indexPatch(state.loaded, after.loaded, state.cover, spans)
  if (patch === 'unknown') {
    await mendIndex(context, db, instituteId, now)
    return nothing
  }
  let outcomes: Awaited<ReturnType<typeof holdVisits>>
  try {
    outcomes = await holdVisits(db, {
      instituteId,
      version: state.version,
      holds: planned.map(({ hold }) => hold),
      patch,
      now: new Date(now),
    })
  } catch (error) {
    if (!mayGoWell(error) || db.isTransaction) throw error
    return nothing
  }
  const isAgain = (n: number): boolean => ['stale', 'again'].includes(outcomes[n]?.outcome ?? 'stale')
  return {
    left: planned.filter((_, n) => isAgain(n)).map(({ asked }) => asked),
    settle() {
      if (outcomes.every(({ outcome }) => outcome === 'held')) keepDiary(context, { ...after, version: state.version + 1 })
      for (const [n, one] of planned.entries()) if (!isAgain(n)) tell(context, one, outcomes[n] as (typeof outcomes)[number], now)
    },
  }
}

const mendIndex = (context: AppContext, db: Db, instituteId: string, now: number): Promise<void> =>
  db.isTransaction
    ? refreshInstitutes(db, [instituteId], now)
    : inTransaction(context.database.db, (transaction) => refreshInstitutes(transaction, [instituteId], now))

/** Tells one who asked what became of it. */
function tell(
  context: AppContext,
  { asked, hold, visit }: PlannedHold,
  { outcome, body, until }: Awaited<ReturnType<typeof holdVisits>>[number],
  now: number,
): void {
  if (outcome === 'held') {
    rememberHold(context.database, visit)
    return asked.resolve((body ?? hold.body) as Hold)
  }
  if (outcome === 'answered') return asked.resolve(body as Hold)
  if (outcome === 'other_request') return asked.reject(refuse('idempotency_conflict'))
  const retryAfter = Math.max(1, Math.ceil((Date.parse(until ?? '') - now) / 1000))
  asked.reject(refuse('too_many_holds', undefined, { retryAfter }))
}
