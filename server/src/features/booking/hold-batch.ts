/**
 * One batch of holds at one institute: planned one after the other on one diary and stored by one statement, all or none.
 * A diary in memory may be old; the statement says so ('stale'), and the batch is planned again on a fresh one. The last attempts read it under its lock.
 */
import { randomInt, randomUUIDv7 } from 'node:crypto'
import { type Hold, holdMinutes } from '@soigne/contract/appointments'
import type { Locale } from '@soigne/contract/wire'
import type { ClientFacts, VisitPlan } from '@soigne/scheduling/model'
import { type Instant, minuteMs } from '@soigne/contract/time'
import { instantText, parseInstant } from '#/platform/instants.ts'
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
import { checkHome } from '#/features/at-home/service.ts'
import { isBlockedAt } from '#/features/customers/service.ts'
import { indexPatch, refreshInstitutes } from '#/features/summary/service.ts'
import { lockPersons } from '#/features/unit-of-work/service.ts'
import { holdForWire, termsFor } from '#/features/visits/service.ts'
import type { SelfScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { type Db, inTransaction, sqlState } from '#/platform/database.ts'
import { RefusalError, refuse } from '#/platform/refuse.ts'
import { checkCart, factsOf, planFor, rowsOf, type VisitRequest, withNearest } from './planning.ts'
import { endOf, plannedVisit, rememberHold } from './planned-visits.ts'
import { holdVisits, type NewHold } from './hold-store.ts'
import { readAnswer } from './store.ts'
import { sweepInstitute } from './sweeping.ts'

export interface HoldAsked {
  request: VisitRequest
  scope: SelfScope
  locale: Locale
  key: string | null
  /** Of the request, hexadecimal; null without a key. */
  fingerprint: string | null
}
export interface Waiting extends HoldAsked {
  resolve(hold: Hold): void
  reject(error: unknown): void
}

/** Attempts that came to nothing, on diaries in memory; the next are made under the lock. */
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

interface PlannedHold {
  asked: Waiting
  hold: NewHold
  visit: ReturnType<typeof plannedVisit>
  plan: VisitPlan
}
interface Refused {
  asked: Waiting
  error: unknown
  wantsNearest: boolean
  client: ClientFacts | undefined
  /** Planned after others of the batch: what stands in the way may be a hold that is not made in the end. */
  isAfterOthers: boolean
}
interface Round {
  batch: readonly Waiting[]
  state: DiaryState
  now: Instant
  planned: PlannedHold[]
  refused: Refused[]
  /** The diary with everything planned in it. */
  after: DiaryState
}

function holdOf(context: AppContext, state: DiaryState, asked: Waiting, plan: VisitPlan, now: Instant): PlannedHold {
  const { limits } = context.settings
  const { loaded } = state
  const { totalAmount, segments, occupations } = rowsOf({ loaded, plan })
  const hold = {
    id: randomUUIDv7(),
    userId: asked.scope.userId,
    reference: references.draw(),
    startsAt: instantText(asked.request.startsAt),
    endsAt: endOf(plan),
    timeZone: loaded.institute.timeZone,
    cart: asked.request.cart,
    totalAmount,
    currency: loaded.institute.currency,
    terms: termsFor(loaded.institute, asked.request.startsAt),
    expiresAt: instantText(now + holdMinutes * minuteMs),
    segments,
    occupations,
    most: asked.scope.verified ? limits.holds : limits.holdsUnconfirmed,
    key: asked.key,
    fingerprint: asked.fingerprint,
    ...(asked.request.home && { home: asked.request.home }),
    proof: asked.scope.proof,
  }
  const visit = plannedVisit(state, hold, instantText(now))
  return { asked, plan, visit, hold: { ...hold, body: holdForWire(visit.row, visit.segments, asked.locale) } }
}

/** Plans one after the other, each on the diary that those before it leave. What a service asks of its client is read for the menu that is planned on. */
async function planRound(context: AppContext, db: Db, state: DiaryState, batch: readonly Waiting[], now: Instant): Promise<Round> {
  const round: Round = { batch, state, now, planned: [], refused: [], after: state }
  for (const asked of batch) {
    const isAfterOthers = round.planned.length > 0
    let client: ClientFacts | undefined
    try {
      const loaded = checkCart(round.after.loaded, asked.request)
      checkHome(loaded, asked.request)
      client = await factsOf(db, loaded, asked.request, asked.scope)
      const answer = planFor(loaded, asked.request, client, now, asked.locale)
      if (!answer.ok) {
        round.refused.push({ asked, error: answer.refusal, wantsNearest: answer.wantsNearest, client, isAfterOthers })
        continue
      }
      if (answer.plan.sessionId !== undefined) {
        // It is given to groups since it was asked for.
        round.refused.push({ asked, error: refuse('slot_taken', { reason: 'taken' }), wantsNearest: true, client, isAfterOthers })
        continue
      }
      const planned = holdOf(context, round.after, asked, answer.plan, now)
      const taking = answer.plan.occupations.map(({ id, from, to }) => ({ subjectId: id, from, to }))
      round.after = withHold(round.after, taking, parseInstant(planned.hold.expiresAt))
      round.planned.push(planned)
    } catch (error) {
      if (sqlState(error) !== null) throw error
      round.refused.push({ asked, error, wantsNearest: false, client, isAfterOthers })
    }
  }
  return round
}

/** What a client reads whom the institute has blocked: nothing is free, and nothing says why. */
export const nothingFree = (): RefusalError => refuse('slot_taken', { nearest: [] })

/** Our own earlier answer to this very request may be what stands in the way: it is kept with its key. */
async function refuseOne(context: AppContext, { asked, error, wantsNearest, client }: Refused, now: Instant): Promise<void> {
  try {
    if (asked.key !== null) {
      const kept = await readAnswer(context.database.prepared, asked.scope, asked.key)
      if (kept?.body && kept.fingerprint.toString('hex') === asked.fingerprint) return asked.resolve(kept.body as Hold)
      if (kept) throw refuse('idempotency_conflict')
    }
    if (await isBlockedAt(context.database.prepared, asked.scope, asked.request.instituteId)) return asked.reject(nothingFree())
    asked.reject(wantsNearest && error instanceof RefusalError ? await withNearest(context, error, asked.request, client, now) : error)
  } catch (failure) {
    asked.reject(failure)
  }
}

/** What went wrong may go well on a fresh diary: somebody wrote past this process. */
const mayGoWell = (error: unknown): boolean => ['23P01', '40001', '40P01', '23505'].includes(sqlState(error) ?? '')

type Reading = typeof rememberedDiary

const mostReadings = 3

/**
 * The diary to plan on and the time it is planned at: nothing in it had run out when it was read. Time of holds that have run out is freed first, and again
 * when some run out during the reading: they are in the way no more, while others may have got what was free before. Null: no such institute.
 */
async function diaryToPlan(context: AppContext, instituteId: string, read: Reading): Promise<{ state: DiaryState; now: Instant } | null> {
  for (let reading = 1, how = read; ; reading++, how = freshDiary) {
    const state = await how(context, instituteId, context.clock.now())
    if (!state) return null
    const now = context.clock.now()
    if (lapsedIn(state, now).length === 0 || reading > mostReadings) return { state, now }
    await sweepInstitute(context, instituteId)
  }
}

/** Whoever's session turned out to be open no more hears of it, and is not planned again. */
async function withOpenSessions(batch: readonly Waiting[]): Promise<Waiting[]> {
  const asked = await Promise.allSettled(batch.map(async (one) => one.scope.proof?.ask()))
  return batch.filter((one, n) => {
    const answer = asked[n]
    if (answer?.status === 'rejected') one.reject(answer.reason)
    return answer?.status === 'fulfilled'
  })
}

/** Answers everybody in the batch. */
export async function holdBatch(context: AppContext, batch: readonly Waiting[]): Promise<void> {
  const instituteId = batch[0]?.request.instituteId ?? ''
  let left = batch
  for (let fruitless = 0; left.length > 0 && fruitless < mostTries;) {
    const before = left.length
    try {
      left = await (fruitless < triesInMemory
        ? holdFromMemory(context, instituteId, left, fruitless === 0)
        : holdUnderLock(context, instituteId, left))
    } catch (error) {
      if (!mayGoWell(error)) throw error
    }
    if (left.length === before) {
      fruitless++
      left = await withOpenSessions(left)
    }
  }
  for (const { reject } of left) reject(refuse('unavailable'))
}

const nowhere = (batch: readonly Waiting[]): Waiting[] => {
  for (const { reject } of batch) reject(refuse('not_found'))
  return []
}

/** Who has to be planned again is given back. */
async function holdFromMemory(context: AppContext, instituteId: string, batch: readonly Waiting[], isFirst: boolean): Promise<Waiting[]> {
  const { prepared: db } = context.database
  const first = await diaryToPlan(context, instituteId, isFirst ? rememberedDiary : freshDiary)
  if (!first) return nowhere(batch)
  let round = await planRound(context, db, first.state, batch, first.now)
  if (isFirst && round.refused.length > 0) {
    // Nobody is refused for what is only remembered.
    const verified = await diaryToPlan(context, instituteId, verifiedDiary)
    if (!verified) return nowhere(batch)
    if (verified.state !== first.state) round = await planRound(context, db, verified.state, batch, verified.now)
  }
  return tell(context, round, await store(context, db, round))
}

/** The last resort of a crowd on several processes: the diary is read while nobody else can change it. */
async function holdUnderLock(context: AppContext, instituteId: string, batch: readonly Waiting[]): Promise<Waiting[]> {
  await sweepInstitute(context, instituteId)
  const done = await inTransaction(context.database.prepared, async (transaction) => {
    await lockPersons(
      transaction,
      batch.map(({ scope }) => scope),
    )
    const state = await lockedDiary(transaction, instituteId, context.clock)
    const now = context.clock.now()
    if (!state) return null
    // Ran out since the sweep: its time is free, but its rows are still in the way.
    if (lapsedIn(state, now).length > 0) return 'again'
    const round = await planRound(context, transaction, state, batch, now)
    return { round, outcomes: await store(context, transaction, round) }
  })
  if (done === null) return nowhere(batch)
  return done === 'again' ? [...batch] : tell(context, done.round, done.outcomes)
}

type Outcomes = Awaited<ReturnType<typeof holdVisits>>

/** One outcome for each that was planned. */
async function store(context: AppContext, db: Db, { state, after, planned, now }: Round): Promise<Outcomes> {
  if (planned.length === 0) return []
  const instituteId = state.loaded.institute.id
  const spans = planned.flatMap(({ plan }) => plan.occupations.map(({ from, to }) => ({ from, to })))
  const patch = indexPatch(state.loaded, after.loaded, state.cover, spans)
  if (patch === 'unknown') {
    await mendIndex(context, db, instituteId, now)
    return planned.map(() => ({ outcome: 'stale', body: null, until: null }))
  }
  return holdVisits(db, { instituteId, version: state.version, holds: planned.map(({ hold }) => hold), patch, now: new Date(now) })
}

const mendIndex = (context: AppContext, db: Db, instituteId: string, now: Instant): Promise<void> =>
  db.isTransaction
    ? refreshInstitutes(db, [instituteId], now)
    : inTransaction(context.database.db, (transaction) => refreshInstitutes(transaction, [instituteId], now))

/** Once it is committed: tells everybody whose answer is certain, and gives back the others, in the order in which they asked. */
function tell(context: AppContext, { batch, state, after, planned, refused, now }: Round, outcomes: Outcomes): Waiting[] {
  const isWhole = outcomes.every(({ outcome }) => outcome === 'held')
  if (isWhole && planned.length > 0) keepDiary(context, { ...after, version: state.version + 1 })
  const left = new Set<Waiting>()
  for (const [n, one] of planned.entries()) {
    const { outcome = 'stale', ...more } = outcomes[n] ?? {}
    if (outcome === 'stale' || outcome === 'again') left.add(one.asked)
    else tellOne(context, one, { outcome, body: null, until: null, ...more }, now)
  }
  for (const one of refused) {
    if (isWhole || !one.isAfterOthers) void refuseOne(context, one, now)
    else left.add(one.asked)
  }
  return batch.filter((one) => left.has(one))
}

function tellOne(context: AppContext, { asked, hold, visit }: PlannedHold, { outcome, body, until }: Outcomes[number], now: Instant): void {
  if (outcome === 'held') {
    rememberHold(context.database, visit)
    return asked.resolve((body ?? hold.body) as Hold)
  }
  if (outcome === 'answered') return asked.resolve(body as Hold)
  if (outcome === 'other_request') return asked.reject(refuse('idempotency_conflict'))
  if (outcome === 'blocked') return asked.reject(nothingFree())
  const retryAfter = Math.max(1, Math.ceil((parseInstant(until ?? '') - now) / 1000))
  asked.reject(refuse('too_many_holds', asked.scope.verified ? undefined : { isUnconfirmed: true }, { retryAfter }))
}
