// What happened to the money of a sale, in order: payments, documents, and what went back.
import type { Sale } from '@soigne/contract/sales'
import { useMoney } from '#/platform/money.ts'
import { parseInstant, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import type { IconName } from '#/theme/icons/interface-icons.ts'
import styles from './sale.module.css'

type Step = { id: string; at: string; title: string; line: string | null; icon: IconName; tone: 'ok' | 'bad' | 'quiet' }

function useSteps(sale: Sale): Step[] {
  const { t } = useTranslation('sales')
  const money = useMoney()
  const whoAndHow = (how: string, by: string | null) => (by === null ? how : t('sale.howBy', { how, name: by }))
  const payments = sale.payments.map(({ _id, at, kind, amount, method, by }): Step => {
    const isBack = kind === 'refund'
    const text = money({ amount: Math.abs(amount), currency: sale.currency }, true)
    return {
      id: _id,
      at,
      title: t(`sale.payments.${kind}`, { amount: text }),
      line: whoAndHow(t(`methods.${method}`), by),
      icon: isBack ? 'repeat' : 'check',
      tone: isBack ? 'bad' : 'ok',
    }
  })
  const documents = sale.documents.map(({ _id, issuedAt, kind, number, by }): Step => ({
    id: _id,
    at: issuedAt,
    title: t(`sale.documents.${kind}`, { number }),
    line: by === null ? null : t('sale.by', { name: by }),
    icon: 'receipt',
    tone: 'quiet',
  }))
  return [...payments, ...documents].toSorted((one, other) => parseInstant(one.at) - parseInstant(other.at))
}

export function SaleMoney({ sale }: { sale: Sale }) {
  const { t } = useTranslation('sales')
  const times = useTimes()
  const steps = useSteps(sale)
  return (
    <section aria-labelledby="money">
      <h2 id="money" className="d4">
        {t('sale.money')}
      </h2>
      {steps.length === 0 && <p className="muted">{t('sale.noMoney')}</p>}
      <ol className={styles.steps}>
        {steps.map(({ id, at, title, line, icon, tone }) => (
          <li key={id} className={styles[tone]}>
            <span className={styles.mark}>
              <Icon name={icon} size={18} />
            </span>
            <span className={styles.step}>
              <span className="strong">{title}</span>
              {line !== null && <span className="small muted">{line}</span>}
            </span>
            <bdi className="small muted nowrap">
              {t('moment', { day: times.dayOfInstant(at, sale.timeZone), time: times.time(at, sale.timeZone) })}
            </bdi>
          </li>
        ))}
      </ol>
    </section>
  )
}
