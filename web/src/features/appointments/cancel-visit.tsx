// Letting a visit go, after the page's one question has said what it costs.
import type { Appointment } from '@soigne/contract/appointments'
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { Suspense, useState } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { failureText, refusalCode } from '#/platform/api-error.ts'
import { useMoney } from '#/platform/money.ts'
import { Button } from '#/ui/button.tsx'
import { askConfirm } from '#/ui/confirms.ts'
import { lazily } from '#/ui/lazily.tsx'
import { showToast } from '#/ui/toasts.ts'
import { useCancel } from './use-visit-change.ts'
import { NeededBy } from './visit-terms.tsx'
import { useVisitTexts } from './visit-texts.ts'
import styles from './visit-detail.module.css'

/** Most cancellations cost nothing. */
const ChargedLine = lazily(async () => (await import('#/charged-line.tsx')).ChargedLine)

type Sums = NonNullable<Answer<Calls['appointmentPayments']>['ifCancelled']>

/** What becomes of what was paid, or that nothing is to be paid. */
function CancelSums({ appointment, sums }: { appointment: Appointment; sums: Sums | null | undefined }) {
  const { t } = useTranslation('appointments')
  const money = useMoney()
  const { refunded, kept, charged, atBank, atSalon, sessions } = sums ?? {}
  const isCharged = charged !== undefined && charged.amount > 0
  const isPaid = isCharged || (refunded?.amount ?? 0) + (kept?.amount ?? 0) > 0
  const institute = appointment.institute.name
  return (
    <>
      {refunded && refunded.amount > 0 && <p className="strong">{t('pay.cancel.back', { amount: money(refunded, true) })}</p>}
      {atBank && <p className="strong">{t('pay.cancel.atBank', { amount: money(atBank, true), institute })}</p>}
      {kept && kept.amount > 0 && <p className="strong">{t('pay.cancel.kept', { amount: money(kept, true) })}</p>}
      {isCharged && (
        <Suspense>
          <ChargedLine amount={charged} />
        </Suspense>
      )}
      {atSalon && <p className="strong">{t('pay.cancel.atSalon', { amount: money(atSalon, true) })}</p>}
      {sessions && <p className="strong">{t(sessions === 'back' ? 'packages.cancelBack' : 'packages.cancelGone')}</p>}
      {!isPaid && !atBank && !atSalon && sessions !== 'gone' && (
        <p className="strong">{t('cancel.costs', { amount: money({ amount: 0, currency: appointment.total.currency }) })}</p>
      )}
    </>
  )
}

export type CancelVisitProps = {
  appointment: Appointment
  /** What would go back, is kept and is charged, as the server reckons it now; nothing where it does not say. */
  sums: () => Promise<Sums | null | undefined>
  /** It is being cancelled: nothing else of it can be changed meanwhile. */
  onStart: () => void
  onDone: () => void
  onTooLate: () => void
}

export function CancelVisit({ appointment, sums, onStart, onDone, onTooLate }: CancelVisitProps) {
  const { t } = useTranslation('appointments')
  const [isAsking, setAsking] = useState(false)
  const texts = useVisitTexts()
  const cancel = useCancel(appointment._id)
  const { institute, terms, startsAt } = appointment
  const { timeZone } = institute

  async function ask() {
    setAsking(true)
    const found = await sums()
    setAsking(false)
    const isSure = await askConfirm({
      title: t('cancel.title'),
      message: t('cancel.message', {
        when: texts.whenInside(startsAt, timeZone),
        services: texts.services(appointment),
        name: institute.name,
      }),
      details: (
        <>
          <NeededBy appointment={appointment} />
          <CancelSums appointment={appointment} sums={found} />
          {terms.freeUntil && <p className="small muted">{texts.until('free', terms.freeUntil, timeZone)}</p>}
        </>
      ),
    })
    if (!isSure) return
    onStart()
    cancel.mutate(undefined, {
      onSuccess() {
        showToast({ type: 'success', title: t('cancel.done'), line: t('cancel.doneLine') })
        onDone()
      },
      onError(error) {
        if (refusalCode(error) === 'too_late') onTooLate()
        else showToast({ type: 'error', title: failureText(error) })
      },
    })
  }
  return (
    <Button variant="text" loading={isAsking || cancel.isPending} onClick={() => void ask()} className={styles.letGo}>
      {t('cancel.action')}
    </Button>
  )
}
