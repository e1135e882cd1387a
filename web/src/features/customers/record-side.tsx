// Beside the visits: what was spent, what is restricted, what was written down, and what was joined.
import type { Customer, CustomerHealth } from '@soigne/contract/customers'
import { useState, type FormEvent } from 'react'
import { useLeaveGuard } from '#/leave-guard.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useMoney } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { SelectField } from '#/ui/select-field.tsx'
import { TextArea } from '#/ui/text-area.tsx'
import { showToast } from '#/ui/toasts.ts'
import { showFailure } from './refusal.ts'
import { type RecordProps, useRecordChange } from './use-record.ts'
import { useWhen } from './use-when.ts'
import styles from './record.module.css'

export function SpendPart({ customer }: Pick<RecordProps, 'customer'>) {
  const { t } = useTranslation('customers')
  const money = useMoney()
  const when = useWhen()
  const { currency } = customer.spend
  const most = Math.max(1, ...customer.months.map(({ amount }) => amount))
  const year = customer.months.reduce((sum, { amount }) => sum + amount, 0)
  return (
    <section className={styles.card}>
      <div className={styles.cardHead}>
        <h2 className="d4">{t('spend.title')}</h2>
        <p className="small muted">{t('spend.year', { sum: money({ amount: year, currency }) })}</p>
      </div>
      <ol className={styles.bars}>
        {customer.months.map(({ month, amount }) => {
          const { letter, name } = when.monthLetter(month)
          const text = t('spend.bar', { month: name, sum: money({ amount, currency }) })
          return (
            <li key={month} title={text}>
              <span className="visually-hidden">{text}</span>
              <span
                aria-hidden="true"
                className={styles.bar}
                data-empty={amount === 0 || undefined}
                style={{ blockSize: `${Math.max(2, (amount / most) * 56)}px` }}
              />
              <span aria-hidden="true" className="fine muted">
                {letter}
              </span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

type Typed = Pick<CustomerHealth, 'allergies' | 'formulas'>
type HealthFormProps = { health: CustomerHealth; onSave: (typed: Typed & { before: Typed }) => Promise<void>; onClose: () => void }

function HealthForm({ health: { allergies, formulas }, onSave, onClose }: HealthFormProps) {
  const { t } = useTranslation('customers')
  const before: Typed = { allergies, formulas }
  const [typed, setTyped] = useState(before)
  const [isSaving, setSaving] = useState(false)
  async function save(event: FormEvent) {
    event.preventDefault()
    setSaving(true)
    await onSave({ ...typed, before })
    setSaving(false)
  }
  return (
    <form className={styles.form} onSubmit={(event) => void save(event)}>
      <TextArea
        label={t('health.allergies')}
        maxLength={2000}
        rows={3}
        value={typed.allergies}
        onChange={({ target }) => setTyped({ ...typed, allergies: target.value })}
      />
      <TextArea
        label={t('health.formulas')}
        maxLength={4000}
        rows={3}
        value={typed.formulas}
        onChange={({ target }) => setTyped({ ...typed, formulas: target.value })}
      />
      <div className={styles.row}>
        <Button type="submit" size="small" loading={isSaving}>
          {t('health.save')}
        </Button>
        <Button variant="text" size="small" onClick={onClose}>
          {t('health.close')}
        </Button>
      </div>
    </form>
  )
}

/** Nothing of it is asked for before somebody opens it: each opening is noted. */
export function HealthPart({ customer, onChanged }: RecordProps) {
  const { t } = useTranslation('customers')
  const when = useWhen()
  const [health, setHealth] = useState<CustomerHealth | null>(null)
  const params = { id: customer._id }
  const { isKept, mayOpen, lastOpened } = customer.health
  async function open() {
    try {
      setHealth(await dashboardApi.openCustomerHealth({ params }))
      onChanged(await dashboardApi.customer({ params }))
    } catch (error) {
      showFailure(error)
    }
  }
  async function save(body: Parameters<HealthFormProps['onSave']>[0]) {
    try {
      await dashboardApi.changeCustomerHealth({ params, body })
      onChanged(await dashboardApi.customer({ params }))
      setHealth(null)
      showToast({ type: 'success', title: t('form.saved') })
    } catch (error) {
      showFailure(error)
    }
  }
  return (
    <section className={styles.health}>
      <div className={styles.cardHead}>
        <h2 className="d4">
          <Icon name="lock" size={20} /> {t('health.title')}
        </h2>
        <p className="small muted">{t('health.who')}</p>
      </div>
      {health ? (
        <HealthForm health={health} onSave={save} onClose={() => setHealth(null)} />
      ) : (
        <p>{t(isKept ? 'health.kept' : 'health.nothing')}</p>
      )}
      {!health && mayOpen && (
        <Button variant="outline" size="small" icon={isKept ? 'eye' : 'edit'} onClick={() => void open()}>
          {t(isKept ? 'health.open' : 'health.write')}
        </Button>
      )}
      <p className={`small muted ${styles.openings}`}>
        {t('health.noted')}{' '}
        {lastOpened && t('health.last', { name: lastOpened.by ?? t('health.somebody'), when: when.moment(lastOpened.at, customer) })}
      </p>
    </section>
  )
}

export function NotesPart({ customer, onChanged }: RecordProps) {
  const { t } = useTranslation('customers')
  const when = useWhen()
  const [typed, setTyped] = useState<string | null>(null)
  const [read, setRead] = useState(customer.notes)
  const change = useRecordChange(onChanged, (notes: string) =>
    dashboardApi.changeCustomer({ params: { id: customer._id }, body: { notes, notesBefore: read } }),
  )
  useLeaveGuard(typed !== null && typed !== customer.notes)
  if (typed !== null)
    return (
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate(typed, { onSuccess: () => setTyped(null) })
        }}
      >
        <TextArea
          label={t('notes.title')}
          maxLength={4000}
          rows={5}
          value={typed}
          autoFocus
          onChange={({ target }) => setTyped(target.value)}
        />
        <div className={styles.row}>
          <Button type="submit" size="small" loading={change.isPending}>
            {t('form.save')}
          </Button>
          <Button variant="text" size="small" onClick={() => setTyped(null)}>
            {t('form.leave')}
          </Button>
        </div>
      </form>
    )
  const { notes, noted } = customer
  return (
    <section className={styles.notes}>
      <h2 className="small muted">
        {noted ? t('notes.by', { name: noted.by ?? t('health.somebody'), when: when.day(noted.at, customer) }) : t('notes.title')}
      </h2>
      {notes ? <p className="d4 serif">{notes}</p> : <p className="muted">{t('notes.none')}</p>}
      <Button
        variant="text"
        size="small"
        onClick={() => {
          setRead(notes)
          setTyped(notes)
        }}
      >
        {t(notes ? 'notes.edit' : 'notes.add')}
      </Button>
    </section>
  )
}

const rules = ['nothing', 'all'] as const

/** What they pay before every visit, where that is not what everybody does. */
export function PaysFirstPart({ customer, onChanged }: RecordProps) {
  const { t } = useTranslation('customers')
  const change = useRecordChange(onChanged, (paysFirst: Customer['paysFirst']) =>
    dashboardApi.changeCustomer({ params: { id: customer._id }, body: { paysFirst } }),
  )
  const chosen = change.isPending ? change.variables : customer.paysFirst
  return (
    <SelectField
      label={t('paysFirst.title')}
      hint={t('paysFirst.hint')}
      placeholder={t('paysFirst.rule')}
      options={rules.map((value) => ({ value, label: t(`paysFirst.${value}`) }))}
      value={chosen ?? ''}
      disabled={change.isPending}
      onChange={({ target }) =>
        change.mutate(rules.find((one) => one === target.value) ?? null, {
          onSuccess: () => showToast({ type: 'success', title: t('form.saved') }),
        })
      }
    />
  )
}

/** What was joined into this record stays to be seen while it can be undone. */
export function MergesPart({ customer, onChanged }: RecordProps) {
  const { t } = useTranslation('customers')
  const when = useWhen()
  const undo = useRecordChange(onChanged, (id: string) => dashboardApi.undoMerge({ params: { id } }))
  return customer.merges.map(({ _id, name, at, until }) => (
    <section key={_id} className={styles.merged}>
      <p className="small">{t('merge.joined', { name, when: when.within(at, customer), until: when.within(until, customer) })}</p>
      <Button
        variant="outline"
        size="small"
        loading={undo.isPending}
        onClick={() => undo.mutate(_id, { onSuccess: () => showToast({ type: 'success', title: t('merge.undone') }) })}
      >
        {t('merge.undo')}
      </Button>
    </section>
  ))
}
