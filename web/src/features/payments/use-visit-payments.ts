// What was paid for a visit of one's own, and what is left of it.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { paymentKeys } from '#/payment-keys.ts'

const visitPayments = (id: string) =>
  queryOptions({
    queryKey: paymentKeys.visit(id),
    queryFn: ({ signal }) => dashboardApi.appointmentPayments({ params: { id } }, { signal }),
  })

export const useVisitPayments = (id: string) => useQuery(visitPayments(id))

/** What would go back and what would be kept, reckoned anew. */
export function useCancelSums(id: string) {
  const queries = useQueryClient()
  return async () => {
    const known = await queries.fetchQuery({ ...visitPayments(id), staleTime: 0, retry: false }).catch(() => null)
    return known?.ifCancelled
  }
}
