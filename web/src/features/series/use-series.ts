// Reading, making and cancelling series. What is made is asked for once: a lost answer is asked for again under the same key.
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api } from '#/platform/api.ts'
import { queryKeys } from '#/query-keys.ts'

/** The visits a repetition would make; asked anew whenever the choice changes, since somebody may be faster. */
export function useSeriesPlan(id: string, everyWeeks: number, times: number) {
  return useQuery({
    queryKey: queryKeys.seriesPlan(id, everyWeeks, times),
    queryFn: ({ signal }) => api.seriesPlan({ params: { id }, query: { everyWeeks, times } }, { signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
}

const seriesOf = (id: string) =>
  queryOptions({
    queryKey: queryKeys.series(id),
    queryFn: ({ signal }) => api.series({ params: { id } }, { signal }),
    retry: false,
  })

export const useSeries = (id: string) => useQuery(seriesOf(id))

/** What letting go of this visit and those that follow would do, reckoned anew. */
export function useReadRest(id: string) {
  const queries = useQueryClient()
  return async () => {
    const known = await queries.fetchQuery({ ...seriesOf(id), staleTime: 0 }).catch(() => null)
    return known?.rest
  }
}

function useForget(id: string) {
  const queries = useQueryClient()
  return () => {
    void queries.invalidateQueries({ queryKey: queryKeys.appointments.all })
    void queries.invalidateQueries({ queryKey: queryKeys.availability.all })
    void queries.invalidateQueries({ queryKey: queryKeys.series(id), exact: true })
  }
}

type Chosen = { everyWeeks: number; startsAt: string[] }

export function useMakeSeries(id: string) {
  const keys = useRef(new Map<string, string>())
  /** The same choice keeps its key however often it is sent. */
  function keyOf({ everyWeeks, startsAt }: Chosen): string {
    const request = [everyWeeks, ...startsAt].join(' ')
    const key = keys.current.get(request) ?? crypto.randomUUID()
    keys.current.set(request, key)
    return key
  }
  return useMutation({
    mutationFn: (chosen: Chosen) => api.makeSeries({ params: { id }, body: chosen, idempotencyKey: keyOf(chosen) }),
    onSuccess: useForget(id),
  })
}

export function useCancelSeries(id: string) {
  const key = useRef(crypto.randomUUID())
  const queries = useQueryClient()
  const forget = useForget(id)
  return useMutation({
    mutationFn: () => api.cancelSeries({ params: { id }, idempotencyKey: key.current }),
    onSuccess({ cancelled, kept }) {
      for (const visit of [...cancelled, ...kept]) {
        // Where a visit at home is, only its own reading tells.
        if (visit.atHome) void queries.invalidateQueries({ queryKey: queryKeys.appointment(visit._id) })
        else queries.setQueryData(queryKeys.appointment(visit._id), visit)
      }
      forget()
    },
  })
}
