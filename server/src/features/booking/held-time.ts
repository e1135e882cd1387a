/**
 * How much of an institute holds may keep from everybody else, by network and altogether, and who waits after holds that came to nothing.
 * A process remembers the holds it made; nobody is refused for what is only remembered, and the time of an institute is counted in the database: docs/decisions/045.
 */
import type { Hold } from '@soigne/contract/appointments'
import { hourMs, type Instant, minuteMs } from '@soigne/contract/time'
import { rememberedDiary } from '#/features/availability/service.ts'
import { type SelfScope, systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { OpenDatabase } from '#/platform/database.ts'
import { parseInstant } from '#/platform/instants.ts'
import { networkOf } from '#/platform/network.ts'
import { type RefusalError, refuse } from '#/platform/refuse.ts'
import { heldAt, standingsOfHolds } from './held-time-store.ts'
import type { VisitRequest } from './planning.ts'

/** Everybody's holds count, whoever asks. */
const system = systemScope('what holds keep from others')

/** A short hold cuts what is free as a long one does. */
const leastMinutes = 60
/** Minutes that holds from one network keep at one institute; and those of them by people who have not confirmed their email. */
const ofNetwork = { all: 600, unconfirmed: 240 }
/** Minutes that holds keep of an institute, for each of its members. */
const ofMember = { all: 300, unconfirmed: 150 }
/** Holds of the last hour that came to nothing and cost no waiting; of one network at one institute, and of a person. */
const unusedFree = { network: 20, confirmed: 10, unconfirmed: 5 }
const firstWaitMs = minuteMs / 2
const longestWaitMs = 10 * minuteMs

interface Kept {
  /** Null until it is stored. */
  id: string | null
  instituteId: string
  userId: string
  network: string
  verified: boolean
  minutes: number
  until: Instant
}
interface Ledger {
  kept: Map<string, Set<Kept>>
  byId: Map<string, Kept>
  /** When holds came to nothing, by person, and by network and institute. */
  unused: Map<string, Instant[]>
}
const ledgers = new WeakMap<OpenDatabase['pool'], Ledger>()
function ledgerOf({ pool }: OpenDatabase): Ledger {
  const ledger = ledgers.get(pool) ?? { kept: new Map(), byId: new Map(), unused: new Map() }
  ledgers.set(pool, ledger)
  return ledger
}

const placeOf = ({ network, instituteId }: Pick<Kept, 'network' | 'instituteId'>): string => `${network} ${instituteId}`

function forget(ledger: Ledger, one: Kept): void {
  const there = ledger.kept.get(one.instituteId)
  there?.delete(one)
  if (there?.size === 0) ledger.kept.delete(one.instituteId)
  if (one.id !== null) ledger.byId.delete(one.id)
}

const mostRemembered = 50_000
function noteUnused(ledger: Ledger, one: Kept, at: Instant): void {
  forget(ledger, one)
  for (const key of [one.userId, placeOf(one)]) {
    const times = [...(ledger.unused.get(key) ?? []).filter((time) => time > at - hourMs), at]
    ledger.unused.delete(key)
    ledger.unused.set(key, times)
    if (ledger.unused.size > mostRemembered) ledger.unused.delete(ledger.unused.keys().next().value ?? '')
  }
}

const refuseFor = (ms: number): RefusalError =>
  refuse('too_many_requests', { about: 'holds' }, { retryAfter: Math.max(1, Math.ceil(ms / 1000)) })

/** @throws too_many_requests while somebody has to wait: each hold that comes to nothing doubles the time */
function checkUnused({ unused }: Ledger, key: string, free: number, now: Instant): void {
  const times = (unused.get(key) ?? []).filter((time) => time > now - hourMs)
  if (times.length < free) return
  const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(20, times.length - free))
  const left = (times.at(-1) ?? now) + wait - now
  if (left > 0) throw refuseFor(left)
}

/** Looks in the database what became of remembered holds: others may have been confirmed or let go by another process. */
async function settle({ database }: AppContext, ledger: Ledger, some: readonly Kept[], now: Instant): Promise<void> {
  const stored = some.filter((one): one is Kept & { id: string } => one.id !== null)
  if (stored.length === 0) return
  const rows = await standingsOfHolds(database.prepared, system, { ids: stored.map(({ id }) => id), now: new Date(now) })
  const standings = new Map(rows.map(({ id, isLive }) => [id, isLive]))
  for (const one of stored) {
    const isLive = standings.get(one.id)
    if (isLive === undefined) noteUnused(ledger, one, Math.min(one.until, now))
    else if (!isLive) forget(ledger, one)
  }
}

/** What some of the remembered holds take beside one that is asked for. */
const minutesOf = (some: Iterable<Kept>, asked: Kept, counts: (one: Kept) => boolean): number =>
  [...some].reduce((sum, one) => (one !== asked && counts(one) ? sum + one.minutes : sum), 0)

/** One alone is always let in. */
const isTooMuch = (others: number, asked: Kept, most: number): boolean => others > 0 && others + asked.minutes > most

async function checkNetwork(context: AppContext, ledger: Ledger, asked: Kept, share: number, now: Instant): Promise<void> {
  const there = (): Set<Kept> => ledger.kept.get(asked.instituteId) ?? new Set()
  const isFull = (): boolean => {
    const mine = [...there()].filter((one) => one.network === asked.network)
    const unconfirmed = minutesOf(mine, asked, (one) => !one.verified)
    return (
      isTooMuch(
        minutesOf(mine, asked, () => true),
        asked,
        ofNetwork.all * share,
      ) ||
      (!asked.verified && isTooMuch(unconfirmed, asked, ofNetwork.unconfirmed * share))
    )
  }
  if (!isFull()) return
  await settle(context, ledger, [...there()], now)
  if (!isFull()) return
  const ends = [...there()].filter((one) => one !== asked && one.network === asked.network).map(({ until }) => until)
  throw refuseFor(Math.min(...ends) - now)
}

/** Where nobody else holds anything, as far as this process knows, a confirmed person is not counted. */
async function checkInstitute(context: AppContext, ledger: Ledger, asked: Kept, most: typeof ofMember, now: Instant): Promise<void> {
  const { instituteId } = asked
  const there = ledger.kept.get(instituteId) ?? new Set()
  if (asked.verified && there.size <= 1) return
  const held = await heldAt(context.database.prepared, system, { instituteId, least: leastMinutes, now: new Date(now) })
  const coming = (counts: (one: Kept) => boolean): number => minutesOf(there, asked, (one) => one.id === null && counts(one))
  const isFull =
    isTooMuch(held.minutes + coming(() => true), asked, most.all) ||
    (!asked.verified && isTooMuch(held.unconfirmed + coming((one) => !one.verified), asked, most.unconfirmed))
  if (isFull) throw refuseFor((held.firstEnd === null ? now + minuteMs : parseInstant(held.firstEnd)) - now)
}

export interface Reservation {
  /** The hold was made, or was not. */
  settled(hold: Hold | null): void
}
export const noReservation: Reservation = { settled: () => {} }

/** Before a time is held. @throws too_many_requests with the time to come back */
export async function reserveTime(context: AppContext, scope: SelfScope, asked: VisitRequest, address: string): Promise<Reservation> {
  const share = context.settings.limits.budgets
  if (share === Number.POSITIVE_INFINITY) return noReservation
  const now = context.clock.now()
  const state = await rememberedDiary(context, asked.instituteId, now)
  if (!state) return noReservation
  const { members, services } = state.loaded.diary
  const active = asked.cart.reduce((sum, { serviceId }) => {
    const { activeMinutes = 0, activeAfterMinutes = 0 } = services.get(serviceId)?.parts ?? {}
    return sum + activeMinutes + activeAfterMinutes
  }, 0)
  const ledger = ledgerOf(context.database)
  const { instituteId } = asked
  const one: Kept = {
    id: null,
    instituteId,
    userId: scope.userId,
    network: networkOf(address),
    verified: scope.verified,
    minutes: Math.max(leastMinutes, active),
    until: now + minuteMs,
  }
  const there = ledger.kept.get(instituteId) ?? new Set()
  const lapsed = [...there].filter(({ until }) => until <= now)
  if (lapsed.length > 0) await settle(context, ledger, lapsed, now)
  checkUnused(ledger, scope.userId, (scope.verified ? unusedFree.confirmed : unusedFree.unconfirmed) * share, now)
  checkUnused(ledger, placeOf(one), unusedFree.network * share, now)
  ledger.kept.set(instituteId, (ledger.kept.get(instituteId) ?? new Set()).add(one))
  try {
    await checkNetwork(context, ledger, one, share, now)
    const most = members.length * share
    await checkInstitute(context, ledger, one, { all: ofMember.all * most, unconfirmed: ofMember.unconfirmed * most }, now)
  } catch (error) {
    forget(ledger, one)
    throw error
  }
  return {
    settled(hold) {
      // A repeated request is answered with the hold of the first.
      if (!hold || ledger.byId.has(hold._id)) return forget(ledger, one)
      one.id = hold._id
      one.until = parseInstant(hold.expiresAt)
      ledger.byId.set(hold._id, one)
    },
  }
}

/** A hold has become an appointment: what it took of the budgets is given back. */
export function giveBack({ database }: AppContext, id: string): void {
  const ledger = ledgerOf(database)
  const one = ledger.byId.get(id)
  if (one) forget(ledger, one)
}

/** A hold was let go by its holder. */
export function spend({ database, clock }: AppContext, id: string): void {
  const ledger = ledgerOf(database)
  const one = ledger.byId.get(id)
  if (one) noteUnused(ledger, one, clock.now())
}
