// What of the sales is asked for: it stands in the address, so that reloading and Back find it again.
import type { Calls } from '@soigne/contract/calls'
import type { Period } from '@soigne/contract/dashboard'
import type { Answer } from '@soigne/contract/define'
import type { SaleMethod, SaleRow } from '@soigne/contract/sales'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { paths } from '#/paths.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { dayOf, ownZone } from '#/platform/time.ts'
import { pageSizes } from '#/ui/pagination.tsx'

export type Sales = Answer<Calls['sales']>

export const periods = ['today', 'yesterday', 'last7days', 'thisMonth', 'lastMonth', 'allTime'] as const satisfies readonly Period[]
export const statuses = ['completed', 'deposit_paid', 'pending', 'cancelled'] as const satisfies readonly SaleRow['status'][]
export const methods = ['card', 'paypal', 'klarna', 'cash', 'terminal', 'gift_card'] as const satisfies readonly SaleMethod[]

const oneOf = <Value extends string>(values: readonly Value[], text: string | null): Value | undefined => values.find((one) => one === text)

export function useAsked() {
  const [query] = useSearchParams()
  const size = Number(query.get('pageSize'))
  const [status, method, staff] = [oneOf(statuses, query.get('status')), oneOf(methods, query.get('method')), query.get('staff')]
  const due = query.get('due') === 'true'
  const asked = {
    period: oneOf(periods, query.get('period')) ?? periods[0],
    what: query.get('what') ?? '',
    ...(status && { status }),
    ...(method && { method }),
    ...(staff && { staff }),
    ...(due && { due: 'true' as const }),
    page: Math.max(1, Math.trunc(Number(query.get('page'))) || 1),
    pageSize: pageSizes.find((one) => one === size) ?? pageSizes[0],
  }
  const hrefFor = (change: Record<string, string | number | undefined>): string => {
    const next = new URLSearchParams(query)
    next.delete('page')
    for (const [name, value] of Object.entries(change)) {
      if (value === undefined || value === '') next.delete(name)
      else next.set(name, String(value))
    }
    const text = next.toString()
    return text ? `${paths.sales}?${text}` : paths.sales
  }
  return { asked, hrefFor, isNarrowed: Boolean(status ?? method ?? staff) || due || asked.what !== '' }
}
export type Asking = ReturnType<typeof useAsked>

export function useSales({ asked }: Asking) {
  return useQuery({
    queryKey: dashboardKeys.sales.list(asked),
    queryFn: ({ signal }) => dashboardApi.sales({ query: asked }, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** Who works here, as the calendar of today has them. */
export function useMembers() {
  const [from] = useState(() => dayOf(Date.now(), ownZone()))
  const { data } = useQuery({
    queryKey: dashboardKeys.diary.days(from, 1),
    queryFn: ({ signal }) => dashboardApi.diary({ query: { from, days: 1 } }, { signal }),
    staleTime: 300_000,
  })
  return data?.members ?? []
}
