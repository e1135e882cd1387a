// Which payouts are asked for, and which one is open: it stands in the address, so that reloading and Back find it again.
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { paths } from '#/paths.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { pageSizes } from '#/ui/pagination.tsx'

export type Payouts = Answer<Calls['payouts']>
export type PayoutWithMoves = Answer<Calls['payout']>

export function usePlace() {
  const [query] = useSearchParams()
  const size = Number(query.get('pageSize'))
  const asked = {
    page: Math.max(1, Math.trunc(Number(query.get('page'))) || 1),
    pageSize: pageSizes.find((one) => one === size) ?? pageSizes[0],
  }
  const hrefFor = (change: { page?: number; pageSize?: number; payout?: string }): string => {
    const next = new URLSearchParams(query)
    // Whatever is open is closed again, unless another is opened; the page of the list stays.
    next.delete('payout')
    for (const [name, value] of Object.entries(change)) next.set(name, String(value))
    const text = next.toString()
    return text ? `${paths.payouts}?${text}` : paths.payouts
  }
  return { asked, open: query.get('payout'), hrefFor }
}
export type Place = ReturnType<typeof usePlace>

export function usePayouts(asked: Place['asked']) {
  return useQuery({
    queryKey: dashboardKeys.payouts.list(asked),
    queryFn: ({ signal }) => dashboardApi.payouts({ query: asked }, { signal }),
    placeholderData: keepPreviousData,
  })
}

export function usePayout(id: string) {
  return useQuery({
    queryKey: dashboardKeys.payouts.one(id),
    queryFn: ({ signal }) => dashboardApi.payout({ params: { id } }, { signal }),
  })
}
