// A tip, and who gets what of it.
import { AmountField } from '#/amount-field.tsx'
import { percentOf } from '#/amounts.ts'
import { useMoney } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'
import { FaceImage } from '#/ui/face-image.tsx'
import { SelectField } from '#/ui/select-field.tsx'
import { FilterChip } from '#/ui/tag.tsx'
import { sharesOf, tipSteps, workOf } from './reckoning.ts'
import type { TillProps } from './use-till.ts'
import styles from './till.module.css'

const usual = [5, 10] as const

function Amounts({ till, data }: TillProps) {
  const { t } = useTranslation('till')
  const money = useMoney()
  const { tip, setTip, sums } = till
  return (
    <>
      <div className={styles.chips} role="group" aria-label={t('tip.title')}>
        <FilterChip selected={tip.kind === 'none'} onClick={() => setTip({ kind: 'none' })}>
          {t('tip.none')}
        </FilterChip>
        {usual.map((percent) => (
          <FilterChip
            key={percent}
            selected={tip.kind === 'percent' && tip.percent === percent}
            onClick={() => setTip({ kind: 'percent', percent })}
          >
            {t('tip.percent', { percent, amount: money({ amount: percentOf(sums.total, percent), currency: data.currency }, true) })}
          </FilterChip>
        ))}
        <FilterChip selected={tip.kind === 'amount'} onClick={() => setTip({ kind: 'amount', amount: sums.tip || null })}>
          {t('tip.other')}
        </FilterChip>
      </div>
      {tip.kind === 'amount' && (
        <AmountField
          label={t('tip.amount')}
          frameClassName={styles.short}
          currency={data.currency}
          value={tip.amount}
          autoFocus
          onChange={(amount) => setTip({ kind: 'amount', amount })}
        />
      )}
    </>
  )
}

/** One slider between two people. */
function Between({ till, data }: TillProps) {
  const { t } = useTranslation('till')
  const money = useMoney()
  const [one, other] = (till.tips ?? []).map(({ staffId, amount }) => {
    const member = data.members.find(({ _id }) => _id === staffId)
    return { name: member?.name ?? '', photo: member?.imageUrl, text: money({ amount, currency: data.currency }, true), amount }
  })
  if (!one || !other) return null
  const step = till.split.step ?? Math.round((one.amount / Math.max(1, till.sums.tip)) * tipSteps)
  return (
    <div className={styles.between}>
      <p>
        <FaceImage name={one.name} photoUrl={one.photo} size={36} />
        <bdi className="strong">{one.name}</bdi>
        <bdi className={styles.share}>{one.text}</bdi>
      </p>
      <input
        type="range"
        className={styles.slider}
        min={0}
        max={tipSteps}
        value={step}
        aria-label={t('tip.split', { one: one.name, other: other.name })}
        aria-valuetext={t('tip.shares', { one: one.name, first: one.text, other: other.name, second: other.text })}
        style={{ '--at': `${(step / tipSteps) * 100}%` } as React.CSSProperties}
        onChange={({ target }) => till.setSplit({ ...till.split, step: Number(target.value) })}
      />
      <p>
        <bdi className={styles.share}>{other.text}</bdi>
        <bdi className="strong">{other.name}</bdi>
        <FaceImage name={other.name} photoUrl={other.photo} size={36} />
      </p>
    </div>
  )
}

/** A field for each of more than two. */
function Each({ till, data }: TillProps) {
  const work = workOf(till.lines)
  const proposed = sharesOf(till.sums.tip, work)
  const amounts = till.split.amounts ?? Object.fromEntries(work.map(({ staffId }, at) => [staffId, proposed[at] ?? 0]))
  return (
    <div className={styles.fields}>
      {work.map(({ staffId }) => (
        <AmountField
          key={staffId}
          label={data.members.find(({ _id }) => _id === staffId)?.name ?? ''}
          currency={data.currency}
          value={amounts[staffId] ?? null}
          onChange={(amount) => till.setSplit({ ...till.split, amounts: { ...amounts, [staffId]: amount } })}
        />
      ))}
    </div>
  )
}

function Split({ till, data }: TillProps) {
  const { t } = useTranslation('till')
  const work = workOf(till.lines)
  if (till.sums.tip === 0) return null
  if (work.length === 2) return <Between till={till} data={data} />
  if (work.length > 2) return <Each till={till} data={data} />
  if (work.length === 1) {
    const name = data.members.find(({ _id }) => _id === work[0]?.staffId)?.name
    return name === undefined ? null : <p className="muted">{t('tip.all', { name })}</p>
  }
  return (
    <SelectField
      label={t('tip.whom')}
      frameClassName={styles.short}
      value={till.split.staffId ?? ''}
      placeholder={t('tip.choose')}
      options={data.members.map(({ _id, name }) => ({ value: _id, label: name }))}
      onChange={({ target }) => till.setSplit({ ...till.split, staffId: target.value === '' ? null : target.value })}
    />
  )
}

export function TipPart({ till, data }: TillProps) {
  const { t } = useTranslation('till')
  return (
    <section className={styles.tip} aria-labelledby="tip">
      <div className={styles.tipHead}>
        <h2 id="tip" className="d4">
          {t('tip.title')}
        </h2>
        <span className="small muted">{t('tip.text')}</span>
      </div>
      <Amounts till={till} data={data} />
      <Split till={till} data={data} />
    </section>
  )
}
