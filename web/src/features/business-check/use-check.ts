// What was sent of one's business and what became of it; sending it, and taking it back.
import type { BusinessCheck } from '@soigne/contract/business-check'
import { minuteMs } from '@soigne/contract/time'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { failureText, refusalCode } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useLive } from '#/platform/live-socket.ts'
import { showToast } from '#/ui/toasts.ts'

const queryKey = dashboardKeys.businessCheck
/** Addresses of documents work for an hour. */
const readAnewMs = 45 * minuteMs

export function useCheck() {
  const queries = useQueryClient()
  // The bell tells what became of it: a page that is open says so at once.
  const look = () => void queries.invalidateQueries({ queryKey })
  useLive('notification', look)
  useLive('back', look)
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => dashboardApi.businessCheck({}, { signal }),
    refetchInterval: readAnewMs,
    refetchOnWindowFocus: true,
    // Whoever may not read it may not in a minute either.
    retry: (count, error) => count < 2 && refusalCode(error) !== 'forbidden',
  })
}

export interface FilledIn {
  legalName: string
  registrationNumber: string
  vatNumber: string
  documents: readonly File[]
}

export function useSending(onSent: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ documents, ...body }: FilledIn) => dashboardApi.sendBusinessCheck({ body, files: { documents } }),
    onSuccess: (check: BusinessCheck) => {
      queries.setQueryData(queryKey, check)
      onSent()
    },
    onError: (error) => {
      if (refusalCode(error) !== 'check_waiting') return
      // Sent in another tab, or the answer to an earlier sending was lost: it is there.
      showToast({ type: 'info', title: failureText(error) })
      void queries.invalidateQueries({ queryKey })
    },
  })
}

export function useTakingBack() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => dashboardApi.withdrawBusinessCheck(),
    onSuccess: (check: BusinessCheck) => queries.setQueryData(queryKey, check),
    onError: (error) => showToast({ type: 'error', title: failureText(error) }),
  })
}
