// Letting one service of a visit go, after the question has said what is left of it and what goes back.
import type { Appointment } from '@soigne/contract/appointments'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { paymentKeys } from '#/payment-keys.ts'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { useMoney } from '#/platform/money.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { askConfirm } from '#/ui/confirms.ts'
import { showToast } from '#/ui/toasts.ts'

export type RemoveServiceProps = {
  appointment: Appointment
  /** Place of the service among the segments. */
  place: number
  onRemoved: () => void
}

function useRemove({ appointment: { _id: id, segments }, place, onRemoved }: RemoveServiceProps) {
  const { t } = useTranslation('appointments')
  const queries = useQueryClient()
  // Asked again after a broken line, it is still the same wish.
  const key = useRef(crypto.randomUUID())
  const segment = segments[place]
  const asked = { segment: place, serviceId: segment?.serviceId ?? '' }
  const service = segment?.serviceName ?? ''
  const remove = useMutation({
    mutationFn: () => api.removeVisitService({ params: { id }, body: asked, idempotencyKey: key.current }),
    onSuccess(answer) {
      queries.setQueryData(queryKeys.appointment(id), answer)
      void queries.invalidateQueries({ queryKey: queryKeys.appointments.all })
      void queries.invalidateQueries({ queryKey: queryKeys.availability.all })
      void queries.invalidateQueries({ queryKey: paymentKeys.visit(id) })
      queries.removeQueries({ queryKey: queryKeys.moveTimes(id) })
      showToast({ type: 'success', title: t('removal.done', { service }), line: t('removal.doneLine') })
      onRemoved()
    },
    onError: (error) => showToast({ type: 'error', title: failureText(error) }),
  })
  return { service, remove, look: () => api.visitServiceRemoval({ params: { id }, query: asked }) }
}

export function RemoveService(props: RemoveServiceProps) {
  const { t } = useTranslation('appointments')
  const times = useTimes()
  const money = useMoney()
  const [isAsking, setAsking] = useState(false)
  const { service, remove, look } = useRemove(props)
  const { institute } = props.appointment

  async function ask() {
    setAsking(true)
    try {
      const { startsAt, endsAt, total, refunded } = await look()
      const timeOf = (instant: string) => times.time(instant, institute.timeZone)
      const isSure = await askConfirm({
        title: t('removal.title', { service }),
        message: t('removal.message', {
          name: institute.name,
          day: times.dayOfInstant(startsAt, institute.timeZone, 'within'),
          from: timeOf(startsAt),
          to: timeOf(endsAt),
        }),
        details: (
          <>
            {refunded.amount > 0 && <p className="strong">{t('removal.back', { amount: money(refunded, true) })}</p>}
            <p className={refunded.amount > 0 ? 'small muted' : 'strong'}>{t('removal.total', { amount: money(total, true) })}</p>
          </>
        ),
      })
      if (isSure) remove.mutate()
    } catch (error) {
      showToast({ type: 'error', title: failureText(error) })
    } finally {
      setAsking(false)
    }
  }
  return (
    <button
      type="button"
      className="link small"
      aria-label={t('removal.label', { service })}
      aria-busy={isAsking || remove.isPending}
      disabled={remove.isPending}
      onClick={() => void ask()}
    >
      {t('removal.action')}
    </button>
  )
}
