// What needs a new time, what was proposed, and who runs late.
import type { RearrangementChoice } from '@soigne/contract/rearranging'
import { minuteMs } from '@soigne/contract/time'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { showToast } from '#/ui/toasts.ts'

const fail = (error: Error) => showToast({ type: 'error', title: failureText(error) })

export const useAnswers = () =>
  useQuery({
    queryKey: dashboardKeys.rearranging.answers,
    queryFn: ({ signal }) => dashboardApi.rearrangements({}, { signal }),
    refetchInterval: minuteMs,
  })

export const useProposals = (about: { fromDay?: string; visit?: string }) =>
  useQuery({
    queryKey: dashboardKeys.rearranging.proposals(about),
    queryFn: ({ signal }) => dashboardApi.proposals({ query: about }, { signal }),
  })

export const useLate = () =>
  useQuery({
    queryKey: dashboardKeys.rearranging.late,
    queryFn: ({ signal }) => dashboardApi.lateMembers({}, { signal }),
    refetchInterval: minuteMs,
  })

/** Whatever a change here makes stale. */
function useStale() {
  const queries = useQueryClient()
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: dashboardKeys.rearranging.all }),
      queries.invalidateQueries({ queryKey: dashboardKeys.diary.all }),
    ])
}

type Round = { items: RearrangementChoice[]; note?: string; close?: { fromDay: string; toDay: string } }
export function useSend(onSent: () => void) {
  const stale = useStale()
  const key = useRef<string>(undefined)
  return useMutation({
    mutationFn: (body: Round) => dashboardApi.rearrange({ body, idempotencyKey: (key.current ??= crypto.randomUUID()) }),
    onSuccess: onSent,
    onError: fail,
    onSettled() {
      key.current = undefined
      return stale()
    },
  })
}

type Change = { how: 'call' | 'agreed' | 'settled' } | { how: 'propose'; startsAt: string; staff: string[] }
export function useChange(id: string) {
  return useMutation({
    mutationFn: (body: Change) => dashboardApi.changeRearrangement({ params: { id }, body }),
    onError: fail,
    onSettled: useStale(),
  })
}

export function useLateness(staffId: string) {
  const stale = useStale()
  const params = { id: staffId }
  const say = useMutation({
    mutationFn: (minutes: number) => dashboardApi.runLate({ params, query: {}, body: { minutes } }),
    onError: fail,
    onSettled: stale,
  })
  const takeBack = useMutation({
    mutationFn: () => dashboardApi.runOnTime({ params }),
    onSuccess: ({ message }) => showToast({ type: 'success', title: message }),
    onError: fail,
    onSettled: stale,
  })
  return { say, takeBack }
}

export const useWouldBeLate = (staffId: string, minutes: number) =>
  useQuery({
    queryKey: dashboardKeys.rearranging.wouldBeLate(staffId, minutes),
    queryFn: ({ signal }) => dashboardApi.runLate({ params: { id: staffId }, query: { dryRun: '1' }, body: { minutes } }, { signal }),
    gcTime: 0,
  })
