// How clients pay: at the salon, online, and what they pay beforehand.
import type { InstituteSettings } from '@soigne/contract/institute-settings'
import type { PaymentMethod } from '@soigne/contract/wire'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { paymentMethods } from '#/contract/closed-lists.ts'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { depositRuleOf, typedDeposit, type TypedDeposit } from '#/deposit.ts'
import { DepositExample, DepositField } from '#/deposit-field.tsx'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Switch } from '#/ui/checkbox.tsx'
import { SaveBar, SettingRow } from '#/features/institute-settings/setting-parts.tsx'
import { useDraft } from '#/features/institute-settings/use-settings.ts'
import styles from '#/features/institute-settings/institute-settings.module.css'

type PartProps = { settings: InstituteSettings }

/** The dearest service with a price of its own: where a deposit is felt most. */
function useDearest(slug: string): { name: string; price: number } | null {
  const { data } = useQuery({
    queryKey: dashboardKeys.institute.menu(slug),
    queryFn: ({ signal }) => dashboardApi.institute({ params: { slug } }, { signal }),
    retry: false,
  })
  const priced = (data?.services ?? []).flatMap(({ name, price, priceKind }) =>
    price && priceKind !== 'on_request' ? [{ name, price: price.amount }] : [],
  )
  return priced.toSorted((one, other) => other.price - one.price)[0] ?? null
}

/** The deposit as it is typed, and the draft's as soon as that is one. */
function useTypedDeposit(settings: InstituteSettings, stored: InstituteSettings['payments']['deposit']) {
  const { currency } = settings
  const [typed, setTyped] = useState<TypedDeposit | null>(null)
  const rule = typed && depositRuleOf(typed, currency)
  // Undone or saved: what was typed is that no more.
  const isOld = typed === null || (rule !== null && JSON.stringify(rule) !== JSON.stringify(stored))
  const value = isOld ? typedDeposit(stored, currency) : typed
  return { value, setTyped, isWrong: depositRuleOf(value, currency) === null }
}

type OnlineProps = { chosen: readonly PaymentMethod[]; onChange: (chosen: PaymentMethod[]) => void; error: string | undefined }

function Online({ chosen, onChange, error }: OnlineProps) {
  const { t } = useTranslation('institute-settings')
  const toggled = (method: PaymentMethod) => paymentMethods.filter((one) => chosen.includes(one) !== (one === method))
  return (
    <section className={styles.section}>
      <h2 className="d4">{t('payments.online')}</h2>
      <p className="small muted">{t('payments.onlineText')}</p>
      {paymentMethods.map((method) => (
        <SettingRow key={method} title={t(`payments.methods.${method}`)}>
          <Switch
            label={t(`payments.methods.${method}`)}
            labelHidden
            checked={chosen.includes(method)}
            onChange={() => onChange(toggled(method))}
          />
        </SettingRow>
      ))}
      {error !== undefined && (
        <p className={`small ${styles.problem}`} role="alert">
          {error}
        </p>
      )}
    </section>
  )
}

export function PaymentsPart({ settings }: PartProps) {
  const { t } = useTranslation(['institute-settings', 'dashboard'])
  const draft = useDraft('payments', settings)
  const { payAtSalon, paymentMethods: chosen, deposit } = draft.value
  const typed = useTypedDeposit(settings, deposit)
  const service = useDearest(settings.slug)
  const { currency } = settings
  const isNone = chosen.length === 0 && (!payAtSalon || typed.value.kind !== 'none')
  function change(next: TypedDeposit) {
    typed.setTyped(next)
    const rule = depositRuleOf(next, currency)
    if (rule) draft.set({ deposit: rule })
  }
  function undo() {
    typed.setTyped(null)
    draft.undo()
  }
  return (
    <div className={styles.narrow}>
      <section className={styles.section}>
        <h2 className="d4">{t('payments.salon')}</h2>
        <SettingRow title={t('payments.atSalon')} hint={t('payments.atSalonHint')}>
          <Switch label={t('payments.atSalon')} labelHidden checked={payAtSalon} onChange={() => draft.set({ payAtSalon: !payAtSalon })} />
        </SettingRow>
      </section>
      <Online
        chosen={chosen}
        onChange={(methods) => draft.set({ paymentMethods: methods })}
        error={isNone ? t(payAtSalon ? 'payments.neededForDeposit' : 'payments.needed') : draft.errors['paymentMethods']}
      />
      <section className={styles.section}>
        <h2 className="d4">{t('dashboard:deposit.title')}</h2>
        <p className="small muted">{t('dashboard:deposit.text')}</p>
        <DepositField
          currency={currency}
          value={typed.value}
          onChange={change}
          error={draft.errors['deposit'] ?? draft.errors['deposit.amount'] ?? draft.errors['deposit.percent']}
        />
        {service && (
          <aside className={styles.exampleCard} aria-label={t('dashboard:deposit.reads')}>
            <p className="small muted">{t('dashboard:deposit.reads')}</p>
            <DepositExample currency={currency} deposit={typed.value} service={service} />
          </aside>
        )}
      </section>
      <SaveBar
        changes={draft.changes + (typed.isWrong && draft.changes === 0 ? 1 : 0)}
        isSaving={draft.isSaving}
        onUndo={undo}
        onSave={() => void (!isNone && !typed.isWrong && draft.save())}
      />
    </div>
  )
}
