// How clients pay: at the salon, online, and what they pay beforehand.
import type { InstituteSettings } from '@soigne/contract/institute-settings'
import type { PaymentMethod } from '@soigne/contract/wire'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { paymentMethods } from '#/contract/closed-lists.ts'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { depositRuleOf, typedDeposit, type TypedDeposit } from '#/deposit.ts'
import { DepositExample, DepositField, type DepositFieldProps } from '#/deposit-field.tsx'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Switch } from '#/ui/checkbox.tsx'
import { StripeAccount } from './stripe-account.tsx'
import { FeesSection, noFees } from './fees-section.tsx'
import { NumberChoice, SaveBar, SettingRow } from '#/features/institute-settings/setting-parts.tsx'
import { useDraft } from '#/features/institute-settings/use-settings.ts'
import styles from '#/features/institute-settings/institute-settings.module.css'

type DepositRule = InstituteSettings['payments']['deposit']
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

/** A rule as it is typed, and the draft's as soon as that is one. */
function useTypedDeposit(currency: string, stored: InstituteSettings['payments']['deposit'], onRule: (rule: DepositRule) => void) {
  const [typed, setTyped] = useState<TypedDeposit | null>(null)
  const rule = typed && depositRuleOf(typed, currency)
  // Undone or saved: what was typed is that no more.
  const isOld = typed === null || (rule !== null && JSON.stringify(rule) !== JSON.stringify(stored))
  const value = isOld ? typedDeposit(stored, currency) : typed
  function onChange(next: TypedDeposit) {
    setTyped(next)
    const known = depositRuleOf(next, currency)
    if (known) onRule(known)
  }
  return { value, onChange, undo: () => setTyped(null), isWrong: depositRuleOf(value, currency) === null }
}

function AtSalon({ checked, onChange }: { checked: boolean; onChange: () => void }) {
  const { t } = useTranslation('institute-settings')
  return (
    <section className={styles.section}>
      <h2 className="d4">{t('payments.salon')}</h2>
      <SettingRow title={t('payments.atSalon')} hint={t('payments.atSalonHint')}>
        <Switch label={t('payments.atSalon')} labelHidden checked={checked} onChange={onChange} />
      </SettingRow>
    </section>
  )
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

const missedVisits = [null, 1, 2, 3, 5] as const

/** Prepayment of whoever did not come too often. */
function AfterMissed({ value, onChange }: { value: number | null; onChange: (value: number | null) => void }) {
  const { t } = useTranslation('institute-settings')
  return (
    <NumberChoice
      title={t('payments.prepay')}
      hint={t('payments.prepayHint')}
      values={missedVisits}
      value={value}
      labelOf={(count) => (count === null ? t('payments.prepayNever') : String(count))}
      onChange={onChange}
    />
  )
}

type DepositSectionProps = DepositFieldProps & { service: ReturnType<typeof useDearest>; afterMissed: ReactNode }

function DepositSection({ service, afterMissed, ...field }: DepositSectionProps) {
  const { t } = useTranslation('dashboard')
  return (
    <section className={styles.section}>
      <h2 className="d4">{t('deposit.title')}</h2>
      <p className="small muted">{t('deposit.text')}</p>
      <DepositField {...field} />
      {service && (
        <aside className={styles.exampleCard} aria-label={t('deposit.reads')}>
          <p className="small muted">{t('deposit.reads')}</p>
          <DepositExample currency={field.currency} deposit={field.value} service={service} />
        </aside>
      )}
      {afterMissed}
    </section>
  )
}

export function PaymentsPart({ settings }: PartProps) {
  const { t } = useTranslation('institute-settings')
  const draft = useDraft('payments', settings)
  const { payAtSalon, paymentMethods: chosen, deposit } = draft.value
  const { currency } = settings
  const fees = draft.value.fees ?? noFees
  const typed = useTypedDeposit(currency, deposit, (rule) => draft.set({ deposit: rule }))
  const late = useTypedDeposit(currency, fees.lateCancel, (lateCancel) => draft.set({ fees: { ...fees, lateCancel } }))
  const missed = useTypedDeposit(currency, fees.noShow, (noShow) => draft.set({ fees: { ...fees, noShow } }))
  const service = useDearest(settings.slug)
  const isNone = chosen.length === 0 && (!payAtSalon || typed.value.kind !== 'none')
  const needsCard = (late.value.kind !== 'none' || missed.value.kind !== 'none') && !chosen.includes('card')
  const isWrong = [typed, late, missed].some((one) => one.isWrong)
  function undo() {
    for (const one of [typed, late, missed]) one.undo()
    draft.undo()
  }
  return (
    <div className={styles.narrow}>
      {settings.paymentAccount && <StripeAccount account={settings.paymentAccount} />}
      <AtSalon checked={payAtSalon} onChange={() => draft.set({ payAtSalon: !payAtSalon })} />
      <Online
        chosen={chosen}
        onChange={(methods) => draft.set({ paymentMethods: methods })}
        error={isNone ? t(payAtSalon ? 'payments.neededForDeposit' : 'payments.needed') : draft.errors['paymentMethods']}
      />
      <DepositSection
        {...{ currency, service }}
        value={typed.value}
        onChange={typed.onChange}
        error={draft.errors['deposit'] ?? draft.errors['deposit.amount'] ?? draft.errors['deposit.percent']}
        afterMissed={
          chosen.length > 0 && (
            <AfterMissed
              value={draft.value.prepayAfterNoShows ?? null}
              onChange={(prepayAfterNoShows) => draft.set({ prepayAfterNoShows })}
            />
          )
        }
      />
      <FeesSection
        {...{ currency, service, needsCard, late, missed }}
        graceMinutes={fees.graceMinutes}
        onGrace={(graceMinutes) => draft.set({ fees: { ...fees, graceMinutes } })}
      />
      <SaveBar
        changes={draft.changes + (isWrong && draft.changes === 0 ? 1 : 0)}
        isSaving={draft.isSaving}
        onUndo={undo}
        onSave={() => void (!isNone && !needsCard && !isWrong && draft.save())}
      />
    </div>
  )
}
