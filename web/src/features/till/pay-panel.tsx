// What it comes to and how it is taken: the sum large, the ways to pay, and one button that says both.
import type { CounterMethod, SaleMethod } from '@soigne/contract/sales'
import { AmountField } from '#/amount-field.tsx'
import { failureText } from '#/platform/api-error.ts'
import { useMoney } from '#/platform/money.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { BottomBar } from '#/ui/bottom-bar.tsx'
import { Button } from '#/ui/button.tsx'
import { Notice } from '#/ui/notice.tsx'
import { OptionCard } from '#/ui/option-card.tsx'
import { Segmented } from '#/ui/segmented.tsx'
import { cashOf, paymentsOf } from './reckoning.ts'
import type { TillProps } from './use-till.ts'
import { CardPart, UsedCards } from './vouchers/card-part.tsx'
import styles from './till.module.css'

const methods = ['terminal', 'cash'] as const satisfies readonly CounterMethod[]
const other = (method: CounterMethod): CounterMethod => (method === 'cash' ? 'terminal' : 'cash')

function useText({ data }: Pick<TillProps, 'data'>) {
  const money = useMoney()
  return (amount: number): string => money({ amount, currency: data.currency }, true)
}

/** Each payment from before; where they are not known, their sum. */
function Before({ till, data }: TillProps) {
  const { t } = useTranslation('till')
  const text = useText({ data })
  const times = useTimes()
  const { paid } = till.sums
  const before = data.sale?.payments.filter(({ kind }) => kind !== 'refund') ?? []
  const isWhole = before.reduce((sum, { amount }) => sum + amount, 0) === paid
  if (paid === 0) return null
  const rows = isWhole
    ? before.map(({ _id, kind, method, amount, at }) => ({
        id: _id,
        name: t(`before.${kind === 'deposit' ? 'deposit' : 'payment'}`, {
          method: t(`ways.${method as SaleMethod}`),
          day: times.dayOfInstant(at, data.timeZone),
        }),
        amount,
      }))
    : [{ id: 'before', name: t('before.all'), amount: paid }]
  return rows.map(({ id, name, amount }) => (
    <p key={id} className="muted">
      <span>{name}</span>
      <bdi>{text(-amount)}</bdi>
    </p>
  ))
}

function Sums({ till, data }: TillProps) {
  const { t } = useTranslation('till')
  const text = useText({ data })
  const { sums, due } = till
  return (
    <div className={styles.sums}>
      <p>
        <span>{t('sums.goods')}</span>
        <bdi>{text(sums.goods)}</bdi>
      </p>
      {sums.discount > 0 && (
        <p>
          <span>{t('discount.title')}</span>
          <bdi>{text(-sums.discount)}</bdi>
        </p>
      )}
      {sums.tip > 0 && (
        <p>
          <span>{t('sums.tip')}</span>
          <bdi>{text(sums.tip)}</bdi>
        </p>
      )}
      <Before till={till} data={data} />
      <UsedCards till={till} data={data} />
      <div className={styles.due} role="status">
        <p className="small muted">{t('sums.due')}</p>
        <p className={styles.big}>
          <bdi>{text(due)}</bdi>
        </p>
      </div>
    </div>
  )
}

function InTwo({ till, data }: TillProps) {
  const { t } = useTranslation('till')
  const text = useText({ data })
  const { pays, setPays, due } = till
  const { split } = pays
  return (
    split && (
      <div className={styles.split}>
        <Segmented
          label={t('pay.first')}
          value={pays.first}
          options={methods.map((value) => ({ value, label: t(`ways.${value}`) }))}
          onChange={(first) => setPays({ ...pays, first })}
        />
        <AmountField
          label={t('pay.firstAmount')}
          currency={data.currency}
          value={split.amount}
          onChange={(amount) => setPays({ ...pays, split: { ...split, amount } })}
        />
        <Segmented
          label={t('pay.second')}
          value={split.second}
          options={methods.map((value) => ({ value, label: t(`ways.${value}`) }))}
          onChange={(second) => setPays({ ...pays, split: { ...split, second } })}
        />
        <p className={styles.rest}>
          <span className="muted">{t('pay.rest')}</span>
          <bdi className="strong tabular">{text(Math.max(0, due - (split.amount ?? 0)))}</bdi>
        </p>
        <Button variant="text" size="small" onClick={() => setPays({ ...pays, split: null })}>
          {t('pay.together')}
        </Button>
      </div>
    )
  )
}

function Methods({ till, data }: TillProps) {
  const { t } = useTranslation('till')
  const { pays, setPays } = till
  if (pays.split) return <InTwo till={till} data={data} />
  return (
    <>
      <div className={styles.methods} role="radiogroup" aria-label={t('pay.label')}>
        {methods.map((method) => (
          <OptionCard
            key={method}
            type="radio"
            name="method"
            layout="stack"
            value={method}
            checked={pays.first === method}
            onChange={() => setPays({ ...pays, first: method })}
            start={<Icon name={method === 'cash' ? 'cash' : 'card'} size={26} />}
            title={t(`ways.${method}`)}
            description={t(`pay.${method}`)}
          />
        ))}
      </div>
      <Button
        variant="text"
        size="small"
        icon="plus"
        className={styles.splitter}
        onClick={() => setPays({ ...pays, split: { amount: null, second: other(pays.first) } })}
      >
        {t('pay.split')}
      </Button>
    </>
  )
}

/** What the client put on the counter, and what they get back. */
function Given({ till, data }: TillProps) {
  const { t } = useTranslation('till')
  const text = useText({ data })
  const { pays, setPays } = till
  const cash = cashOf(paymentsOf(pays, till.due) ?? [])
  if (cash === 0) return null
  const change = pays.given === null ? null : pays.given - cash
  return (
    <div className={styles.given}>
      <AmountField
        label={t('pay.given')}
        labelEnd={t('optional')}
        currency={data.currency}
        value={pays.given}
        onChange={(given) => setPays({ ...pays, given })}
        {...(change !== null && change < 0 && { error: t('pay.short', { amount: text(-change) }) })}
      />
      {change !== null && change >= 0 && (
        <p role="status" className={styles.change}>
          <span className="muted">{t('pay.change')}</span>
          <bdi className="time">{text(change)}</bdi>
        </p>
      )}
    </div>
  )
}

function Refusal({ till, data }: TillProps) {
  const { t } = useTranslation('till')
  const text = useText({ data })
  if (!till.error) return null
  if (till.toldDue !== null)
    return (
      <Notice tone="warning" announce title={t('differs.title')}>
        {t('differs.text', { amount: text(till.toldDue) })}
      </Notice>
    )
  return (
    <Notice tone="error" announce title={t('notTaken')}>
      {failureText(till.error)}
    </Notice>
  )
}

function useLabel(props: TillProps): string {
  const { t } = useTranslation('till')
  const text = useText(props)
  const { pays, due } = props.till
  if (due <= 0) return t(props.till.cards.some((card) => card.amount > 0) ? 'take.giftCard' : 'take.nothing')
  const [first, second] = paymentsOf(pays, due) ?? []
  const amount = text(due)
  if (pays.split && first?.method !== second?.method) return t('take.two', { amount })
  return t(`take.${first?.method ?? pays.first}`, { amount })
}

export function PayPanel(props: TillProps) {
  const { t } = useTranslation('till')
  const { till } = props
  const label = useLabel(props)
  return (
    <div className={styles.panel}>
      <Sums {...props} />
      {till.due > 0 && (
        <>
          <Methods {...props} />
          <Given {...props} />
        </>
      )}
      <CardPart {...props} />
      <Refusal {...props} />
      <div className={styles.take}>
        <Button size="large" wide disabled={till.problem !== null} loading={till.isPending} onClick={till.send}>
          {label}
        </Button>
      </div>
      <p className="small muted">{t(till.problem ? `problems.${till.problem}` : 'after')}</p>
    </div>
  )
}

/** In reach at the bottom where the panel is below everything. */
export function PayBar(props: TillProps) {
  const { t } = useTranslation('till')
  const text = useText(props)
  const { till } = props
  return (
    <BottomBar
      title={<bdi className="strong">{text(till.due)}</bdi>}
      line={t(till.problem ? `problems.${till.problem}` : `ways.${till.pays.first}`)}
      action={
        <Button disabled={till.problem !== null} loading={till.isPending} onClick={till.send}>
          {t('take.short')}
        </Button>
      }
    />
  )
}
