// What somebody waits for, and answering what is held for them.
import type { WaitingEntry } from '@soigne/contract/waiting'
import { minuteMs } from '@soigne/contract/time'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { parseInstant, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { showToast } from '#/ui/toasts.ts'

/** As the product writes a time of the day: 9:30 of 09:30. */
export const hourText = (wall: string): string => wall.replace(/^0(?=\d:)/, '')

/** Offers come and go while the page stays open. */
const lookEvery = minuteMs / 4

export type Waiting = { items: readonly WaitingEntry[]; clockOffset: number }

/** `isKnown` also once it cannot be known: nothing else should wait for it any longer. */
export function useWaiting(): Waiting & { isKnown: boolean } {
  const { data, isPending } = useQuery({
    queryKey: queryKeys.appointments.list('waiting'),
    async queryFn({ signal }) {
      const { items, now } = await api.waitingEntries({}, { signal })
      return { items, clockOffset: parseInstant(now) - Date.now() }
    },
    refetchOnWindowFocus: true,
    refetchInterval: ({ state }) => (state.data && state.data.items.length > 0 ? lookEvery : false),
  })
  return { items: data?.items ?? [], clockOffset: data?.clockOffset ?? 0, isKnown: !isPending }
}

/** Taking, letting pass and leaving. What the server says then is read anew, whatever came of it. */
export function useAnswer(entry: WaitingEntry) {
  const { t } = useTranslation('appointments')
  const times = useTimes()
  const queries = useQueryClient()
  const key = useRef<string>(undefined)
  const params = { id: entry._id }
  const fail = (error: Error) => showToast({ type: 'error', title: failureText(error) })
  const lookAgain = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: queryKeys.appointments.list('waiting') }),
      queries.invalidateQueries({ queryKey: queryKeys.appointments.all }),
      queries.invalidateQueries({ queryKey: queryKeys.availability.all }),
    ])
  const told = ({ message }: { message: string }) => showToast({ type: 'success', title: message })
  const accept = useMutation({
    mutationFn: () => api.acceptOffer({ params, idempotencyKey: (key.current ??= crypto.randomUUID()) }),
    onSuccess({ startsAt, institute, payment }) {
      // It is booked once it is paid there, and not before.
      if (payment) return location.assign(payment.url)
      const { timeZone } = institute
      const when = { day: times.dayOfInstant(startsAt, timeZone, 'within'), time: times.time(startsAt, timeZone) }
      showToast({ type: 'success', title: t('waiting.taken', when) })
      if (entry.visit) void queries.invalidateQueries({ queryKey: queryKeys.appointment(entry.visit._id) })
    },
    onError: fail,
    onSettled: lookAgain,
  })
  const decline = useMutation({ mutationFn: () => api.declineOffer({ params }), onSuccess: told, onError: fail, onSettled: lookAgain })
  const leave = useMutation({ mutationFn: () => api.leaveWaitingList({ params }), onSuccess: told, onError: fail, onSettled: lookAgain })
  return { accept, decline, leave, lookAgain }
}
