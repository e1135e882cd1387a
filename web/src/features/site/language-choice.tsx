// The languages of the site, each in its own words; choosing one keeps the page.
import type { Locale } from '@soigne/contract/wire'
import { languageNames, languages } from '#/platform/locale.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { classNames } from '#/ui/class-names.ts'
import { DisclosureMenu, MenuItem } from '#/ui/disclosure-menu.tsx'
import styles from './language-choice.module.css'

/** Needed once it is pressed. */
const keepLocale = (locale: Locale): void => void import('#/platform/account-locale.ts').then((account) => account.keepLocale(locale))

/** All in a row: in the footer and the full-screen menu. */
export function LanguageChoice() {
  const { t, i18n } = useTranslation('site')
  return (
    <div role="group" aria-label={t('language')} className={styles.row}>
      {languages.map((locale) => (
        <button
          key={locale}
          type="button"
          lang={locale}
          aria-pressed={locale === i18n.language}
          className={classNames(styles.language, locale === i18n.language && styles.current)}
          onClick={() => keepLocale(locale)}
        >
          {languageNames[locale]}
        </button>
      ))}
    </div>
  )
}

/** Behind a globe: in the header of wide windows. */
export function LanguageMenu() {
  const { t, i18n } = useTranslation('site')
  return (
    <div className={styles.menu}>
      <DisclosureMenu
        button={<Icon name="globe" size={22} />}
        label={t('language')}
        buttonClassName={styles.globe}
        panelClassName={styles.panel}
      >
        {(close) =>
          languages.map((locale) => (
            <div key={locale} lang={locale}>
              <MenuItem
                current={locale === i18n.language}
                onClick={() => {
                  close()
                  keepLocale(locale)
                }}
              >
                {languageNames[locale]}
              </MenuItem>
            </div>
          ))
        }
      </DisclosureMenu>
    </div>
  )
}
