/** Holds and bookings: choosing a time, keeping it for ten minutes, turning it into an appointment, reading what one has. */
import { type Appointment, type Hold, holdMinutes } from '@soigne/contract/appointments'
import type { Locale } from '@soigne/contract/wire'
import type { ClientFacts } from '@soigne/scheduling/model'
import type { LoadedInstitute } from '#/features/availability/service.ts'
import type { InstituteScope, SelfScope } from '#/platform/access.ts'
import { refreshAvailabilityIndex } from '#/features/summary/service.ts'
import { brokenConstraint, type Db, inTransaction, sqlState } from '#/platform/database.ts'
import { isKeyKept, withIdempotency } from '#/platform/idempotency.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import { singleFlight } from '#/platform/single-flight.ts'
import { calendarFile } from './calendar-file.ts'
import { tellBooked } from './letters.ts'
import { atInstitute, keyedMutex } from './keyed-mutex.ts'
import { diaryAround, factsOf, planFor, readStart, rowsOf, subjectsOf, type Wish, withNearest } from './planning.ts'
import { appointmentForWire, attendanceAt, holdForWire, segmentsForWire } from './present.ts'
import { stepFrom } from './state-graph.ts'
import {
  type CartWish,
  confirmHold,
  customerOf,
  deleteHold,
  extendHold,
  type HoldsSeen,
  insertHold,
  lockPersonAndSubjects,
  seeHolds,
  setBirthday,
  sweepExpiredHolds,
} from './store.ts'
import { termsFor } from './terms.ts'
import { type AppointmentRow, findOwn, findShown, listOfInstitute, listOwn, liveHolds, segmentsOf, type ShownVisit } from './visit-store.ts'

/** Another booking won the race after the plan was made: the constraint is the last wall. */
export const lostRace = (error: unknown): boolean => sqlState(error) === '23P01' && brokenConstraint(error) === 'occupations_apart'

export interface Who {
  scope: SelfScope
  locale: Locale
  idempotencyKey: string | null
}
export const keyOf = (who: Who, request: unknown): { userId: string; key: string; request: unknown } | null =>
  who.idempotencyKey === null ? null : { userId: who.scope.userId, key: who.idempotencyKey, request }

/** Nobody holds more times at once than the settings allow. */
function checkHoldsLeft(context: AppContext, { count, firstEndsAt }: HoldsSeen, now: number): void {
  if (count < context.settings.limits.holds) return
  throw refuse('too_many_holds', undefined, { retryAfter: Math.max(1, Math.ceil((Date.parse(firstEndsAt ?? '') - now) / 1000)) })
}

/** A birthday is kept for good once given, so one that cannot be true is refused. */
async function keepBirthday(db: Db, userId: string, birthday: string, now: number): Promise<void> {
  if (birthday > new Date(now).toISOString().slice(0, 10)) throw refuseField('birthday', 'date')
  await setBirthday(db, userId, birthday)
}

interface HoldRequest {
  instituteId: string
  services: CartWish[]
  startsAt: string
  birthday?: string | undefined
}
interface Seen {
  before: LoadedInstitute
  client: ClientFacts | undefined
  /** False when only an earlier answer under the same key can still be had. */
  isFree: boolean
}

/** The same for the same wish. */
const wordsOf = (wish: Wish): string => JSON.stringify(wish)
const diaryReads = singleFlight<LoadedInstitute>()
const wantOne = keyedMutex()

/** Looks without a lock; a hopeless wish is refused here, with the nearest free times. */
async function lookFirst(context: AppContext, who: Who, wish: Wish, now: number): Promise<Seen> {
  const { prepared: db } = context.database
  const { userId } = who.scope
  const before = await diaryReads(wordsOf(wish), () => diaryAround(db, wish, context.clock.now()))
  const client = await factsOf(db, before, wish, userId, now)
  const first = planFor(before, wish, client, now, who.locale)
  if (first.ok) return { before, client, isFree: true }
  // Our own earlier answer to this very request may be what stands in the way; it is kept with its key, so it is seen now.
  if (who.idempotencyKey !== null && (await isKeyKept(db, { userId, key: who.idempotencyKey }))) return { before, client, isFree: false }
  throw first.wantsNearest ? await withNearest(db, first.refusal, wish, client, now) : first.refusal
}

/** Holds a time for ten minutes. Works before the email is confirmed, so that nothing chosen is lost while the code is on its way. */
export async function makeHold(context: AppContext, who: Who, request: HoldRequest): Promise<Hold> {
  const now = context.clock.now()
  const wish: Wish = { instituteId: request.instituteId, cart: request.services, startsAt: readStart(request.startsAt, now) }
  if (request.birthday !== undefined) await keepBirthday(context.database.prepared, who.scope.userId, request.birthday, now)
  let seen = await lookFirst(context, who, wish, now)
  const go = (): Promise<Hold> => holdUnderLock(context, who, request, wish, seen)
  if (!seen.isFree) return go()
  const look = async (): Promise<void> => void (seen = await lookFirst(context, who, wish, now))
  return wantOne(wordsOf(wish), { look, go: () => atInstitute(wish.instituteId, { look, go }) })
}

/** Decides again where it counts: under the locks of everybody and everything the visit could use. */
async function holdUnderLock(context: AppContext, who: Who, request: HoldRequest, wish: Wish, { before, client }: Seen): Promise<Hold> {
  const { prepared: db } = context.database
  const { userId } = who.scope
  try {
    return await withIdempotency(db, keyOf(who, { call: 'makeHold', ...request }), async (transaction) => {
      const subjects = subjectsOf(before, wish.cart)
      await lockPersonAndSubjects(transaction, userId, subjects)
      // Waiting may have taken long: what has run out meanwhile has run out.
      const now = context.clock.now()
      const seen = await seeHolds(transaction, { userId, instituteId: wish.instituteId, now: new Date(now) })
      checkHoldsLeft(context, seen, now)
      if (seen.hasLapsed) await sweepExpiredHolds(transaction, subjects, new Date(now))
      const loaded = await diaryAround(transaction, wish, now)
      const answer = planFor(loaded, wish, client, now, who.locale)
      if (!answer.ok) throw answer.refusal
      const { totalAmount, ...plan } = rowsOf({ loaded, plan: answer.plan })
      const hold = {
        instituteId: wish.instituteId,
        userId,
        startsAt: new Date(wish.startsAt),
        endsAt: new Date(answer.plan.endsAt * 60_000),
        timeZone: loaded.institute.timeZone,
        cart: wish.cart,
        totalAmount,
        currency: loaded.institute.currency,
        terms: termsFor(loaded.institute, wish.startsAt),
        expiresAt: new Date(now + holdMinutes * 60_000),
      }
      const id = await insertHold(transaction, hold, plan)
      await refreshAvailabilityIndex(transaction, wish.instituteId, now)
      return holdOf(transaction, { id, userId }, who.locale)
    })
  } catch (error) {
    const refusal = lostRace(error) ? refuse('slot_taken', { reason: 'taken' }) : error
    const code = (refusal as { code?: string }).code
    if (code === 'slot_taken' || code === 'not_offered')
      throw await withNearest(db, refusal as ReturnType<typeof refuse>, wish, client, context.clock.now())
    throw refusal
  }
}

/** A word about another visit at the same time. */
const overlapForWire = (overlap: NonNullable<ShownVisit['overlap']>) => ({
  overlapsWith: { _id: overlap.id, instituteName: overlap.instituteName, startsAt: overlap.startsAt },
})

async function holdOf(db: Db, own: { id: string; userId: string }, locale: Locale): Promise<Hold> {
  const shown = await findShown(db, own)
  if (!shown) throw refuse('not_found')
  return { ...holdForWire(shown.row, shown.segments, locale), ...(shown.overlap && overlapForWire(shown.overlap)) }
}

export async function currentHolds(context: AppContext, who: Who): Promise<Hold[]> {
  const { db } = context.database
  const rows = await liveHolds(db, who.scope.userId, new Date(context.clock.now()))
  const segments = await segmentsOf(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => holdForWire(row, segments.get(row.id) ?? [], who.locale))
}

/** The hold under lock, still alive once the lock is had: nobody may have been shown its time as free in between. */
async function liveHold(context: AppContext, transaction: Db, own: { id: string; userId: string }): Promise<AppointmentRow> {
  const row = await findOwn(transaction, { ...own, lock: true })
  const now = context.clock.now()
  if (!row) throw refuse('not_found')
  if (row.status !== 'held') throw refuse('wrong_state')
  if (row.expiresAt === null || Date.parse(row.expiresAt) <= now) throw refuse('hold_expired')
  return row
}

export async function extendHoldOnce(context: AppContext, who: Who, id: string): Promise<Hold> {
  const own = { id, userId: who.scope.userId }
  return inTransaction(context.database.prepared, async (transaction) => {
    const row = await liveHold(context, transaction, own)
    if (row.holdExtended) throw refuse('hold_extended')
    if (!(await extendHold(transaction, id, new Date(Date.parse(row.expiresAt ?? '') + holdMinutes * 60_000)))) throw refuse('hold_expired')
    return holdOf(transaction, own, who.locale)
  })
}

export async function releaseHold(context: AppContext, who: Who, id: string): Promise<void> {
  await inTransaction(context.database.prepared, async (transaction) => {
    const instituteId = await deleteHold(transaction, { id, userId: who.scope.userId })
    if (instituteId === null) throw refuse('not_found')
    await refreshAvailabilityIndex(transaction, instituteId, context.clock.now())
  })
}

/** Turns a hold into an appointment and tells both sides. */
export async function book(
  context: AppContext,
  who: Who,
  request: { holdId: string; paymentMethod?: 'card' | 'paypal' | 'klarna' | undefined; note?: string | undefined },
): Promise<Appointment> {
  const now = context.clock.now()
  const own = { id: request.holdId, userId: who.scope.userId }
  return withIdempotency(context.database.prepared, keyOf(who, { call: 'book', ...request }), async (transaction) => {
    const row = await liveHold(context, transaction, own)
    const step = stepFrom('confirm', row.status, 'client')
    if (!step || step.to === 'gone' || step.to === 'held') throw refuse('wrong_state')
    const customerId = await customerOf(transaction, { instituteId: row.instituteId, userId: own.userId })
    const confirmed = await confirmHold(transaction, {
      id: row.id,
      customerId,
      status: step.to,
      paymentMethod: request.paymentMethod ?? null,
      note: request.note || null,
      now: new Date(now),
    })
    if (!confirmed) throw refuse('hold_expired')
    const visit = await visitShown(transaction, own)
    await tellBooked(context, transaction, visit)
    return visitForWire(visit, who.locale, now)
  })
}

/** One visit of mine as it is now. */
export async function visitShown(db: Db, own: { id: string; userId: string }): Promise<ShownVisit> {
  const visit = await findShown(db, own)
  if (!visit || visit.row.status === 'held') throw refuse('not_found')
  return visit
}

export function visitForWire({ row, segments, overlap }: ShownVisit, locale: Locale, now: number): Appointment {
  const appointment = appointmentForWire(row, segments, locale, now)
  const isAhead = row.status !== 'cancelled' && Date.parse(row.endsAt) > now
  return { ...appointment, ...(overlap && isAhead && overlapForWire(overlap)) }
}

export const appointmentOf = async (db: Db, own: { id: string; userId: string }, locale: Locale, now: number): Promise<Appointment> =>
  visitForWire(await visitShown(db, own), locale, now)

type Page<T> = { items: T[]; page: number; pageSize: number; total: number }

export async function appointmentsOf(
  context: AppContext,
  who: Who,
  query: { status?: Appointment['status'] | undefined; when?: 'upcoming' | 'past' | undefined; page: number; pageSize: number },
): Promise<Page<Appointment>> {
  const { db } = context.database
  const now = context.clock.now()
  const { rows, total } = await listOwn(db, {
    userId: who.scope.userId,
    status: query.status ?? null,
    when: query.when ?? null,
    now: new Date(now),
    offset: (query.page - 1) * query.pageSize,
    limit: query.pageSize,
  })
  const segments = await segmentsOf(
    db,
    rows.map(({ id }) => id),
  )
  return {
    items: rows.map((row) => appointmentForWire(row, segments.get(row.id) ?? [], who.locale, now)),
    page: query.page,
    pageSize: query.pageSize,
    total,
  }
}

/** The next visits of an institute. */
export async function visitsOfInstitute(
  context: AppContext,
  scope: InstituteScope<'diary.read'>,
  query: { page: number; pageSize: number },
  locale: Locale,
) {
  const { db } = context.database
  const now = context.clock.now()
  const found = await listOfInstitute(db, scope, {
    now: new Date(now),
    offset: (query.page - 1) * query.pageSize,
    limit: query.pageSize,
  })
  const segments = await segmentsOf(
    db,
    found.rows.map(({ id }) => id),
  )
  const items = found.rows.map((row) => {
    const status: Appointment['status'] = row.status === 'held' ? 'pending' : row.status
    return {
      _id: row.id,
      reference: row.reference,
      status,
      attendance: attendanceAt(row, now),
      startsAt: row.startsAt,
      endsAt: row.endsAt,
      customer: { name: row.customerName ?? '', phone: row.customerPhone },
      segments: segmentsForWire(segments.get(row.id) ?? [], row.currency, locale),
      total: { amount: row.totalAmount, currency: row.currency },
      timeZone: row.timeZone,
      note: row.note,
    }
  })
  return { items, page: query.page, pageSize: query.pageSize, total: found.total }
}

/** The visit as an iCalendar file. */
export async function calendarFileOf(context: AppContext, who: Who, id: string): Promise<string> {
  const { db } = context.database
  const row = await findOwn(db, { id, userId: who.scope.userId })
  if (!row || row.status === 'held') throw refuse('not_found')
  return calendarFile(row, (await segmentsOf(db, [id])).get(id) ?? [], who.locale, context.publicUrl())
}
