// Which institutes the signed-in person marked: read once for all hearts, changed at once and taken back when the server refuses.
import type { SessionUser } from '@soigne/contract/session'
import { minuteMs } from '@soigne/contract/time'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { queryKeys } from '#/query-keys.ts'
import { showToast } from '#/ui/toasts.ts'

const noId = 'nobody'

/** Changes of one institute wait for each other, so that the last tap is what stays. */
export function useSetFavourite(user: SessionUser | null) {
  const queries = useQueryClient()
  const key = queryKeys.favourites.ids(user?.id ?? noId)
  const { mutate } = useMutation({
    scope: { id: 'favourites' },
    mutationFn: ({ id, favourite }: { id: string; favourite: boolean }) =>
      api.toggleFavourite({ params: { id }, query: { favourite: favourite ? 'true' : 'false' } }),
    async onMutate({ id, favourite }) {
      await queries.cancelQueries({ queryKey: key })
      const turn = (to: boolean) =>
        queries.setQueryData<string[]>(key, (ids = []) => (to ? [id, ...ids.filter((one) => one !== id)] : ids.filter((one) => one !== id)))
      turn(favourite)
      return { undo: () => turn(!favourite) }
    },
    onError(error, _asked, context) {
      context?.undo()
      showToast({ type: 'error', title: failureText(error) })
    },
    onSuccess: ({ message }) => showToast({ type: 'success', title: message }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.favourites.all }),
  })
  return (id: string, favourite: boolean) => mutate({ id, favourite })
}

function useIds(user: SessionUser | null) {
  return useQuery({
    queryKey: queryKeys.favourites.ids(user?.id ?? noId),
    queryFn: async ({ signal }) => (await api.favouriteIds({}, { signal })).ids,
    enabled: user !== null,
    staleTime: minuteMs,
  })
}

/** Undefined until it is known; nothing is asked for guests. */
export function useFavouriteIds(user: SessionUser | null): readonly string[] | undefined {
  const { data } = useIds(user)
  return user ? data : undefined
}

/** The same, why it is not known where nothing is under way, and asking once more; null without a line, for which it waits. */
export function useMarks(user: SessionUser): { ids: readonly string[] | undefined; failure: Error | null; readAgain: (() => void) | null } {
  const { data: ids, error, fetchStatus, failureReason, refetch } = useIds(user)
  const isWaiting = fetchStatus === 'paused'
  const failure = error ?? (isWaiting ? failureReason : null)
  return { ids, failure: ids ? null : failure, readAgain: isWaiting ? null : () => void refetch() }
}
