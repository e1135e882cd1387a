// How clients pay.
import type { InstituteSettings } from '@soigne/contract/institute-settings'
import { paymentMethods } from '#/contract/closed-lists.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Switch } from '#/ui/checkbox.tsx'
import { SaveBar, SettingRow } from './setting-parts.tsx'
import { useDraft } from './use-settings.ts'
import styles from './institute-settings.module.css'

export function PaymentsPart({ settings }: { settings: InstituteSettings }) {
  const { t } = useTranslation('institute-settings')
  const draft = useDraft('payments', settings)
  const { payAtSalon, paymentMethods: chosen } = draft.value
  const toggle = (method: (typeof paymentMethods)[number]) =>
    draft.set({ paymentMethods: paymentMethods.filter((one) => (one === method ? !chosen.includes(one) : chosen.includes(one))) })
  const isNone = !payAtSalon && chosen.length === 0
  return (
    <div className={styles.narrow}>
      <section className={styles.section}>
        <h2 className="d4">{t('payments.salon')}</h2>
        <SettingRow title={t('payments.atSalon')} hint={t('payments.atSalonHint')}>
          <Switch label={t('payments.atSalon')} labelHidden checked={payAtSalon} onChange={() => draft.set({ payAtSalon: !payAtSalon })} />
        </SettingRow>
      </section>
      <section className={styles.section}>
        <h2 className="d4">{t('payments.online')}</h2>
        <p className="small muted">{t('payments.onlineText')}</p>
        {paymentMethods.map((method) => (
          <SettingRow key={method} title={t(`payments.methods.${method}`)}>
            <Switch label={t(`payments.methods.${method}`)} labelHidden checked={chosen.includes(method)} onChange={() => toggle(method)} />
          </SettingRow>
        ))}
        {isNone && (
          <p className={`small ${styles.problem}`} role="alert">
            {t('payments.needed')}
          </p>
        )}
      </section>
      <SaveBar changes={draft.changes} isSaving={draft.isSaving} onUndo={draft.undo} onSave={() => void (!isNone && draft.save())} />
    </div>
  )
}
