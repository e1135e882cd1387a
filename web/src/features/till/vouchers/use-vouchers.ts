// What the client of a sale has: packages with what is left of each, and gift cards they bought.
import type { ClientPackage, GiftCard } from '@soigne/contract/vouchers'
import { useQuery } from '@tanstack/react-query'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { packageOf } from '#/features/till/reckoning.ts'
import type { TillState } from '#/features/till/use-till.ts'

export type HeldPackage = ClientPackage

/** Those that are good, less the sessions that lines of this sale take already. */
export function useHeldPackages({ clientId, lines }: Pick<TillState, 'clientId' | 'lines'>): readonly HeldPackage[] {
  const { data } = useQuery({
    queryKey: dashboardKeys.sales.packagesOf(clientId ?? ''),
    queryFn: ({ signal }) => dashboardApi.clientPackages({ params: { id: clientId ?? '' } }, { signal }),
    enabled: clientId !== null,
  })
  if (clientId === null) return []
  return (data?.items ?? [])
    .filter(({ state }) => state === 'valid')
    .map((one) => ({ ...one, left: one.left - lines.filter(({ line }) => packageOf(line) === one._id).length }))
}

/** Good cards that the client bought; whoever else has one says its code. */
export function useOwnCards(clientId: string | null): readonly GiftCard[] {
  const { data } = useQuery({
    queryKey: dashboardKeys.sales.giftCards({ customer: clientId ?? '' }),
    queryFn: ({ signal }) => dashboardApi.giftCards({ query: { customer: clientId ?? '' } }, { signal }),
    enabled: clientId !== null,
  })
  return clientId === null ? [] : (data?.items ?? []).filter(({ state }) => state === 'valid')
}
