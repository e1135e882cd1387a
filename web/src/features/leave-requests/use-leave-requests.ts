// Days off that were asked for: one's own, and those that wait for an answer.
import type { LeaveKind } from '@soigne/contract/team'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { ApiError, failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { plannedDayText } from '#/platform/dashboard-time.ts'
import { capitalised, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { showToast } from '#/ui/toasts.ts'

export const useOwnRequests = () =>
  useQuery({ queryKey: dashboardKeys.leaveRequests.own, queryFn: ({ signal }) => dashboardApi.ownLeaveRequests({}, { signal }) })

export const useOpenRequests = () =>
  useQuery({ queryKey: dashboardKeys.leaveRequests.open, queryFn: ({ signal }) => dashboardApi.leaveRequests({}, { signal }) })

/** `Tue 24 Nov`, or from one day to another: dates, because somebody plans by them. */
export function useDays(): (days: { fromDay: string; toDay: string }) => string {
  const { t } = useTranslation('leave-requests')
  const { locale } = useTimes()
  return ({ fromDay, toDay }) => {
    const [from, to] = [plannedDayText(fromDay, locale), plannedDayText(toDay, locale)]
    return fromDay === toDay ? capitalised(from, locale) : t('range', { from, to })
  }
}

/** Does something about requests; what others see of it is asked for again, also when it was refused. */
export function useWork() {
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  async function run(work: () => Promise<unknown>): Promise<unknown> {
    setBusy(true)
    try {
      await work()
      return null
    } catch (error) {
      return error
    } finally {
      setBusy(false)
      void queries.invalidateQueries({ queryKey: dashboardKeys.all })
    }
  }
  return { busy, run }
}

export const wasAnswered = (error: unknown): boolean => error instanceof ApiError && error.code === 'request_answered'

export function showFailure(error: unknown): void {
  showToast({ type: wasAnswered(error) ? 'warning' : 'error', title: failureText(error) })
}

export const kinds: readonly LeaveKind[] = ['on_holiday', 'sick_leave', 'other']
