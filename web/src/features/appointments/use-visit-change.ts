// Moving a visit or letting it go: once, with the answer put in the place of what was known.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Appointment } from '@soigne/contract/appointments'
import { useRef } from 'react'
import { api } from '#/platform/api.ts'
import { queryKeys } from '#/query-keys.ts'

/** One key for each request, kept while it is sent again. */
function useIdempotencyKey() {
  const keys = useRef(new Map<string, string>())
  return (request: string) => {
    const key = keys.current.get(request) ?? crypto.randomUUID()
    keys.current.set(request, key)
    return key
  }
}

function useKeepAnswer() {
  const queries = useQueryClient()
  return (appointment: Appointment) => {
    queries.setQueryData(queryKeys.appointment(appointment._id), appointment)
    void queries.invalidateQueries({ queryKey: queryKeys.appointments.all })
    void queries.invalidateQueries({ queryKey: queryKeys.availability.all })
    queries.removeQueries({ queryKey: queryKeys.moveTimes(appointment._id) })
  }
}

export function useCancel(id: string) {
  const keyOf = useIdempotencyKey()
  return useMutation({
    mutationFn: () => api.cancelAppointment({ params: { id }, body: {}, idempotencyKey: keyOf('cancel') }),
    onSuccess: useKeepAnswer(),
  })
}

/** `staff`: who does each service from then on; absent, who does it now. */
export type MoveWish = { startsAt: string; staff?: string[] | undefined }

export function useMove(id: string) {
  const keyOf = useIdempotencyKey()
  return useMutation({
    mutationFn: ({ startsAt, staff }: MoveWish) =>
      api.rescheduleAppointment({
        params: { id },
        body: { startsAt, ...(staff && { staff }) },
        idempotencyKey: keyOf([startsAt, ...(staff ?? [])].join(' ')),
      }),
    onSuccess: useKeepAnswer(),
  })
}

/** What the move would make of the visit, asked for only where it is not plain. */
export function useMovePlan(id: string, at: string | null, withAnyone: boolean) {
  return useQuery({
    queryKey: queryKeys.movePlan(id, at ?? ''),
    queryFn: ({ signal }) => api.reschedulePlan({ params: { id }, query: { startsAt: at ?? '', staff: 'any' } }, { signal }),
    enabled: withAnyone && at !== null,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
}
