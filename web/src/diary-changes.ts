// What the parts of the calendar that change something share: how an answer gets on screen, taking back, and free times.
import type { Calls } from '@soigne/contract/calls'
import type { Input } from '@soigne/contract/define'
import type { Diary, DiaryVisit } from '@soigne/contract/diary'
import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { createContext, useRef, type ComponentType, type ReactNode } from 'react'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { showToast } from '#/ui/toasts.ts'

/** What stands in a drawer; the page says where the drawer is and how it is closed. */
export type FrameParts = {
  /** Id of its heading. */
  labelledBy: string
  head: ReactNode
  foot?: ReactNode
  children: ReactNode
}
export type FrameOf = ComponentType<FrameParts>

export type BodyOf<Name extends keyof Calls> = Input<Calls[Name]> extends { body: infer Body } ? Body : never

/** So long a change can be taken back: letters wait for it. */
export const undoMs = 10_000

/** Puts a visit as it is now into every list that has it. */
export function putVisit(queries: QueryClient, visit: DiaryVisit): void {
  queries.setQueriesData<Diary>({ queryKey: dashboardKeys.diary.allDays }, (diary) =>
    diary && diary.visits.some(({ _id }) => _id === visit._id)
      ? { ...diary, visits: diary.visits.map((one) => (one._id === visit._id ? visit : one)) }
      : diary,
  )
}

/** Ids of visits with something that waits for a connection. */
export const WaitingVisits = createContext<ReadonlySet<string>>(new Set())

export function useSettled() {
  const queries = useQueryClient()
  return {
    queries,
    /** Whatever came of it, the calendar is read again. */
    readAgain: () => queries.invalidateQueries({ queryKey: dashboardKeys.diary.all }),
  }
}

/** One key for one wish: asked twice, it is done once. */
export function useKeys() {
  const keys = useRef(new Map<string, string>())
  return (wish: unknown): string => {
    const text = JSON.stringify(wish)
    const key = keys.current.get(text) ?? crypto.randomUUID()
    keys.current.set(text, key)
    return key
  }
}

/** Takes the last change of a visit back, while nobody has been told. */
export function useUndo() {
  const { queries, readAgain } = useSettled()
  const { t } = useTranslation('diary')
  const undo = useMutation({
    mutationFn: (id: string) => dashboardApi.undoVisitChange({ params: { id } }),
    onSuccess: (visit) => {
      putVisit(queries, visit)
      showToast({ type: 'success', title: t('undone') })
    },
    onError: (error) => showToast({ type: 'error', title: failureText(error) }),
    onSettled: readAgain,
  })
  return (id: string) => ({ label: t('undo'), onAction: () => undo.mutate(id) })
}

/** Free starts of a day with somebody, or with whoever is free; for a visit that is to be moved what it takes itself is free too. */
export function useFreeTimes(asked: {
  services: readonly string[]
  staff: readonly string[]
  day: string
  atHome?: boolean
  visit?: string
}) {
  const { services, staff, day, atHome = false, visit } = asked
  return useQuery({
    queryKey: dashboardKeys.diary.times(asked),
    queryFn: ({ signal }) =>
      dashboardApi.diaryTimes(
        {
          query: {
            service: [...services],
            staff: [...staff],
            from: day,
            days: 1,
            ...(atHome && { atHome: 'true' as const }),
            ...(visit !== undefined && { visit }),
          },
        },
        { signal },
      ),
    enabled: services.length > 0,
    select: (answer) => answer.days.find((one) => one.day === day)?.times ?? [],
  })
}
