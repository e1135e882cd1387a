// The money of a visit: what was paid, given back and is left, its documents, and paying the rest.
import type { Appointment } from '@soigne/contract/appointments'
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import type { PaymentMethod } from '@soigne/contract/wire'
import { useMutation } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { appointmentPath } from '#/paths.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { failureText } from '#/platform/api-error.ts'
import { useMoney } from '#/platform/money.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { priceOfVisit, usePriceText } from '#/prices.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { lazily } from '#/ui/lazily.tsx'
import { Notice } from '#/ui/notice.tsx'
import { saveFile } from '#/ui/save-file.ts'
import { Segmented } from '#/ui/segmented.tsx'
import { showToast } from '#/ui/toasts.ts'
import { PaymentReturn } from './payment-return.tsx'
import { useVisitPayments } from './use-visit-payments.ts'
import { WayIcon } from './way-icon.tsx'
import styles from './payments.module.css'

/** Most visits have none. */
const VisitFee = lazily(async () => (await import('./visit-fee.tsx')).VisitFee)

type VisitPayments = Answer<Calls['appointmentPayments']>
type VisitProps = { appointment: Appointment }
type MoneyProps = VisitProps & { money: VisitPayments | undefined }

function Payments({ appointment, money: { payments, total } }: VisitProps & { money: VisitPayments }) {
  const { t } = useTranslation('appointments')
  const money = useMoney()
  const times = useTimes()
  return payments.map(({ _id, kind, method, amount, at }) => (
    <li key={_id} className={styles.line}>
      <WayIcon way={method} />
      <span className={styles.what}>
        {t('pay.visit.line', { what: t(`pay.visit.${kind}`), way: t(`pay.ways.${method}`) })}
        <span className="small muted">{times.dayOfInstant(at, appointment.institute.timeZone)}</span>
      </span>
      <bdi className="strong tabular">
        {money({ amount: kind === 'refund' ? -Math.abs(amount) : amount, currency: total.currency }, true)}
      </bdi>
    </li>
  ))
}

/** Of a visit that was cancelled: what did not go back, and why. */
function Stays({ stays: { kept, atSalon } }: { stays: NonNullable<VisitPayments['stays']> }) {
  const { t } = useTranslation('appointments')
  const money = useMoney()
  return (
    <>
      {kept.amount > 0 && <p>{t('pay.visit.kept', { amount: money(kept, true) })}</p>}
      {atSalon.amount > 0 && <p>{t('pay.cancel.atSalon', { amount: money(atSalon, true) })}</p>}
    </>
  )
}

/** What went back nowhere: its institute owes it, or has noted that it gave it back another way; or the bank of its client has it. */
function Refused({ appointment: { institute }, refused }: VisitProps & { refused: NonNullable<VisitPayments['refused']> }) {
  const { t } = useTranslation('appointments')
  const money = useMoney()
  const times = useTimes()
  return refused.map(({ _id, amount, settledAt, isAtBank }) => {
    const words = { amount: money(amount, true), institute: institute.name }
    return (
      <Notice key={_id} tone={settledAt === null && !isAtBank ? 'warning' : 'info'} className={styles.refused}>
        {settledAt === null
          ? t(isAtBank ? 'pay.visit.atBank' : 'pay.visit.refused', words)
          : t('pay.visit.paidOtherwise', { ...words, day: times.dayOfInstant(settledAt, institute.timeZone) })}
      </Notice>
    )
  })
}

/** What is left to pay; all of it while nothing is known of its payments. */
function Left({ appointment, money }: MoneyProps) {
  const { t } = useTranslation('appointments')
  const price = usePriceText()
  const exact = useMoney()
  const { status, payAtSalon } = appointment
  if (status === 'cancelled') return null
  const isBegun = money !== undefined && money.payments.length > 0
  if (isBegun && money.due.amount === 0) return null
  const left = t(payAtSalon ? 'pay.visit.left' : 'pay.visit.leftOnline')
  return (
    <li className={styles.line}>
      <Icon name="cash" size={26} />
      <span className={styles.what}>{isBegun ? left : t(status === 'completed' ? 'paid' : 'toPay')}</span>
      <bdi className="strong tabular">{isBegun ? exact(money.due, true) : price(priceOfVisit(appointment))}</bdi>
    </li>
  )
}

function PayRest({ id, methods }: { id: string; methods: VisitPayments['methods'] }) {
  const { t } = useTranslation('appointments')
  const [wish, setWish] = useState<PaymentMethod | undefined>()
  // The ways may have changed since one was chosen.
  const paymentMethod = wish && methods.includes(wish) ? wish : methods[0]
  const key = useRef<string | null>(null)
  const pay = useMutation({
    mutationFn() {
      key.current ??= crypto.randomUUID()
      return dashboardApi.payVisit({
        params: { id },
        body: { returnTo: appointmentPath(id), ...(paymentMethod && { paymentMethod }) },
        idempotencyKey: key.current,
      })
    },
    onSuccess: ({ payment }) => location.assign(payment.url),
    onError: (error) => showToast({ type: 'error', title: failureText(error) }),
    // Each checkout is one of its own.
    onSettled() {
      key.current = null
    },
  })
  const { reset } = pay
  // The browser's way back from the provider shows the page as it was left.
  useEffect(() => {
    const come = ({ persisted }: PageTransitionEvent) => persisted && reset()
    addEventListener('pageshow', come)
    return () => removeEventListener('pageshow', come)
  }, [reset])
  return (
    <div className={styles.rest}>
      {methods.length > 1 && paymentMethod && (
        <Segmented
          label={t('pay.with')}
          options={methods.map((value) => ({ value, label: t(`pay.ways.${value}`) }))}
          value={paymentMethod}
          onChange={setWish}
        />
      )}
      <Button icon="lock" loading={pay.isPending || pay.isSuccess} onClick={() => pay.mutate()}>
        {t('pay.visit.payRest')}
      </Button>
    </div>
  )
}

function DocumentButton({ visitId, document }: { visitId: string; document: VisitPayments['documents'][number] }) {
  const { t } = useTranslation('appointments')
  const [isComing, setComing] = useState(false)
  async function download() {
    setComing(true)
    try {
      const file = await dashboardApi.appointmentInvoice({ params: { id: visitId }, query: { document: document._id } })
      saveFile(file, `${document.number}.pdf`)
    } catch (error) {
      showToast({ type: 'error', title: t('pay.visit.failed'), line: failureText(error) })
    } finally {
      setComing(false)
    }
  }
  return (
    <Button variant="outline" icon="download" loading={isComing} onClick={() => void download()}>
      {t(document.kind === 'invoice' ? 'pay.visit.invoice' : 'pay.visit.creditNote', { number: document.number })}
    </Button>
  )
}

export function VisitMoney({ appointment }: VisitProps) {
  const { t } = useTranslation('appointments')
  const { data } = useVisitPayments(appointment._id)
  const { status } = appointment
  if (status === 'cancelled' && (!data || (data.payments.length === 0 && data.documents.length === 0 && !data.fee))) return null
  return (
    <section className={styles.money}>
      <h2 className="d4">{t('payment')}</h2>
      <PaymentReturn id={appointment._id} />
      <ul className={styles.lines}>
        {data && <Payments appointment={appointment} money={data} />}
        <Left appointment={appointment} money={data} />
      </ul>
      {data?.stays && <Stays stays={data.stays} />}
      {data?.refused && <Refused appointment={appointment} refused={data.refused} />}
      {data && (data.fee || data.feeTerms) && (
        <Suspense>
          <VisitFee appointment={appointment} money={data} />
        </Suspense>
      )}
      {data && (data.payOnline || data.documents.length > 0) && (
        <div className={styles.documents}>
          {data.payOnline && <PayRest id={appointment._id} methods={data.methods} />}
          {data.documents.map((document) => (
            <DocumentButton key={document._id} visitId={appointment._id} document={document} />
          ))}
        </div>
      )}
    </section>
  )
}
