// Giving money back: which lines, how much of each, why, and which way it goes. A refusal loses nothing that was typed.
import type { Sale, SaleMethod } from '@soigne/contract/sales'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState, type FormEvent } from 'react'
import { AmountField } from '#/amount-field.tsx'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { useKeys, type BodyOf } from '#/diary-changes.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useMoney } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Checkbox } from '#/ui/checkbox.tsx'
import { Modal } from '#/ui/modal.tsx'
import { Notice } from '#/ui/notice.tsx'
import { SelectField } from '#/ui/select-field.tsx'
import { TextArea } from '#/ui/text-area.tsx'
import { showToast } from '#/ui/toasts.ts'
import styles from './sale.module.css'

/** What of each line goes back, by its id; a line that is not named keeps its money. */
type Chosen = Readonly<Record<string, number | null>>

/** A discount goes back with the services it was given on, by their part of all of them; as the server reckons it. */
function discountBack({ lines }: Sale, chosen: Chosen): number {
  const discount = lines.find(({ kind }) => kind === 'discount')
  const services = lines.filter(({ kind }) => kind === 'service')
  const all = services.reduce((sum, { amount }) => sum + amount, 0)
  const before = services.reduce((sum, { refunded }) => sum + refunded, 0)
  const now = services.reduce((sum, { _id }) => sum + (chosen[_id] ?? 0), 0)
  return discount && all > 0 && now > 0 ? Math.round((-discount.amount * (before + now)) / all) + discount.refunded : 0
}

/** The way it came last, and over the counter. */
const waysOf = ({ methods }: Sale): SaleMethod[] => [...new Set<SaleMethod>([...methods.toReversed(), 'terminal', 'cash'])]

function useRefund(sale: Sale, onClose: () => void) {
  const { t } = useTranslation('sales')
  const queries = useQueryClient()
  const keyOf = useKeys()
  const isSent = useRef(false)
  const refund = useMutation({
    mutationFn: (body: BodyOf<'refundSale'>) => dashboardApi.refundSale({ params: { id: sale._id }, body, idempotencyKey: keyOf(body) }),
    onSuccess: (changed) => {
      queries.setQueryData(dashboardKeys.sales.one(sale._id), changed)
      showToast({ type: 'success', title: t('refund.done', { number: changed.documents.at(-1)?.number ?? '' }) })
      onClose()
    },
    // What is left of a line may be another amount meanwhile.
    onSettled: () => queries.invalidateQueries({ queryKey: dashboardKeys.sales.all }),
  })
  return {
    error: refund.error,
    isPending: refund.isPending,
    /** A second press may come before the first is drawn as under way. */
    send(body: BodyOf<'refundSale'>) {
      if (isSent.current) return
      isSent.current = true
      refund.mutate(body, { onSettled: () => (isSent.current = false) })
    },
  }
}

const leftOf = ({ amount, refunded, spent }: Sale['lines'][number]): number => amount - refunded - spent

type LinesProps = { sale: Sale; chosen: Chosen; onChange: (chosen: Chosen) => void }

function LineChoice({ sale, chosen, onChange }: LinesProps) {
  const { t } = useTranslation('sales')
  const money = useMoney()
  const open = sale.lines.filter((line) => line.fromPackage || leftOf(line) > 0)
  return (
    <fieldset className={styles.choice}>
      <legend className="label-heading">{t('refund.lines')}</legend>
      {open.map((line) => {
        const left = leftOf(line)
        // Sessions go back whole.
        const isWhole = line.fromPackage || line.kind === 'package'
        const isChosen = line._id in chosen
        const value = chosen[line._id] ?? null
        const text = money({ amount: left, currency: sale.currency }, true)
        const { [line._id]: _left, ...others } = chosen
        return (
          <div key={line._id} className={styles.chosen}>
            <Checkbox
              label={<bdi>{line.name}</bdi>}
              checked={isChosen}
              onChange={() => onChange(isChosen ? others : { ...chosen, [line._id]: left })}
            />
            {isChosen && !isWhole ? (
              <AmountField
                label={t('refund.amountOf', { name: line.name })}
                labelHidden
                currency={sale.currency}
                value={value}
                onChange={(amount) => onChange({ ...chosen, [line._id]: amount })}
                {...((value === null || value < 1 || value > left) && { error: t('refund.most', { amount: text }) })}
              />
            ) : (
              <bdi className="tabular">{line.fromPackage ? '' : text}</bdi>
            )}
          </div>
        )
      })}
    </fieldset>
  )
}

function isWithin(sale: Sale, chosen: Chosen): boolean {
  const ids = Object.keys(chosen)
  return (
    ids.length > 0 &&
    ids.every((id) => {
      const line = sale.lines.find(({ _id }) => _id === id)
      const amount = chosen[id] ?? 0
      return line !== undefined && (line.fromPackage || (amount >= 1 && amount <= leftOf(line)))
    })
  )
}

function Reason({ value, onChange }: { value: string; onChange: (reason: string) => void }) {
  const { t } = useTranslation('sales')
  return (
    <TextArea
      label={t('refund.reason')}
      hint={t('refund.reasonHint')}
      rows={2}
      maxLength={300}
      required
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

export function RefundDialog({ sale, onClose }: { sale: Sale; onClose: () => void }) {
  const { t } = useTranslation('sales')
  const money = useMoney()
  const title = useId()
  const [chosen, setChosen] = useState<Chosen>({})
  const [reason, setReason] = useState('')
  const ways = waysOf(sale)
  const [method, setMethod] = useState<SaleMethod>(ways[0] ?? 'cash')
  const refund = useRefund(sale, onClose)
  const discount = discountBack(sale, chosen)
  const sum = Object.values(chosen).reduce<number>((all, amount) => all + (amount ?? 0), 0) - discount
  const text = (amount: number) => money({ amount, currency: sale.currency }, true)
  const isReady = isWithin(sale, chosen) && reason.trim() !== ''
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isReady) return
    // All that is left of a line goes without an amount: a product of it is then back on the shelf.
    const lines = Object.entries(chosen).map(([_id, amount]) => {
      const line = sale.lines.find((one) => one._id === _id)
      return line && amount !== null && amount < leftOf(line) ? { _id, amount } : { _id }
    })
    refund.send({ lines, reason: reason.trim(), method })
  }
  return (
    <Modal open onClose={onClose} labelledBy={title} placement="sheet" className={styles.dialog}>
      <h2 id={title} className="d3">
        {t('refund.title')}
      </h2>
      <p className="muted">{t('refund.text')}</p>
      <form className={styles.form} onSubmit={submit}>
        <LineChoice sale={sale} chosen={chosen} onChange={setChosen} />
        {discount > 0 && <p className="small muted">{t('refund.discount', { amount: text(-discount) })}</p>}
        {sale.lines.some(({ _id, fromPackage }) => fromPackage && _id in chosen) && <p className="small muted">{t('refund.session')}</p>}
        {sale.methods.includes('gift_card') && <p className="small muted">{t('refund.ontoCard')}</p>}
        <Reason value={reason} onChange={setReason} />
        <SelectField
          label={t('refund.way')}
          value={method}
          options={ways.map((value) => ({ value, label: t(`methods.${value}`) }))}
          onChange={({ target }) => setMethod(ways.find((one) => one === target.value) ?? method)}
        />
        {refund.error && (
          <Notice tone="error" announce>
            {failureText(refund.error)}
          </Notice>
        )}
        <div className={styles.actions}>
          <Button variant="text" onClick={onClose}>
            {t('refund.leave')}
          </Button>
          <Button type="submit" variant="danger" disabled={!isReady} loading={refund.isPending}>
            {sum > 0 ? t('refund.send', { amount: text(sum) }) : t('refund.open')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
