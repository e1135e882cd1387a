// The credit notes of a sale, each with a number of its own: the invoice itself never changes.
import type { Sale } from '@soigne/contract/sales'
import { useMoney } from '#/platform/money.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { usePdf } from './use-pdf.ts'
import styles from './sale.module.css'

function CreditNote({ note, sale }: { note: Sale['documents'][number]; sale: Sale }) {
  const { t } = useTranslation('sales')
  const money = useMoney()
  const times = useTimes()
  const pdf = usePdf(sale)
  const text = (amount: number) => money({ amount, currency: sale.currency }, true)
  const day = times.dayOfInstant(note.issuedAt, sale.timeZone)
  return (
    <section className={styles.note} aria-label={t('sale.creditNote', { number: note.number })}>
      <header>
        <p>
          <span className="small">{t('sale.note')}</span>
          <bdi dir="ltr" className="d4">
            {note.number}
          </bdi>
        </p>
        <Icon name="repeat" size={22} />
      </header>
      <ul>
        {note.lines.map((line) => (
          <li key={line._id}>
            <bdi>{line.name}</bdi>
            <bdi className="strong">{text(line.amount)}</bdi>
          </li>
        ))}
        <li className="small muted">
          <span>{t('sale.ofWhichVat')}</span>
          <bdi>{text(note.vat)}</bdi>
        </li>
      </ul>
      <div className={styles.reason}>
        {note.reason && <p dir="auto">{t('sale.reason', { reason: note.reason })}</p>}
        <p>{note.by === null ? t('sale.noteOn', { day }) : t('sale.noteBy', { name: note.by, day })}</p>
        <p>{t('sale.neverChanges')}</p>
      </div>
      <Button variant="outline" size="small" icon="download" loading={pdf.isPending} onClick={() => pdf.save(note)}>
        {t('sale.pdf')}
      </Button>
    </section>
  )
}

export function CreditNotes({ sale }: { sale: Sale }) {
  return sale.documents.filter(({ kind }) => kind === 'credit_note').map((note) => <CreditNote key={note._id} note={note} sale={sale} />)
}
