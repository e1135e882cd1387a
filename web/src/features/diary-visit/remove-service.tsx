// Taking one service out of a visit: the question says what is left of it and what goes back to its client.
import type { DiaryVisit } from '@soigne/contract/diary'
import { useMutation } from '@tanstack/react-query'
import { putVisit, useKeys, useSettled } from '#/diary-changes.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useMoney } from '#/platform/money.ts'
import { parseInstant, timeText } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { askConfirm } from '#/ui/confirms.ts'
import { IconButton } from '#/ui/icon-button.tsx'
import { showToast } from '#/ui/toasts.ts'

/** As long as the visit has not begun and is not paid in full. */
export const mayLoseService = (visit: DiaryVisit, now: number): boolean =>
  visit.segments.length > 1 &&
  (visit.status === 'pending' || visit.status === 'deposit_paid') &&
  !visit.isHeld &&
  !visit.atHome &&
  visit.attendance === 'expected' &&
  parseInstant(visit.startsAt) > now

export type RemoveServiceProps = { visit: DiaryVisit; segment: DiaryVisit['segments'][number]; zone: string }

export function RemoveService({ visit, segment, zone }: RemoveServiceProps) {
  const { t } = useTranslation('diary')
  const money = useMoney()
  const { queries, readAgain } = useSettled()
  const keyOf = useKeys()
  const { position, serviceId, serviceName: service } = segment
  const params = { id: visit._id }
  const look = useMutation({
    mutationFn: () => dashboardApi.diaryServiceRemoval({ params, query: { segment: position, serviceId } }),
    onError: (error) => showToast({ type: 'error', title: failureText(error) }),
  })
  const remove = useMutation({
    mutationFn() {
      const body = { segment: position, serviceId, version: visit.version }
      return dashboardApi.removeDiaryVisitService({ params, body, idempotencyKey: keyOf([visit._id, body]) })
    },
    onSuccess(changed) {
      putVisit(queries, changed)
      showToast({ type: 'success', title: t('removal.done', { service }) })
    },
    onError: (error) => showToast({ type: 'error', title: failureText(error) }),
    onSettled: readAgain,
  })
  async function ask() {
    const { startsAt, endsAt, total, refunded } = await look.mutateAsync()
    const isSure = await askConfirm({
      title: t('removal.title', { service }),
      message: t('removal.message', {
        name: visit.customer.name || t('walkIn'),
        from: timeText(startsAt, zone),
        to: timeText(endsAt, zone),
      }),
      details: (
        <>
          {refunded.amount > 0 && <p className="strong">{t('removal.back', { amount: money(refunded, true) })}</p>}
          <p className={refunded.amount > 0 ? 'small muted' : 'strong'}>{t('removal.total', { amount: money(total, true) })}</p>
        </>
      ),
    })
    if (isSure) remove.mutate()
  }
  return (
    <IconButton
      icon="close"
      iconSize={18}
      label={t('removal.label', { service })}
      disabled={look.isPending || remove.isPending}
      onClick={() => void ask().catch(() => undefined)}
    />
  )
}
