// Payments that clients dispute at their bank: how much and why, until when to answer, and what the bank decided.
import type { Dispute } from '@soigne/contract/payments'
import { useId } from 'react'
import { Link } from 'react-router'
import { salePath } from '#/dashboard-paths.ts'
import { useMoney } from '#/platform/money.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import styles from './refused-refunds.module.css'

type Shown = {
  timeZone: string
  /** Each leads to its sale, where it has one. */
  leads?: boolean
}

function Row({ dispute, timeZone, leads }: Shown & { dispute: Dispute }) {
  const { t } = useTranslation('sales')
  const money = useMoney()
  const times = useTimes()
  const { amount, client, saleId, state, why, openedAt, answerBy, endedAt } = dispute
  const momentOf = (instant: string) => ({ day: times.dayOfInstant(instant, timeZone), time: times.time(instant, timeZone) })
  const line = t('disputed.line', { amount: money(amount, true), client: client ?? t('disputed.aClient') })
  return (
    <li>
      <p className="strong">
        {leads && saleId !== null ? (
          <Link to={salePath(saleId)} className="link">
            {line}
          </Link>
        ) : (
          line
        )}
      </p>
      <p className="small">{t(`disputed.why.${why ?? 'unknown'}`)}</p>
      {state === 'open' ? (
        <>
          <p className="small">{t('disputed.open')}</p>
          {answerBy !== null && <p className="small">{t('disputed.answerBy', momentOf(answerBy))}</p>}
        </>
      ) : (
        endedAt !== null && <p className="small">{t(`disputed.${state}`, momentOf(endedAt))}</p>
      )}
      <p className="small muted">{t('disputed.openedAt', momentOf(openedAt))}</p>
    </li>
  )
}

export function Disputes({ disputes, ...shown }: Shown & { disputes: readonly Dispute[] }) {
  const { t } = useTranslation('sales')
  const title = useId()
  if (disputes.length === 0) return null
  return (
    <section aria-labelledby={title} className={disputes.some(({ state }) => state === 'open') ? styles.waits : styles.settled}>
      <h2 id={title} className="d4">
        {t('disputed.title', { count: disputes.length })}
      </h2>
      <ul>
        {disputes.map((dispute) => (
          <Row key={dispute._id} dispute={dispute} {...shown} />
        ))}
      </ul>
    </section>
  )
}
