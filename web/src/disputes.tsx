// Payments that clients dispute at their bank: how much and why, until when to answer, and what the bank decided.
import type { Dispute } from '@soigne/contract/payments'
import { useMoney } from '#/platform/money.ts'
import { type DayStyle, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { PaymentIssueLine, type PaymentIssueProps, PaymentIssues } from './payment-issues.tsx'

function Row({ dispute, timeZone, leads }: PaymentIssueProps & { dispute: Dispute }) {
  const { t } = useTranslation('sales')
  const money = useMoney()
  const times = useTimes()
  const { amount, client, saleId, state, why, openedAt, answerBy, endedAt } = dispute
  const momentOf = (instant: string, style?: DayStyle) => ({
    day: times.dayOfInstant(instant, timeZone, style),
    time: times.time(instant, timeZone),
  })
  return (
    <li>
      <PaymentIssueLine saleId={saleId} leads={leads}>
        {t('disputed.line', { amount: money(amount, true), client: client ?? t('disputed.aClient') })}
      </PaymentIssueLine>
      <p className="small">{t(`disputed.why.${why ?? 'unknown'}`)}</p>
      {state === 'open' ? (
        <>
          <p className="small">{t('disputed.open')}</p>
          {answerBy !== null && <p className="small">{t('disputed.answerBy', momentOf(answerBy, 'date'))}</p>}
        </>
      ) : (
        endedAt !== null && <p className="small">{t(`disputed.${state}`, momentOf(endedAt))}</p>
      )}
      <p className="small muted">{t('disputed.openedAt', momentOf(openedAt))}</p>
    </li>
  )
}

export function Disputes({ disputes, ...shown }: PaymentIssueProps & { disputes: readonly Dispute[] }) {
  const { t } = useTranslation('sales')
  if (disputes.length === 0) return null
  return (
    <PaymentIssues title={t('disputed.title', { count: disputes.length })} waits={disputes.some(({ state }) => state === 'open')}>
      {disputes.map((dispute) => (
        <Row key={dispute._id} dispute={dispute} {...shown} />
      ))}
    </PaymentIssues>
  )
}
