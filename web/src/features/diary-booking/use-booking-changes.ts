// Booking for clients, and time kept free of visits.
import { useMutation } from '@tanstack/react-query'
import { useKeys, useSettled, type BodyOf } from '#/diary-changes.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'

export type NewVisit = BodyOf<'bookForClient'>

export function useBookForClient() {
  const { readAgain } = useSettled()
  const keyOf = useKeys()
  return useMutation({
    mutationFn: (body: NewVisit) => dashboardApi.bookForClient({ body, idempotencyKey: keyOf(body) }),
    onSettled: readAgain,
  })
}

/** A break of a shift, on one day. */
export function useMoveBreak() {
  const { readAgain } = useSettled()
  return useMutation({ mutationFn: (body: BodyOf<'moveBreak'>) => dashboardApi.moveBreak({ body }), onSettled: readAgain })
}

export function useBlockedTime() {
  const { readAgain } = useSettled()
  const onSettled = readAgain
  const block = useMutation({ mutationFn: (body: BodyOf<'blockTime'>) => dashboardApi.blockTime({ body }), onSettled })
  const change = useMutation({
    mutationFn: ({ id, body }: { id: string; body: BodyOf<'moveBlockedTime'> }) => dashboardApi.moveBlockedTime({ params: { id }, body }),
    onSettled,
  })
  const unblock = useMutation({ mutationFn: (id: string) => dashboardApi.unblockTime({ params: { id } }), onSettled })
  return { block, change, unblock }
}
