// Holds the chosen time for the signed-in person: one hold through reloads, windows and the way back, let go when they choose another or leave.
import { useQueryClient } from '@tanstack/react-query'
import type { Hold } from '@soigne/contract/appointments'
import { minuteMs } from '@soigne/contract/time'
import { parseInstant } from '#/platform/time.ts'
import { holdMinutes } from '#/contract/limits.ts'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useBlocker } from 'react-router'
import { api } from '#/platform/api.ts'
import { ApiError, nearestStarts, refusalCode } from '#/platform/api-error.ts'
import { queryKeys } from '#/query-keys.ts'
import { findHeldTime, forgetHeldTime, holdTime, letHeldTimeGo, type WantedHold } from './held-time.ts'

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
  /** The hold became an appointment, or is paid: it is not to be let go. */
  markBooked: () => void
}

/** Nothing is held, and nothing will be by itself. */
export const hasNoTime = ({ state: { kind } }: HoldKeeper): boolean => kind === 'refused' || kind === 'expired' || kind === 'failed'

function stateOfFailure(error: unknown): HoldState {
  return error instanceof ApiError && error.status < 500
    ? { kind: 'refused', error, nearest: nearestStarts(error) }
    : { kind: 'failed', error }
}

async function makeHeld(wanted: WantedHold, idempotencyKey: string): Promise<HoldState> {
  const { hold, isNew } = await holdTime(wanted, idempotencyKey)
  const clockOffset = isNew ? parseInstant(hold.expiresAt) - holdMinutes * minuteMs - Date.now() : 0
  return { kind: 'held', hold, clockOffset }
}

/** A lost answer is asked for again with the same key, so that one time is never held twice. */
async function makeSurely(wanted: WantedHold): Promise<HoldState> {
  const key = crypto.randomUUID()
  return makeHeld(wanted, key)
    .catch((error: unknown) => (error instanceof ApiError ? Promise.reject(error) : makeHeld(wanted, key)))
    .catch(stateOfFailure)
}

/** Two visits with the same key are the same visit. */
function keyOf(wanted: WantedHold | null): string | null {
  if (!wanted) return null
  const services = wanted.services.map(({ serviceId, staffId }) => `${serviceId}/${staffId ?? 'any'}`)
  return [wanted.instituteId, wanted.startsAt, ...services, ...(wanted.home ? [JSON.stringify(wanted.home)] : [])].join(' ')
}

/** Whether the last step on this page was taken on purpose: by a link or a choice, not by the buttons of the browser. */
function useLastStep(): { wasOnPurpose: () => boolean } {
  const last = useRef<'POP' | 'PUSH' | 'REPLACE'>('POP')
  useBlocker(({ historyAction }) => {
    last.current = historyAction
    return false
  })
  return useMemo(() => ({ wasOnPurpose: () => last.current !== 'POP' }), [])
}

/** Keeps a hold while `wanted` stays the same: made after a pause, let go when another choice or a link ends it. */
function useHeldTime(wanted: WantedHold | null, settleMs: number, show: (state: HoldState) => void, setState: (state: HoldState) => void) {
  const [round, setRound] = useState(0)
  const latest = useRef({ wanted, settleMs })
  const { wasOnPurpose } = useLastStep()
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
    const time = { isOver: false, isLetGo: false }
    setState({ kind: 'making' })
    const start = setTimeout(async () => {
      const made = await makeSurely(visit)
      if (!time.isOver) show(made)
      else if (time.isLetGo) letHeldTimeGo()
    }, pause)
    return () => {
      clearTimeout(start)
      time.isOver = true
      time.isLetGo = wasOnPurpose()
      if (time.isLetGo) letHeldTimeGo()
    }
  }, [key, round, show, setState, wasOnPurpose])
  return useCallback(() => setRound((count) => count + 1), [])
}

/** What another window did with the hold is seen as soon as somebody looks at this one again. */
function useLookAgain(wanted: WantedHold | null, state: HoldState, show: (state: HoldState) => void, markExpired: () => void) {
  const latest = useRef({ wanted, state, show, markExpired })
  // As soon as it is on screen.
  useLayoutEffect(() => {
    latest.current = { wanted, state, show, markExpired }
  })
  useEffect(() => {
    async function look() {
      const { wanted: visit, state: before } = latest.current
      if (document.visibilityState !== 'visible' || !visit || before.kind !== 'held') return
      const hold = await findHeldTime(visit).catch(() => before.hold)
      if (latest.current.state !== before) return
      if (!hold) latest.current.markExpired()
      else if (hold.expiresAt !== before.hold.expiresAt) latest.current.show({ ...before, hold })
    }
    const listen = () => void look()
    document.addEventListener('visibilitychange', listen)
    addEventListener('pageshow', listen)
    return () => {
      document.removeEventListener('visibilitychange', listen)
      removeEventListener('pageshow', listen)
    }
  }, [])
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
  const retry = useHeldTime(wanted, settleMs, show, setState)
  const keeper = useMemo(() => {
    function markExpired() {
      forgetHeldTime()
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
      markBooked: forgetHeldTime,
    }
  }, [state, show, retry])
  useLookAgain(wanted, state, show, keeper.markExpired)
  return keeper
}
