// Step 5: how the institute is paid and what holds when plans change, always with the sentences that the rules make.
import { paymentMethods } from '#/contract/closed-lists.ts'
import { DepositExample, DepositField } from '#/deposit-field.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { OptionCard } from '#/ui/option-card.tsx'
import { Segmented } from '#/ui/segmented.tsx'
import type { SetupDraft } from './draft/draft.ts'
import { amountOf, currencyOf } from './draft/send-draft.ts'
import type { DraftChange } from './draft/use-draft.ts'
import styles from './payment-step.module.css'

type StepProps = { draft: SetupDraft; change: DraftChange }

const windows = ['120', '360', '1440', '2880', 'never'] as const
const windowValue = (minutes: number | null): string => (minutes === null ? 'never' : String(minutes))
const windowMinutes = (value: string): number | null => (value === 'never' ? null : Number(value))

/** The dearest service: where a deposit is felt most. */
function exampleOf(draft: SetupDraft, locale: string): { name: string; price: number } | null {
  const currency = currencyOf(draft)
  const priced = draft.services.flatMap(({ name, price, priceKind }) => {
    const amount = priceKind === 'on_request' ? null : amountOf(price, currency)
    return amount ? [{ name: name[locale as 'en'] ?? Object.values(name)[0] ?? '', price: amount }] : []
  })
  return priced.toSorted((one, other) => other.price - one.price)[0] ?? null
}

function Window({
  label,
  hint,
  value,
  onChange,
}: {
  label: string
  hint: string
  value: number | null
  onChange: (value: number | null) => void
}) {
  const { t } = useTranslation('setup')
  const known = windowValue(value)
  const options: readonly string[] = (windows as readonly string[]).includes(known) ? windows : [known, ...windows]
  return (
    <div className={styles.window}>
      <div>
        <p className="strong">{label}</p>
        <p className="small muted">{hint}</p>
      </div>
      <Segmented
        label={label}
        options={options.map((one) => ({
          value: one,
          label: one === 'never' ? t('payment.phone') : t('payment.hours', { count: Number(one) / 60 }),
        }))}
        value={known}
        onChange={(next) => onChange(windowMinutes(next))}
        size="small"
      />
    </div>
  )
}

/** What a client will read, for one service of the menu. */
export function RulesPreview({ draft }: { draft: SetupDraft }) {
  const { t, i18n } = useTranslation('setup')
  const currency = currencyOf(draft)
  const example = exampleOf(draft, i18n.language)
  const { cancelWindow, rescheduleWindow, deposit } = draft
  const canMoveLater = rescheduleWindow !== null && cancelWindow !== null && rescheduleWindow < cancelWindow
  return (
    <aside className={styles.preview}>
      <p className="small muted">{t('payment.reads')}</p>
      <div className={`raised ${styles.card}`}>
        <DepositExample currency={currency} deposit={deposit} service={example} />
        <p className={styles.sentence}>
          {cancelWindow === null ? t('payment.cancelNever') : t('payment.cancelUntil', { count: cancelWindow / 60 })}
        </p>
        {cancelWindow !== null && <p className={styles.sentence}>{t('payment.cancelAfter')}</p>}
        <p className={styles.sentence}>
          {rescheduleWindow === null ? t('payment.moveNever') : t('payment.moveUntil', { count: rescheduleWindow / 60 })}
        </p>
        <div className={styles.bar} aria-hidden="true">
          <i className={styles.free} />
          {canMoveLater && <i className={styles.move} />}
          <i className={styles.late} />
        </div>
        <p className={styles.ends} aria-hidden="true">
          <span>{t('payment.booked')}</span>
          <span>{t('payment.visit')}</span>
        </p>
      </div>
    </aside>
  )
}

export function PaymentStep({ draft, change }: StepProps) {
  const { t } = useTranslation(['setup', 'dashboard'])
  const { paymentMethods: chosen } = draft
  return (
    <>
      <div className={styles.methods}>
        <OptionCard type="checkbox" checked disabled readOnly title={t('payment.salon')} description={t('payment.salonText')} />
        {paymentMethods.map((method) => (
          <OptionCard
            key={method}
            type="checkbox"
            checked={chosen.includes(method)}
            onChange={() => change({ paymentMethods: paymentMethods.filter((one) => chosen.includes(one) !== (one === method)) })}
            title={t(`payment.${method}`)}
            description={t(`payment.${method}Text`)}
          />
        ))}
      </div>
      <section className={styles.part}>
        <h2 className="d4">{t('dashboard:deposit.title')}</h2>
        <p className="small muted">{t('dashboard:deposit.text')}</p>
        <DepositField currency={currencyOf(draft)} value={draft.deposit} onChange={(deposit) => change({ deposit })} />
      </section>
      <section className={styles.part}>
        <h2 className="d4">{t('payment.plans')}</h2>
        <Window
          label={t('payment.cancel')}
          hint={t('payment.cancelHint')}
          value={draft.cancelWindow}
          onChange={(cancelWindow) => change({ cancelWindow })}
        />
        <Window
          label={t('payment.move')}
          hint={t('payment.moveHint')}
          value={draft.rescheduleWindow}
          onChange={(rescheduleWindow) => change({ rescheduleWindow })}
        />
      </section>
    </>
  )
}
