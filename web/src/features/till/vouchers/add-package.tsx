// A package of sessions for the client, one that is sold from now on, and the end of one.
import type { ServicePackage } from '@soigne/contract/vouchers'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { AmountField } from '#/amount-field.tsx'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { useKeys, type BodyOf } from '#/diary-changes.ts'
import type { Line } from '#/features/till/reckoning.ts'
import styles from '#/features/till/till.module.css'
import type { TillData } from '#/features/till/use-till-data.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useMoney } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Checkbox } from '#/ui/checkbox.tsx'
import { askConfirm } from '#/ui/confirms.ts'
import { Field } from '#/ui/field.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { Notice } from '#/ui/notice.tsx'
import { showToast } from '#/ui/toasts.ts'
import { useMay } from '#/use-may.ts'

type AddProps = { data: TillData; onAdd: (line: Line) => void }

const lineOf = ({ _id }: ServicePackage): Line => ({ key: crypto.randomUUID(), kind: 'package', packageId: _id })

const whole = (text: string, least: number, most: number): number | null => {
  const number = /^\d{1,3}$/.test(text.trim()) ? Number(text) : null
  return number !== null && number >= least && number <= most ? number : null
}

function useNewPackage(onAdd: (made: ServicePackage) => void) {
  const queries = useQueryClient()
  const keyOf = useKeys()
  return useMutation({
    mutationFn: (body: BodyOf<'addPackage'>) => dashboardApi.addPackage({ body, idempotencyKey: keyOf(body) }),
    onSuccess: (made) => {
      queries.setQueryData<{ items: ServicePackage[] }>(dashboardKeys.sales.packages, (known) => ({
        items: [...(known?.items ?? []), made],
      }))
      onAdd(made)
    },
  })
}

type Typed = { name: string; sessions: string; months: string; price: number | null; serviceIds: readonly string[] }
/** As the call wants it; null while something is missing. */
function bodyOf({ name, sessions, months, price, serviceIds }: Typed): BodyOf<'addPackage'> | null {
  const [many, long] = [whole(sessions, 2, 100), whole(months, 1, 60)]
  if (name.trim() === '' || many === null || long === null || !price || serviceIds.length === 0) return null
  return { name: name.trim(), sessions: many, months: long, price, serviceIds: [...serviceIds] }
}

function Services({ data, chosen, onChange }: { data: TillData; chosen: readonly string[]; onChange: (ids: string[]) => void }) {
  const { t } = useTranslation('till')
  return (
    <fieldset className={styles.services}>
      <legend className="label-heading">{t('package.services')}</legend>
      {data.menu.map(({ _id, name }) => (
        <Checkbox
          key={_id}
          label={<bdi>{name}</bdi>}
          checked={chosen.includes(_id)}
          onChange={({ target }) => onChange(target.checked ? [...chosen, _id] : chosen.filter((one) => one !== _id))}
        />
      ))}
    </fieldset>
  )
}

function NewPackage({ data, onAdd, onLeave }: AddProps & { onLeave: () => void }) {
  const { t } = useTranslation('till')
  const [typed, setTyped] = useState<Typed>({ name: '', sessions: '5', months: '12', price: null, serviceIds: [] })
  const make = useNewPackage((made) => onAdd(lineOf(made)))
  const body = bodyOf(typed)
  const set = (part: Partial<Typed>) => setTyped((all) => ({ ...all, ...part }))
  function submit(event: FormEvent) {
    event.preventDefault()
    if (body && !make.isPending) make.mutate(body)
  }
  const number = (key: 'sessions' | 'months', least: number, most: number) => (
    <Field
      label={t(`package.${key}`)}
      inputMode="numeric"
      dir="ltr"
      maxLength={3}
      required
      value={typed[key]}
      onChange={({ target }) => set({ [key]: target.value })}
      {...(whole(typed[key], least, most) === null && { error: t('package.between', { least, most }) })}
    />
  )
  return (
    <form className={styles.newPackage} onSubmit={submit}>
      <Field
        label={t('package.name')}
        value={typed.name}
        maxLength={80}
        required
        autoFocus
        onChange={({ target }) => set({ name: target.value })}
      />
      <AmountField label={t('package.price')} currency={data.currency} value={typed.price} required onChange={(price) => set({ price })} />
      {number('sessions', 2, 100)}
      {number('months', 1, 60)}
      <Services data={data} chosen={typed.serviceIds} onChange={(serviceIds) => set({ serviceIds })} />
      {make.error && (
        <Notice tone="error" announce>
          {failureText(make.error)}
        </Notice>
      )}
      <div className={styles.adds}>
        <Button type="submit" size="small" variant="soft" disabled={!body} loading={make.isPending}>
          {t('package.save')}
        </Button>
        <Button variant="text" size="small" onClick={onLeave}>
          {t('product.leave')}
        </Button>
      </div>
    </form>
  )
}

function useEnd() {
  const { t } = useTranslation('till')
  const queries = useQueryClient()
  const end = useMutation({
    mutationFn: (id: string) => dashboardApi.removePackage({ params: { id } }),
    onSuccess: (list) => queries.setQueryData(dashboardKeys.sales.packages, list),
    onError: (error) => showToast({ type: 'error', title: failureText(error) }),
  })
  return async ({ _id, name }: ServicePackage) => {
    if (await askConfirm({ title: t('package.endTitle', { name }), message: t('package.endText') })) end.mutate(_id)
  }
}

export function AddPackage({ data, onAdd }: AddProps) {
  const { t } = useTranslation('till')
  const money = useMoney()
  const mayMake = useMay('services.change')
  const [isMaking, setMaking] = useState(false)
  const end = useEnd()
  if (isMaking)
    return (
      <div className={styles.picker}>
        <NewPackage data={data} onAdd={onAdd} onLeave={() => setMaking(false)} />
      </div>
    )
  return (
    <div className={styles.picker}>
      <ul>
        {data.packages.map((one) => (
          <li key={one._id} className={styles.withEnd}>
            <button type="button" className={styles.found} onClick={() => onAdd(lineOf(one))}>
              <span>
                <bdi className="medium">{one.name}</bdi>
                <span className="small muted">{t('package.holds', { count: one.sessions })}</span>
              </span>
              <bdi className="strong">{money(one.price, true)}</bdi>
            </button>
            {mayMake && <IconButton icon="archive" label={t('package.end', { name: one.name })} onClick={() => void end(one)} />}
          </li>
        ))}
      </ul>
      {data.packages.length === 0 && <p className="muted">{t('package.none')}</p>}
      {mayMake && (
        <Button variant="text" size="small" icon="plus" onClick={() => setMaking(true)}>
          {t('package.new')}
        </Button>
      )}
    </div>
  )
}
