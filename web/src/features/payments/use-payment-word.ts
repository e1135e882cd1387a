// Asks what became of a payment until there is word of it: once a second, and for a minute at most.
import type { HoldPayment } from '@soigne/contract/payments'
import { minuteMs } from '@soigne/contract/time'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { paymentKeys } from '#/payment-keys.ts'

const everyMs = 1000

/** Whether there is nothing more to wait for: paid counts once the visit is there. */
function isSaid({ checkout, booked }: HoldPayment): boolean {
  return booked ? checkout?.state !== 'open' : checkout?.state !== 'open' && checkout?.state !== 'paid'
}

export type PaymentWord = {
  /** As it was last told. */
  payment: HoldPayment | undefined
  isSaid: boolean
  /** A minute without word. */
  isLong: boolean
  error: unknown
  again: () => void
}

export function usePaymentWord(id: string, isWanted: boolean): PaymentWord {
  const [round, setRound] = useState(0)
  const [longIn, setLongIn] = useState<number | null>(null)
  const isLong = longIn === round
  useEffect(() => {
    if (!isWanted) return
    const timer = setTimeout(() => setLongIn(round), minuteMs)
    return () => clearTimeout(timer)
  }, [isWanted, round])
  const { data, error, refetch } = useQuery({
    queryKey: paymentKeys.word(id),
    queryFn: ({ signal }) => dashboardApi.holdPayment({ params: { id } }, { signal }),
    enabled: isWanted,
    staleTime: 0,
    retry: false,
    refetchInterval: ({ state }) => (isLong || (state.data && isSaid(state.data)) ? false : everyMs),
  })
  return {
    payment: data,
    isSaid: data !== undefined && isSaid(data),
    isLong,
    error,
    again() {
      setRound(round + 1)
      void refetch()
    },
  }
}
