// The calendar with and without a connection: what is kept of it, what waits, and whether the server is there.
import type { Diary } from '@soigne/contract/diary'
import { minuteMs } from '@soigne/contract/time'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo } from 'react'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { diaryQuery, type KeptDays, type ShownDiary, type Span } from '#/features/diary/use-diary.ts'
import { useMenu } from '#/own-institute.ts'
import { isOfDesk, visitOf, withChanges } from '#/features/day-sheet/changes.ts'
import { useDesk } from '#/features/day-sheet/desk.ts'
import { daysOfSheet, forgetSheet, keepSheet, keptDays, ownerOf, readSheet } from '#/features/day-sheet/sheet.ts'
import { useDeskActs } from '#/features/day-sheet/use-desk-acts.ts'
import { paths } from '#/paths.ts'
import { ApiError } from '#/platform/api-error.ts'
import { useUser } from '#/platform/session.tsx'
import { useOnline } from '#/ui/use-online.ts'

/** What is kept for whoever is signed in, at their institute. */
export function useKept(): KeptDays {
  const user = useUser()
  const owner = user && ownerOf(user)
  return useCallback(
    async (span: Span) => {
      const sheet = owner === null ? null : await readSheet(owner)
      return sheet && daysOfSheet(sheet, span, Date.now())
    },
    [owner],
  )
}

/** Right taken away, institute gone, session over. */
const isEnd = (error: Error | null): boolean => error instanceof ApiError && [401, 403, 404].includes(error.status)

/** While there is a connection, today and tomorrow are kept as they change, and forgotten when they may not be seen any more. */
export function useKeeping(today: string, kept: KeptDays): void {
  const user = useUser()
  const owner = user && ownerOf(user)
  const { data: services } = useMenu(user?.institute?.slug ?? '')
  const { data, dataUpdatedAt, error } = useQuery({
    ...diaryQuery({ from: today, days: keptDays }, kept),
    refetchInterval: minuteMs,
    refetchOnReconnect: true,
  })
  useEffect(() => {
    if (owner !== null && data && data.asOf === undefined && services) void keepSheet(owner, data, services, dataUpdatedAt)
  }, [owner, data, dataUpdatedAt, services])
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return
    // Whoever came here from another page never asked for the document.
    void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage({ page: paths.diary }))
  }, [])
  const isOver = isEnd(error)
  useEffect(() => {
    if (owner !== null && isOver) void forgetSheet(owner)
  }, [owner, isOver])
}

type Asked = { data: ShownDiary | undefined; refetch: () => Promise<unknown> }

/** @returns the calendar as it is shown, with what waits, and what can be done to it on the device */
export function useSheet({ data: server, refetch }: Asked) {
  const isOnline = useOnline()
  const isOffline = !isOnline || server?.asOf !== undefined
  const desk = useDesk()
  const { owner, changes } = desk
  useEffect(() => {
    const again = () => void refetch()
    addEventListener('offline', again)
    addEventListener('online', again)
    return () => {
      removeEventListener('offline', again)
      removeEventListener('online', again)
    }
  }, [refetch])
  const { data: sheet } = useQuery({
    queryKey: dashboardKeys.daySheet(owner),
    queryFn: () => (owner === null ? null : readSheet(owner)),
    enabled: isOffline,
    networkMode: 'always',
    staleTime: 0,
  })
  const data = useMemo(() => server && withChanges(server, changes), [server, changes])
  const kept = useMemo(() => sheet && withChanges(sheet.diary, changes), [sheet, changes])
  const waitingIds = useMemo(() => new Set(changes.flatMap((one) => (one.refusal === null ? [visitOf(one)] : []))), [changes])
  const acts = useDeskActs(desk, (isOffline ? sheet?.diary : server) ?? server)
  return {
    isOffline,
    asOf: isOffline ? (server?.asOf ?? server?.now ?? sheet?.diary.now ?? null) : null,
    desk,
    acts,
    data,
    waitingIds,
    /** All that is kept, for a form that may go to the other day. */
    all: (isOffline && kept) || data,
    days: ((isOffline && sheet?.diary) || server)?.days.map(({ day }) => day) ?? [],
    services: sheet?.services ?? [],
    /** Whether what is done to a visit waits. */
    takes: (visitId: string) => isOffline || isOfDesk(visitId),
  }
}

export type Sheet = ReturnType<typeof useSheet> & { all: Diary | undefined }
