// Moving a visit or letting it go: once, with the answer put in the place of what was known.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Appointment } from '@soigne/contract/appointments'
import { useRef } from 'react'
import { api } from '#/platform/api.ts'
import { refusalCode } from '#/platform/api-error.ts'
import { paymentKeys } from '#/payment-keys.ts'
import { queryKeys } from '#/query-keys.ts'
import { othersFor, type WishedStaff } from './move-times.ts'

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
    // Where a visit at home is, only its own reading tells.
    queries.setQueryData<Appointment>(queryKeys.appointment(appointment._id), (before) => ({
      ...appointment,
      ...(before?.home && { home: before.home }),
    }))
    void queries.invalidateQueries({ queryKey: queryKeys.appointments.all })
    void queries.invalidateQueries({ queryKey: queryKeys.availability.all })
    void queries.invalidateQueries({ queryKey: paymentKeys.visit(appointment._id) })
    queries.removeQueries({ queryKey: queryKeys.moveTimes(appointment._id) })
  }
}

/** Somebody was faster: what is shown here is older than what was refused. */
function useLookAgain(id: string) {
  const queries = useQueryClient()
  return (error: Error) => {
    if (refusalCode(error) === 'wrong_state') void queries.invalidateQueries({ queryKey: queryKeys.appointment(id) })
  }
}

export function useCancel(id: string) {
  const keyOf = useIdempotencyKey()
  return useMutation({
    mutationFn: () => api.cancelAppointment({ params: { id }, body: {}, idempotencyKey: keyOf('cancel') }),
    onSuccess: useKeepAnswer(),
    onError: useLookAgain(id),
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
    onError: useLookAgain(id),
  })
}

/** What the move would make of the visit, and what changing it again would cost then. */
export function useMovePlan(id: string, at: string | null, staff: WishedStaff) {
  return useQuery({
    queryKey: queryKeys.movePlan(id, at ?? '', staff ?? ''),
    queryFn: ({ signal }) =>
      api.reschedulePlan({ params: { id }, query: { startsAt: at ?? '', ...(staff !== null && { staff }) } }, { signal }),
    enabled: at !== null,
    staleTime: 0,
    gcTime: 0,
  })
}

/** Who else of the institute could do all of the visit; nobody where that cannot be told. */
export function useOthers(visit: Appointment) {
  const { data } = useQuery({
    queryKey: queryKeys.moveOthers(visit._id),
    queryFn: ({ signal }) => api.institute({ params: { slug: visit.institute.slug } }, { signal }),
    retry: false,
  })
  return data ? othersFor(visit, data) : []
}
