/**
 * Diaries kept in memory. One is believed only after its version was compared in the database: by `verified` before an answer, or by the statement
 * that books on it, under the lock of the diary. So nothing here can make a time look free that is not, however many processes write.
 */
import { LRUCache } from 'lru-cache'
import type { MemberDiary, ResourceDiary, Span } from '@soigne/scheduling/model'
import { dayMs, hourMs, type Instant } from '@soigne/contract/time'
import { utcDayOf } from '#/platform/instants.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db, OpenDatabase } from '#/platform/database.ts'
import { singleFlight } from '#/platform/single-flight.ts'
import { busyBySubject, type LoadedInstitute, loadedFrom } from './diary.ts'
import { type IndexCover, lockDiaries, type PlaceFacts, readDiaryState, readDiaryVersion } from './state-store.ts'

/** What is dated is read from here to here, counted from now: further than anybody books. */
const daysBack = 3
const daysAhead = 420
/** A diary of yesterday does not reach far enough any more. */
const keptMs = 12 * hourMs
/** Busy stretches kept in memory, over all institutes; about 60 bytes each. */
const mostKept = 1_500_000

/** Time that somebody holds. */
export interface Expiring extends Span {
  subjectId: string
  /** Milliseconds since the epoch. */
  expiresAt: Instant
}

export interface HeldSeat {
  sessionId: string
  expiresAt: Instant
}

export interface DiaryState {
  version: number
  /** Everything taken counts, holds past their end too, as long as their rows are there. */
  loaded: LoadedInstitute
  expiring: readonly Expiring[]
  /** The first end of those, run out or not; in milliseconds since the epoch. */
  lapsesFrom: number
  /** Seats of group sessions that somebody holds; they count among the taken ones. */
  heldSeats: readonly HeldSeat[]
  /** The first end of a hold that had not run out when this was read: from then on only the database knows. In milliseconds since the epoch. */
  goodUntil: number
  /** What the index of free time covers; null without one. */
  cover: IndexCover | null
  place: PlaceFacts
  readAt: number
}

interface Memory {
  states: LRUCache<string, DiaryState>
  read: ReturnType<typeof singleFlight<DiaryState | null>>
}
/** By the pool: those who look have connections of their own, and share what is remembered. */
const memories = new WeakMap<OpenDatabase['pool'], Memory>()

const weightOf = ({ loaded }: DiaryState): number =>
  100 + [...loaded.diary.members, ...loaded.diary.resources].reduce((sum, { busy }) => sum + busy.length, 0)

function memoryOf({ pool }: OpenDatabase): Memory {
  let memory = memories.get(pool)
  if (!memory) {
    memory = { states: new LRUCache({ maxSize: mostKept, sizeCalculation: weightOf }), read: singleFlight() }
    memories.set(pool, memory)
  }
  return memory
}

async function readState(db: Db, instituteId: string, now: Instant): Promise<DiaryState | null> {
  const row = await readDiaryState(db, {
    instituteId,
    fromDay: utcDayOf(now - daysBack * dayMs),
    toDay: utcDayOf(now + daysAhead * dayMs),
    takenFrom: new Date(now - daysBack * dayMs),
  })
  if (!row) return null
  const { version, busy, expiring, heldSeats, cover, place, diary } = row
  const held = (expiring ?? []).map(([subjectId, from, to, expiresAt]): Expiring => ({ subjectId, from, to, expiresAt }))
  const seats = (heldSeats ?? []).map(([sessionId, expiresAt]): HeldSeat => ({ sessionId, expiresAt }))
  return {
    version,
    loaded: loadedFrom(diary, busyBySubject(busy ?? [])),
    expiring: held,
    lapsesFrom: held.reduce((first, { expiresAt }) => Math.min(first, expiresAt), Infinity),
    heldSeats: seats,
    goodUntil: firstEnd([...held, ...seats], now),
    cover,
    place,
    readAt: now,
  }
}

const firstEnd = (expiring: readonly { expiresAt: Instant }[], now: Instant): number =>
  expiring.reduce((first, { expiresAt }) => (expiresAt > now && expiresAt < first ? expiresAt : first), Infinity)

const isGood = (state: DiaryState, now: Instant): boolean => now < state.goodUntil && now - state.readAt < keptMs && now >= state.readAt

/** What is remembered, never compared: for planning what the database compares again before it does anything. Read when nothing is remembered. */
export async function rememberedDiary(
  { database }: Pick<AppContext, 'database'>,
  instituteId: string,
  now: Instant,
): Promise<DiaryState | null> {
  const { states } = memoryOf(database)
  const state = states.get(instituteId)
  return state && isGood(state, now) ? state : freshDiary({ database }, instituteId, now)
}

/** Reads it anew; those who want the same at the same moment share one reading. Null: no such institute. */
export async function freshDiary(
  { database }: Pick<AppContext, 'database'>,
  instituteId: string,
  now: Instant,
): Promise<DiaryState | null> {
  const { states, read } = memoryOf(database)
  const state = await read(instituteId, () => readState(database.prepared, instituteId, now))
  if (state) keepDiary({ database }, state)
  else states.delete(instituteId)
  return state
}

/** The diary while nobody else can change it: its lock is taken, and it is read in the same transaction. Nothing of it is remembered. */
export async function lockedDiary(transaction: Db, instituteId: string, clock: { now(): number }): Promise<DiaryState | null> {
  await lockDiaries(transaction, [instituteId])
  return readState(transaction, instituteId, clock.now())
}

/** The diary as it is in the database now: from memory when its version is still the same. */
export async function verifiedDiary(
  { database }: Pick<AppContext, 'database'>,
  instituteId: string,
  now: Instant,
): Promise<DiaryState | null> {
  const state = memoryOf(database).states.get(instituteId)
  if (state && isGood(state, now) && (await readDiaryVersion(database.prepared, instituteId)) === state.version) return state
  return freshDiary({ database }, instituteId, now)
}

/** Remembers a diary, unless a later one is known. */
export function keepDiary({ database }: Pick<AppContext, 'database'>, state: DiaryState): void {
  const { states } = memoryOf(database)
  const { id } = state.loaded.institute
  const known = states.peek(id)
  if (!known || known.version < state.version || (known.version === state.version && known.readAt <= state.readAt)) states.set(id, state)
}

/** What one visit will take. */
export interface Taking extends Span {
  subjectId: string
}

const withSpans = <T extends MemberDiary | ResourceDiary>(subject: T, spans: readonly Span[]): T =>
  spans.length === 0 ? subject : { ...subject, busy: [...subject.busy, ...spans] }

function withTaken(loaded: LoadedInstitute, taken: readonly Taking[]): LoadedInstitute {
  const of = (id: string): Span[] => taken.filter(({ subjectId }) => subjectId === id).map(({ from, to }) => ({ from, to }))
  const { diary } = loaded
  return {
    ...loaded,
    diary: {
      ...diary,
      members: diary.members.map((member) => withSpans(member, of(member.id))),
      resources: diary.resources.map((resource) => withSpans(resource, of(resource.id))),
    },
  }
}

/** The diary after a hold was made on it, which raised its version by one where `raise` says so. */
export function withHold(state: DiaryState, taken: readonly Taking[], expiresAt: Instant, raise = 0): DiaryState {
  return {
    ...state,
    version: state.version + raise,
    loaded: withTaken(state.loaded, taken),
    expiring: [...state.expiring, ...taken.map((one) => ({ ...one, expiresAt }))],
    lapsesFrom: Math.min(state.lapsesFrom, expiresAt),
    goodUntil: Math.min(state.goodUntil, expiresAt),
  }
}

/** Time of holds that have run out and whose rows are still there. */
export const lapsedIn = ({ expiring, lapsesFrom }: DiaryState, now: Instant): readonly Expiring[] =>
  now < lapsesFrom ? [] : expiring.filter(({ expiresAt }) => expiresAt <= now)

const same = (a: Span, b: Span): boolean => a.from === b.from && a.to === b.to
const without = (busy: readonly Span[], gone: readonly Span[]): readonly Span[] =>
  gone.length === 0 ? busy : busy.filter((span) => !gone.some((one) => same(one, span)))

/** The diary in which what has run out counts as free. */
export function liveDiary(state: DiaryState, now: Instant): LoadedInstitute {
  const gone = lapsedIn(state, now)
  const seats = state.heldSeats.filter(({ expiresAt }) => expiresAt <= now)
  if (gone.length + seats.length === 0) return state.loaded
  const of = (id: string): readonly Span[] => gone.filter(({ subjectId }) => subjectId === id)
  const { loaded } = state
  const { diary } = loaded
  return {
    ...loaded,
    diary: {
      ...diary,
      members: diary.members.map((member) => ({ ...member, busy: without(member.busy, of(member.id)) })),
      resources: diary.resources.map((resource) => ({ ...resource, busy: without(resource.busy, of(resource.id)) })),
      sessions: diary.sessions?.map((session) => ({
        ...session,
        taken: session.taken - seats.filter(({ sessionId }) => sessionId === session.id).length,
      })),
    },
  }
}
