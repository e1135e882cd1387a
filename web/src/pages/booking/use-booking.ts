// What the address says is chosen, the hold of the chosen time, and booking it.
import { useQueryClient } from '@tanstack/react-query'
import type { Institute } from '@soigne/contract/institutes'
import { startTransition, useEffect, useOptimistic, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { isWithinReach, useHomeAddress, type HomeAddressDraft } from '#/features/at-home/home-address.ts'
import { useBook } from '#/features/booking/use-book.ts'
import { useHold, type HoldKeeper } from '#/features/booking/use-hold.ts'
import { choiceParams, readChoice, type Choice } from '#/features/cart/choice.ts'
import type { PayAsk } from '#/pay-ask.ts'
import { bookingPath } from '#/paths.ts'
import { refusalCode } from '#/platform/api-error.ts'
import { useSession, useSessionActions } from '#/platform/session.tsx'
import { queryKeys } from '#/query-keys.ts'

/** Arrow keys pass over many times; only the one they rest on is held. */
const settleMs = 350

export type ChoiceChange = Partial<Choice> | ((chosen: Choice) => Partial<Choice>)

export function useChoice(institute: Institute, now: number) {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  // The address is a moment behind the hand: what is chosen is shown at once, until the address says the same.
  const [shown, show] = useOptimistic(params)
  const choice = readChoice(shown, institute, now)
  const latest = useRef(choice)
  useEffect(() => {
    latest.current = readChoice(shown, institute, now)
  }, [shown, institute, now])
  /** Another step is a new place in the history; a change within a step is not. */
  function go(asked: ChoiceChange, place: 'push' | 'replace') {
    const change = typeof asked === 'function' ? asked(latest.current) : asked
    const next = choiceParams(latest.current, change)
    latest.current = readChoice(next, institute, now)
    startTransition(async () => {
      show(next)
      await navigate(bookingPath(institute.slug, next), { replace: place === 'replace', preventScrollReset: place === 'replace' })
    })
  }
  return { choice, go }
}

/** The address of a visit at home, once it is one to which the institute comes. */
export function useChosenHome(institute: Institute, { atHome }: Choice): HomeAddressDraft | null {
  const home = useHomeAddress()
  return atHome && home && isWithinReach(institute, home) ? home : null
}

export function useChosenHold(institute: Institute, { items, at, step, atHome }: Choice, home: HomeAddressDraft | null): HoldKeeper {
  const session = useSession()
  const wants = session.kind === 'user' && at !== null && items.length > 0 && (!atHome || home !== null)
  const keeper = useHold(
    wants ? { instituteId: institute._id, services: items, startsAt: at, ...(home && { home }) } : null,
    step === 'time' ? settleMs : 0,
  )
  const queries = useQueryClient()
  const isRefused = keeper.state.kind === 'refused'
  useEffect(() => {
    // The times on show were read before somebody else took one of them.
    if (isRefused) void queries.invalidateQueries({ queryKey: queryKeys.availability.ofInstitute(institute._id) })
  }, [isRefused, queries, institute._id])
  return keeper
}

/** It ran out, or was let go in another window. */
function isHoldGone(error: unknown): boolean {
  const code = refusalCode(error)
  return code === 'hold_expired' || code === 'not_found'
}

export function useBooking(institute: Institute, { next }: Choice, keeper: HoldKeeper) {
  const [note, setNote] = useState('')
  const navigate = useNavigate()
  const { refresh } = useSessionActions()
  const [ask, setAsk] = useState<PayAsk | null>(null)
  const book = useBook(
    (appointment) => {
      keeper.markBooked()
      void navigate(bookingPath(institute.slug, new URLSearchParams({ booked: appointment._id, ...(next !== null && { next }) })), {
        replace: true,
        state: { fresh: true },
      })
    },
    (url) => ask?.leave(url),
  )
  const { state } = keeper
  const isPending = book.isPending || ask?.isLeaving === true
  function confirm() {
    if (state.kind !== 'held' || isPending) return
    if (ask?.goOn) return ask.goOn()
    return book.mutate(
      { holdId: state.hold._id, note, pay: ask?.body },
      {
        onError(error) {
          if (isHoldGone(error)) keeper.markExpired()
          if (refusalCode(error) === 'email_unverified') void refresh()
        },
      },
    )
  }
  const failure = isHoldGone(book.error) ? null : book.error
  // What is paid online is asked for on the last step, where anything is.
  const isAsked = institute.paymentMethods.length > 0
  return { note, setNote, confirm, failure, isPending, isChecking: book.isChecking, ask, setAsk, isAsked }
}
