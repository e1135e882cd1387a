// What the bell shows: the server's notifications and the samples of this browser, newest first.
import type { Notification } from '@soigne/contract/notifications'
import type { SessionUser } from '@soigne/contract/session'
import { minuteMs } from '@soigne/contract/time'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { useIsLive, useLive } from '#/platform/live-socket.ts'
import { parseInstant } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { paths } from '#/paths.ts'
import { queryKeys } from '#/query-keys.ts'
import { showToast } from '#/ui/toasts.ts'
import { isLocalName, keepSamples, type LocalName, sampleNames, samplesOf, type SampleState, seedSamples } from './samples.ts'

type Listed = Awaited<ReturnType<typeof api.notifications>>
const mostShown = 50

const sampleTypes = { welcome: 'system', appointments: 'appointment', reminders: 'reminder' } as const
const calendarPath = `${paths.giveAccess}?type=calendar`

function useSamples(user: SessionUser) {
  const { t } = useTranslation('notifications')
  const [state, setState] = useState<SampleState>(() => samplesOf(user.id, Date.now()))
  // What is kept is heard everywhere, so nothing is while others are drawn.
  useEffect(() => seedSamples(user.id, state), [user.id, state])
  function change(next: SampleState) {
    keepSamples(user.id, next)
    setState(next)
  }
  const items = sampleNames
    .filter((name) => !state.removed.includes(name))
    .map((name): Notification => ({
      id: name,
      title: t(`samples.${name}.title`),
      message: t(`samples.${name}.message`),
      timestamp: state.since,
      isRead: state.read.includes(name),
      type: sampleTypes[name],
    }))
  // Of whoever is known at the provider; professionals have their own calendar here.
  const wantsCalendar = user.role !== 'isPro' && user.isConnectedGoogle && !user.hasGoogleCalendarAccess
  if (wantsCalendar && !state.removed.includes('calendar'))
    items.push({
      id: 'calendar',
      title: t('calendar.title'),
      message: t('calendar.message'),
      timestamp: state.since,
      isRead: state.read.includes('calendar'),
      type: 'calendar-scope',
      action: 'connect',
      path: calendarPath,
    })
  return {
    items,
    read: (...names: readonly LocalName[]) => change({ ...state, read: [...new Set([...state.read, ...names])] }),
    remove: (name: LocalName) => change({ ...state, removed: [...state.removed, name] }),
  }
}

/** The list as it will be once the server has done what was asked. */
function useStored(user: SessionUser) {
  const queries = useQueryClient()
  const key = queryKeys.notifications(user.id)
  const isLive = useIsLive()
  const look = () => void queries.invalidateQueries({ queryKey: key })
  useLive('notification', ({ unread }) => {
    queries.setQueryData<Listed>(key, (listed) => listed && { ...listed, unread })
    look()
  })
  // What was told while the connection was away.
  useLive('back', look)
  const { data, error, isPending } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.notifications({ query: { pageSize: mostShown } }, { signal }),
    refetchInterval: isLive ? false : minuteMs,
    refetchOnWindowFocus: true,
    staleTime: 5000,
  })
  const { mutate } = useMutation({
    mutationFn: ({ ask }: { ask: () => Promise<unknown>; after: (items: Listed['items']) => Listed['items'] }) => ask(),
    async onMutate({ after }) {
      await queries.cancelQueries({ queryKey: key })
      queries.setQueryData<Listed>(key, (listed) => {
        if (!listed) return listed
        const items = after(listed.items)
        const gone = listed.items.length - items.length
        const left = items.filter(({ isRead }) => !isRead).length
        const before = listed.items.filter(({ isRead }) => !isRead).length
        return { ...listed, items, total: listed.total - gone, unread: listed.unread - before + left }
      })
    },
    onError: (error) => showToast({ type: 'error', title: failureText(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  })
  return {
    data,
    error,
    isPending,
    read: (id: string) =>
      mutate({
        ask: () => api.readNotification({ params: { id } }),
        after: (items) => items.map((one) => (one.id === id ? { ...one, isRead: true } : one)),
      }),
    readAll: () => mutate({ ask: () => api.readAllNotifications(), after: (items) => items.map((one) => ({ ...one, isRead: true })) }),
    remove: (id: string) =>
      mutate({ ask: () => api.removeNotification({ params: { id } }), after: (items) => items.filter((one) => one.id !== id) }),
  }
}

export function useNotifications(user: SessionUser) {
  const samples = useSamples(user)
  const stored = useStored(user)
  const told = stored.data?.items ?? []
  // Where it is told that access ended, nobody is asked for it a second time.
  const isTold = told.some(({ type }) => type === 'calendar-scope')
  const local = samples.items.filter(({ type }) => !isTold || type !== 'calendar-scope')
  const items = [...told, ...local].toSorted((a, b) => parseInstant(b.timestamp) - parseInstant(a.timestamp))
  return {
    items,
    unread: (stored.data?.unread ?? 0) + local.filter(({ isRead }) => !isRead).length,
    isPending: stored.isPending,
    error: stored.data ? null : stored.error,
    read({ id, isRead }: Notification) {
      if (isRead) return
      if (isLocalName(id)) samples.read(id)
      else stored.read(id)
    },
    readAll() {
      samples.read(...sampleNames, 'calendar')
      if (stored.data && stored.data.unread > 0) stored.readAll()
    },
    remove(id: string) {
      if (isLocalName(id)) samples.remove(id)
      else stored.remove(id)
    },
  }
}
