// Language and light: both take effect at once. The language is kept with the account, so that letters speak it.
import { keepLocale } from '#/platform/account-locale.ts'
import { isLocale, languageNames, languages } from '#/platform/locale.ts'
import { chooseLight, lights, useLight } from '#/platform/light.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Segmented } from '#/ui/segmented.tsx'
import styles from './settings.module.css'

export function Appearance() {
  const { t, i18n } = useTranslation('settings')
  const light = useLight()
  const locale = isLocale(i18n.language) ? i18n.language : 'en'
  return (
    <div className={styles.pair}>
      <div className={styles.choice}>
        <p className="label-heading">{t('language')}</p>
        <Segmented
          label={t('language')}
          value={locale}
          options={languages.map((value) => ({ value, label: languageNames[value] }))}
          onChange={keepLocale}
        />
      </div>
      <div className={styles.choice}>
        <p className="label-heading">{t('light.label')}</p>
        <Segmented
          label={t('light.label')}
          value={light}
          options={lights.map((value) => ({ value, label: t(`light.${value}`) }))}
          onChange={chooseLight}
        />
      </div>
    </div>
  )
}
