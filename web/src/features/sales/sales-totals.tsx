// What a period comes to, in four figures, and what was invoiced in it: the sums of the file for the accountant.
import { useList } from '#/platform/lists.ts'
import { useMoney } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'
import type { Asking, Sales } from './use-sales.ts'
import styles from './sales.module.css'

function Invoiced({ invoiced, currency }: { invoiced: NonNullable<Sales['totals']['invoiced']>; currency: string }) {
  const { t } = useTranslation('sales')
  const list = useList()
  const money = useMoney()
  const { invoices, creditNotes, gross, vat } = invoiced
  const text = (amount: number) => money({ amount, currency }, true)
  const documents = [t('till.invoices', { count: invoices }), ...(creditNotes > 0 ? [t('totals.notes', { count: creditNotes })] : [])]
  return (
    <p className={`small muted ${styles.invoiced}`}>
      {t('totals.invoiced', { gross: text(gross), vat: text(vat), net: text(gross - vat), documents: list(documents) })}
    </p>
  )
}

export function SalesTotals({ totals, period }: { totals: Sales['totals']; period: Asking['asked']['period'] }) {
  const { t } = useTranslation('sales')
  const money = useMoney()
  const { taken, refunded, payments, before, tips, due, cancelled, invoiced } = totals
  const { currency } = taken
  // What went back is in what was taken, not in what a client pays on average.
  const average = payments > 0 ? Math.round((taken.amount + refunded.amount) / payments) : null
  const count = t('totals.payments', { count: payments })
  const figures = [
    {
      name: t('totals.taken'),
      value: money(taken, true),
      line:
        before === null
          ? count
          : t('totals.compared', { payments: count, before: t(`totals.before.${period}`, { amount: money(before, true) }) }),
    },
    { name: t('totals.due'), value: money(due, true), line: t('totals.dueLine') },
    {
      name: t('totals.average'),
      value: average === null ? t('none') : money({ amount: average, currency }, true),
      line: t('totals.tips', { amount: money(tips, true) }),
    },
    {
      name: t('totals.cancelled'),
      value: money({ amount: cancelled.amount, currency }, true),
      line: t('totals.visits', { count: cancelled.visits }),
    },
  ]
  return (
    <>
      <dl className={styles.totals}>
        {figures.map(({ name, value, line }) => (
          <div key={name}>
            <dt className="small muted">{name}</dt>
            <dd className={`time ${styles.figure}`}>
              <bdi>{value}</bdi>
            </dd>
            <dd className="small muted">{line}</dd>
          </div>
        ))}
      </dl>
      {invoiced && invoiced.invoices + invoiced.creditNotes > 0 && <Invoiced invoiced={invoiced} currency={currency} />}
    </>
  )
}
