// A gift card of an amount, and for how long those are good that are sold from now on.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { AmountField } from '#/amount-field.tsx'
import { dashboardKeys } from '#/dashboard-keys.ts'
import type { Line } from '#/features/till/reckoning.ts'
import type { TillData } from '#/features/till/use-till-data.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { SelectField } from '#/ui/select-field.tsx'
import { showToast } from '#/ui/toasts.ts'
import { useMay } from '#/use-may.ts'
import styles from '#/features/till/till.module.css'

const mostYears = 10

function Rule() {
  const { t } = useTranslation('till')
  const queries = useQueryClient()
  const mayChange = useMay('institute.change')
  const { data } = useQuery({
    queryKey: dashboardKeys.sales.giftCardRule,
    queryFn: ({ signal }) => dashboardApi.giftCardRule({}, { signal }),
  })
  const change = useMutation({
    mutationFn: (years: number) => dashboardApi.changeGiftCardRule({ body: { years } }),
    onSuccess: (rule) => queries.setQueryData(dashboardKeys.sales.giftCardRule, rule),
    onError: (error) => showToast({ type: 'error', title: failureText(error) }),
  })
  if (!data) return null
  if (!mayChange) return <p className="small muted">{t('giftCard.goodFor', { count: data.years })}</p>
  return (
    <SelectField
      label={t('giftCard.rule')}
      value={String(data.years)}
      options={Array.from({ length: mostYears }, (_, at) => ({ value: String(at + 1), label: t('giftCard.years', { count: at + 1 }) }))}
      onChange={({ target }) => change.mutate(Number(target.value))}
    />
  )
}

export function AddGiftCard({ data, onAdd }: { data: TillData; onAdd: (line: Line) => void }) {
  const { t } = useTranslation('till')
  const [amount, setAmount] = useState<number | null>(null)
  function submit(event: FormEvent) {
    event.preventDefault()
    if (amount) onAdd({ key: crypto.randomUUID(), kind: 'giftCard', amount })
  }
  return (
    <form className={styles.picker} onSubmit={submit}>
      <AmountField label={t('giftCard.amount')} currency={data.currency} value={amount} required autoFocus onChange={setAmount} />
      <Rule />
      <Button type="submit" size="small" variant="soft" disabled={!amount}>
        {t('giftCard.add')}
      </Button>
    </form>
  )
}
