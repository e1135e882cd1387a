// The lines of a sale with their VAT, and what they come to.
import type { Sale } from '@soigne/contract/sales'
import { useState } from 'react'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useMoney } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { saveFile } from '#/ui/save-file.ts'
import { showToast } from '#/ui/toasts.ts'
import styles from './sale.module.css'

type Line = Sale['lines'][number]

function useAmounts(sale: Sale) {
  const money = useMoney()
  return (amount: number) => money({ amount, currency: sale.currency }, true)
}

/** A card is handed to whoever gets it, and can be printed again. */
function PrintCard({ id }: { id: string }) {
  const { t } = useTranslation('sales')
  const [isPending, setPending] = useState(false)
  async function save() {
    setPending(true)
    try {
      saveFile(await dashboardApi.giftCardPdf({ params: { id } }), `${t('sale.giftCardFile')}.pdf`)
    } catch (error) {
      showToast({ type: 'error', title: failureText(error) })
    } finally {
      setPending(false)
    }
  }
  return (
    <Button variant="text" size="small" icon="download" loading={isPending} onClick={() => void save()}>
      {t('sale.printCard')}
    </Button>
  )
}

function LineRow({ line, sale }: { line: Line; sale: Sale }) {
  const { t } = useTranslation('sales')
  const text = useAmounts(sale)
  const isAllBack = line.refunded > 0 && line.refunded >= line.amount
  return (
    <tr className={isAllBack ? styles.back : undefined}>
      <th scope="row">
        <span className={styles.lineName}>
          <bdi>{line.quantity > 1 ? t('sale.times', { name: line.name, quantity: line.quantity }) : line.name}</bdi>
          {line.refunded > 0 && (
            <span className={styles.tag}>
              <Icon name="repeat" size={14} />
              {isAllBack ? t('refunded') : t('sale.partBack', { amount: text(line.refunded) })}
            </span>
          )}
          {line.fromPackage && <span className={styles.tag}>{t('sale.fromPackage')}</span>}
          {line.spent > 0 && <span className={styles.tag}>{t('sale.spent', { amount: text(line.spent) })}</span>}
          {line.giftCardId !== null && !isAllBack && <PrintCard id={line.giftCardId} />}
        </span>
      </th>
      <td>
        <bdi>{line.staffName}</bdi>
      </td>
      <td className={styles.vat}>
        <bdi>{text(line.vat)}</bdi>
      </td>
      <td className={styles.amount}>
        {isAllBack ? (
          <del>
            <bdi>{text(line.amount)}</bdi>
          </del>
        ) : (
          <bdi>{text(line.amount)}</bdi>
        )}
      </td>
    </tr>
  )
}

/** What it comes to: the lines, what went back, what stays; and what is still to pay. */
function Sums({ sale }: { sale: Sale }) {
  const { t } = useTranslation('sales')
  const text = useAmounts(sale)
  const notes = sale.documents.filter(({ kind }) => kind === 'credit_note')
  const isInvoiced = sale.number !== null
  const back = notes.reduce((sum, { total }) => sum - total, 0)
  return (
    <div className={styles.sums}>
      <p>
        <span>{t(isInvoiced ? 'sale.invoiceVat' : 'sale.totalVat', { vat: text(sale.vat.amount) })}</span>
        <bdi className="strong">{text(sale.total.amount)}</bdi>
      </p>
      {notes.map((note) => (
        <p key={note._id} className={styles.bad}>
          <span>{t('sale.creditNote', { number: note.number })}</span>
          <bdi className="strong">{text(note.total)}</bdi>
        </p>
      ))}
      {sale.tips.map(({ staffId, staffName, amount }) => (
        <p key={staffId} className="muted">
          <span>{t('sale.tipFor', { name: staffName })}</span>
          <bdi>{text(amount)}</bdi>
        </p>
      ))}
      {isInvoiced || sale.status === 'cancelled' ? (
        <p className={styles.kept}>
          <span className="strong">{t(notes.length > 0 ? 'sale.kept' : 'sale.paid')}</span>
          <bdi className={`time ${styles.big}`}>{text(isInvoiced ? sale.total.amount - back : sale.paid.amount)}</bdi>
        </p>
      ) : (
        <>
          {sale.paid.amount > 0 && (
            <p className="muted">
              <span>{t('sale.paid')}</span>
              <bdi>{text(-sale.paid.amount)}</bdi>
            </p>
          )}
          <p className={styles.kept}>
            <span className="strong">{t('totals.due')}</span>
            <bdi className={`time ${styles.big}`}>{text(sale.due.amount)}</bdi>
          </p>
        </>
      )}
    </div>
  )
}

export function SaleLines({ sale }: { sale: Sale }) {
  const { t } = useTranslation('sales')
  return (
    <section className={styles.lines} aria-label={t('sale.lines')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('sale.line')}</th>
            <th scope="col">{t('columns.staff')}</th>
            <th scope="col" className={styles.vat}>
              {t('sale.vat')}
            </th>
            <th scope="col" className={styles.amount}>
              {t('columns.amount')}
            </th>
          </tr>
        </thead>
        <tbody>
          {sale.lines.map((line) => (
            <LineRow key={line._id} line={line} sale={sale} />
          ))}
        </tbody>
      </table>
      <Sums sale={sale} />
    </section>
  )
}
