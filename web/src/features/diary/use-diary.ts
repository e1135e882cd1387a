// What the calendar shows, kept true: read by day, read again where another screen changed something, and never under a finger.
import type { Diary, DiaryChanged } from '@soigne/contract/diary'
import { minuteMs } from '@soigne/contract/time'
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { ApiError } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useLive } from '#/platform/live-socket.ts'
import { wallMinutes } from '#/platform/dashboard-time.ts'
import { addDays, dayOf, daysBetween, instantText, parseInstant } from '#/platform/time.ts'
import { isInSpan, spanOf, stepped, type DiaryView } from './diary-address.ts'
import { spliced } from './spliced.ts'

export type Span = { from: string; days: number }

/** The calendar; what was kept of it says from when. */
export type ShownDiary = Diary & { asOf?: string }

/** What is kept of some days on the device; null where nothing is. */
export type KeptDays = (span: Span) => Promise<ShownDiary | null>

/** Without a connection it is what was kept. */
export const diaryQuery = ({ from, days }: Span, kept: KeptDays) => ({
  queryKey: dashboardKeys.diary.days(from, days),
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<ShownDiary> => {
    try {
      return await dashboardApi.diary({ query: { from, days } }, { signal })
    } catch (error) {
      const found = error instanceof ApiError || signal.aborted ? null : await kept({ from, days })
      if (found) return found
      throw error
    }
  },
})

/** The days of a view; those before and after it come quietly, so that paging is at once. */
export function useDiary(view: DiaryView, day: string, kept: KeptDays) {
  const queries = useQueryClient()
  const { from, days } = spanOf(view, day)
  const diary = useQuery({ ...diaryQuery({ from, days }, kept), refetchInterval: minuteMs, refetchOnReconnect: true })
  const isThere = diary.data !== undefined
  useEffect(() => {
    if (!isThere) return
    for (const by of [1, -1]) void queries.prefetchQuery({ ...diaryQuery(spanOf(view, stepped(view, day, by)), kept), staleTime: minuteMs })
  }, [isThere, queries, view, day, kept])
  return diary
}

export function useDiaryMonth(month: string, enabled: boolean) {
  return useQuery({
    queryKey: dashboardKeys.diary.month(month),
    queryFn: ({ signal }) => dashboardApi.diaryMonth({ query: { month } }, { signal }),
    enabled,
    refetchInterval: 5 * minuteMs,
  })
}

/** The days a change touches; null is all of them. */
export function touchedDays(change: Pick<DiaryChanged, 'startsAt' | 'endsAt'>, zone: string): Span | null {
  if (change.startsAt === null || change.endsAt === null) return null
  const from = dayOf(change.startsAt, zone)
  // An end at midnight belongs to the day before it.
  const to = dayOf(parseInstant(change.endsAt) - 1, zone)
  return { from, days: Math.max(1, daysBetween(from, to) + 1) }
}

/** Days of a span that a change touches. */
function shared(span: Span, touched: Span): Span | null {
  const days = Array.from({ length: span.days }, (_, index) => addDays(span.from, index)).filter((day) => isInSpan(day, touched))
  return days[0] === undefined ? null : { from: days[0], days: days.length }
}

async function readAgain(queries: QueryClient, change: DiaryChanged): Promise<void> {
  const entries = queries.getQueryCache().findAll({ queryKey: dashboardKeys.diary.allDays })
  await Promise.all(
    entries.map(async ({ queryKey, state }) => {
      const old = state.data as Diary | undefined
      const [from, days] = queryKey.slice(-2) as [string, number]
      if (!old || old.version >= change.version) return
      const touched = touchedDays(change, old.timeZone)
      const part = touched ? shared({ from, days }, touched) : { from, days }
      if (!part) return
      const isShown = queries.getQueryCache().find({ queryKey })?.isActive() ?? false
      if (!isShown || part.days === days) return queries.invalidateQueries({ queryKey, exact: true })
      const fresh = await dashboardApi.diary({ query: part })
      queries.setQueryData<Diary>(queryKey, (now) => now && spliced(now, fresh))
    }),
  )
  await queries.invalidateQueries({ queryKey: dashboardKeys.diary.allMonths })
  if (change.subjectId !== null) await queries.invalidateQueries({ queryKey: dashboardKeys.diary.visit(change.subjectId) })
}

/** Follows what other screens do. While something is lifted, news wait until it is put down. */
export function useDiaryNews(): (isLifted: boolean) => void {
  const queries = useQueryClient()
  const lifted = useRef(false)
  const waiting = useRef<DiaryChanged[]>([])
  useLive('diaryChanged', (change) => {
    if (lifted.current) waiting.current.push(change)
    else void readAgain(queries, change)
  })
  useLive('back', () => void queries.invalidateQueries({ queryKey: dashboardKeys.diary.all }))
  return useCallback(
    (isLifted) => {
      lifted.current = isLifted
      if (isLifted) return
      for (const change of waiting.current.splice(0)) void readAgain(queries, change)
    },
    [queries],
  )
}

/** The present by the server's clock, each half minute; before an answer, by the device's. */
export function useServerNow(answered: { now: string } | undefined, updatedAt: number): number {
  const ahead = answered ? parseInstant(answered.now) - updatedAt : 0
  const [tick, setTick] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setTick(Date.now()), minuteMs / 2)
    return () => clearInterval(timer)
  }, [])
  return Math.max(tick, updatedAt) + ahead
}

export const minuteOfNow = (now: number, zone: string): number => wallMinutes(instantText(now), zone)

/** Whether the window is so wide, or so narrow. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (watcher) => {
      const media = matchMedia(query)
      media.addEventListener('change', watcher)
      return () => media.removeEventListener('change', watcher)
    },
    () => matchMedia(query).matches,
    () => false,
  )
}
