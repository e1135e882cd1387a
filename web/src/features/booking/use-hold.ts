// Holds the chosen time for the signed-in person as long as it is chosen, and lets it go when they choose another or leave.
import { useQueryClient } from '@tanstack/react-query'
import type { Hold } from '@soigne/contract/appointments'
import { minuteMs } from '@soigne/contract/time'
import { parseInstant } from '#/platform/time.ts'
import { holdMinutes } from '#/contract/limits.ts'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { api } from '#/platform/api.ts'
import { ApiError, nearestStarts, refusalCode } from '#/platform/api-error.ts'
import { queryKeys } from '#/query-keys.ts'
import { afterRelease, releaseHold, releaseHoldOnLeave } from './release-hold.ts'

/** One service of the visit to hold; `staffId` null means anyone. */
type WantedService = { serviceId: string; staffId: string | null }
export type WantedHold = { instituteId: string; services: readonly WantedService[]; startsAt: string }

export type HoldState =
  | { kind: 'none' }
  | { kind: 'making' }
  | { kind: 'held'; hold: Hold; /** Milliseconds the server's clock is ahead of this device's. */ clockOffset: number }
  /** It ran out; the same time may still be free. */
  | { kind: 'expired' }
  /** The time could not be held: the refusal, with free times near it. */
  | { kind: 'refused'; error: ApiError; nearest: readonly string[] }
  /** The connection failed; trying again is safe. */
  | { kind: 'failed'; error: unknown }

export type HoldKeeper = {
  state: HoldState
  extend: () => Promise<void>
  /** Tries the same time again. */
  retry: () => void
  markExpired: () => void
  /** The hold became an appointment: it is not to be let go. */
  markBooked: () => void
}

function isSameHold(hold: Hold, { instituteId, services, startsAt }: WantedHold): boolean {
  return (
    hold.institute._id === instituteId &&
    parseInstant(hold.startsAt) === parseInstant(startsAt) &&
    hold.segments.length === services.length &&
    services.every(({ serviceId, staffId }) =>
      hold.segments.some((segment) => segment.serviceId === serviceId && (staffId === null || segment.staffId === staffId)),
    )
  )
}

/** The person's own live hold of this very visit, such as after a reload or in a second window. */
async function findOwnHold(wanted: WantedHold): Promise<Hold | undefined> {
  const { items } = await api.currentHolds()
  return items.find((hold) => isSameHold(hold, wanted))
}

async function makeHold(wanted: WantedHold, idempotencyKey: string): Promise<HoldState> {
  await afterRelease()
  const own = await findOwnHold(wanted)
  if (own) return { kind: 'held', hold: own, clockOffset: 0 }
  const { instituteId, startsAt } = wanted
  const services = wanted.services.map(({ serviceId, staffId }) => ({ serviceId, staffId: staffId ?? ('any' as const) }))
  const hold = await api.makeHold({ body: { instituteId, services, startsAt }, idempotencyKey })
  return { kind: 'held', hold, clockOffset: parseInstant(hold.expiresAt) - holdMinutes * minuteMs - Date.now() }
}

function stateOfFailure(error: unknown): HoldState {
  return error instanceof ApiError && error.status < 500
    ? { kind: 'refused', error, nearest: nearestStarts(error) }
    : { kind: 'failed', error }
}

/** One hold from its making to its release. */
class HeldTime {
  private readonly key = crypto.randomUUID()
  private held: string | null = null
  private isOver = false
  isBooked = false
  readonly wanted: WantedHold
  constructor(wanted: WantedHold) {
    this.wanted = wanted
  }
  /** A lost answer is asked for again with the same key, so that one time is never held twice. */
  async make(): Promise<HoldState | null> {
    const state = await makeHold(this.wanted, this.key)
      .catch((error: unknown) => (error instanceof ApiError ? Promise.reject(error) : makeHold(this.wanted, this.key)))
      .catch(stateOfFailure)
    if (state.kind === 'held') this.held = state.hold._id
    if (!this.isOver) return state
    this.letGo(releaseHold)
    return null
  }
  /** The last answer is dropped and its hold released, once. */
  end(release: (id: string) => void): void {
    this.isOver = true
    this.letGo(release)
  }
  forget(): void {
    this.held = null
  }
  private letGo(release: (id: string) => void): void {
    if (this.held !== null && !this.isBooked) release(this.held)
    this.held = null
  }
}

/** Two visits with the same key are the same visit. */
function keyOf(wanted: WantedHold | null): string | null {
  if (!wanted) return null
  const services = wanted.services.map(({ serviceId, staffId }) => `${serviceId}/${staffId ?? 'any'}`)
  return [wanted.instituteId, wanted.startsAt, ...services].join(' ')
}

/** Keeps a hold while `wanted` stays the same: made after a pause, let go when it changes or the page is left. */
function useHeldTime(wanted: WantedHold | null, settleMs: number, show: (state: HoldState) => void, setState: (state: HoldState) => void) {
  const [round, setRound] = useState(0)
  const current = useRef<HeldTime | null>(null)
  const latest = useRef({ wanted, settleMs })
  const key = keyOf(wanted)
  useEffect(() => {
    latest.current = { wanted, settleMs }
  })
  useEffect(() => {
    const { wanted: visit, settleMs: pause } = latest.current
    if (key === null || !visit) {
      setState({ kind: 'none' })
      return
    }
    const time = new HeldTime(visit)
    current.current = time
    setState({ kind: 'making' })
    const start = setTimeout(() => void time.make().then((made) => made && show(made)), pause)
    const leave = () => time.end(releaseHoldOnLeave)
    const comeBack = (event: PageTransitionEvent) => event.persisted && setRound((count) => count + 1)
    addEventListener('pagehide', leave)
    addEventListener('pageshow', comeBack)
    return () => {
      clearTimeout(start)
      removeEventListener('pagehide', leave)
      removeEventListener('pageshow', comeBack)
      time.end(releaseHold)
    }
  }, [key, round, show, setState])
  return {
    /** The hold is no longer there to be let go. */
    forget: useCallback(() => current.current?.forget(), []),
    /** The hold became an appointment. */
    keep: useCallback(() => {
      if (current.current) current.current.isBooked = true
    }, []),
    retry: useCallback(() => setRound((count) => count + 1), []),
  }
}

export function useHold(wanted: WantedHold | null, settleMs: number): HoldKeeper {
  const queries = useQueryClient()
  const [state, setState] = useState<HoldState>({ kind: 'none' })
  const show = useCallback(
    (next: HoldState) => {
      setState(next)
      // An answer still on its way was read before this change, and would be kept as the newest.
      void queries.cancelQueries({ queryKey: queryKeys.holds }).then(() => queries.invalidateQueries({ queryKey: queryKeys.holds }))
    },
    [queries],
  )
  const { forget, keep, retry } = useHeldTime(wanted, settleMs, show, setState)
  return useMemo(() => {
    function markExpired() {
      forget()
      show({ kind: 'expired' })
    }
    return {
      state,
      async extend() {
        if (state.kind !== 'held') return
        try {
          show({ ...state, hold: await api.extendHold({ params: { id: state.hold._id } }) })
        } catch (error) {
          if (refusalCode(error) !== 'hold_expired') throw error
          markExpired()
        }
      },
      retry,
      markExpired,
      markBooked: keep,
    }
  }, [state, show, forget, keep, retry])
}
