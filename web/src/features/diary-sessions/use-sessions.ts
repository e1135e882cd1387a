// What is done to classes: planned, opened, moved, given other seats, cancelled. The other screens hear of it by themselves.
import type { DiarySession } from '@soigne/contract/diary'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { undoMs, useKeys, useSettled, type BodyOf } from '#/diary-changes.ts'
import { ApiError, failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { showToast } from '#/ui/toasts.ts'

export type PlanAsked = {
  serviceId: string
  staffId: string
  startsAt: string
  everyWeeks: number
  times: number
  resourceId?: string
  sessionId?: string
}

/** Where classes would stand, and what is in the way of each; asked again whenever the calendar changes. */
export function useSessionPlan(asked: PlanAsked | null) {
  return useQuery({
    queryKey: dashboardKeys.diary.sessionPlan(asked),
    queryFn: ({ signal }) => dashboardApi.planGroupSessions({ query: asked ?? { serviceId: '', staffId: '', startsAt: '' } }, { signal }),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    retry: false,
  })
}

/** How many seats are taken, where fewer were asked for. */
export function seatsTaken(error: unknown): number | null {
  const taken = error instanceof ApiError && error.code === 'seats_taken' ? error.body.details?.['taken'] : undefined
  return typeof taken === 'number' ? taken : null
}

export function useOpenSessions(onDone: () => void) {
  const { t } = useTranslation('diary-sessions')
  const { readAgain } = useSettled()
  const keyOf = useKeys()
  const undo = useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const id of ids) await dashboardApi.cancelGroupSession({ params: { id }, body: {} })
    },
    onError: (error) => showToast({ type: 'error', title: failureText(error) }),
    onSettled: readAgain,
  })
  return useMutation({
    mutationFn: (body: BodyOf<'openGroupSessions'>) => dashboardApi.openGroupSessions({ body, idempotencyKey: keyOf(body) }),
    onSuccess: ({ items }) => {
      const action = { label: t('undo'), onAction: () => undo.mutate(items.map(({ _id }) => _id)) }
      showToast({ type: 'success', title: t('opened', { count: items.length }), durationMs: undoMs, action })
      onDone()
    },
    onSettled: readAgain,
  })
}

export function useMoveSession() {
  const { readAgain } = useSettled()
  return useMutation({
    mutationFn: ({ session, startsAt, staffId }: { session: DiarySession; startsAt: string; staffId?: string | undefined }) =>
      dashboardApi.moveGroupSession({ params: { id: session._id }, body: { startsAt, ...(staffId !== undefined && { staffId }) } }),
    onSettled: readAgain,
  })
}

export function useResizeSession() {
  const { readAgain } = useSettled()
  return useMutation({
    mutationFn: ({ id, capacity }: { id: string; capacity: number }) =>
      dashboardApi.resizeGroupSession({ params: { id }, body: { capacity } }),
    onSettled: readAgain,
  })
}

export function useCancelSession() {
  const { readAgain } = useSettled()
  return useMutation({
    mutationFn: ({ id, reason }: { id: string; reason: string }) =>
      dashboardApi.cancelGroupSession({ params: { id }, body: reason === '' ? {} : { reason } }),
    onSettled: readAgain,
  })
}
