// The foot of every page.
import { useTranslation } from '#/platform/translation.ts'
import { Link } from 'react-router'
import { brand } from '#/platform/brand.ts'
import { usePageSettings } from '#/platform/page-settings.ts'
import { paths } from '#/paths.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Logo } from '#/ui/logo.tsx'
import { LanguageChoice } from './language-choice.tsx'
import styles from './footer.module.css'

/** The year the specification shows; it does not move on. */
const copyrightYear = 2025

/** Where the site is passed on to friends: pages of ours on other sites would be promised before there are any. */
const socialLinks = [
  { icon: 'facebook', label: 'footer.facebook', address: 'https://www.facebook.com/sharer/sharer.php?u=' },
  { icon: 'message', label: 'footer.whatsapp', address: 'https://wa.me/?text=' },
] as const

export function Footer() {
  const { t } = useTranslation('site')
  const { publicUrl } = usePageSettings()
  return (
    <footer className={styles.footer}>
      <div className={`page ${styles.row}`}>
        <div className={styles.start}>
          <Link to={paths.home} className={styles.logo}>
            <Logo name={brand} />
          </Link>
          <span className="small muted">
            © <bdi>{copyrightYear}</bdi> <bdi>{brand}</bdi>
          </span>
        </div>
        <LanguageChoice />
        <nav className={styles.end} aria-label={t('footer.label')}>
          <Link to={paths.terms}>{t('footer.terms')}</Link>
          <Link to={paths.help}>{t('footer.help')}</Link>
          <span className={styles.social}>
            {socialLinks.map(({ icon, label, address }) => (
              <a
                key={label}
                href={address + encodeURIComponent(publicUrl)}
                aria-label={t(label)}
                title={t(label)}
                rel="noopener noreferrer"
                target="_blank"
              >
                <Icon name={icon} />
              </a>
            ))}
          </span>
        </nav>
      </div>
    </footer>
  )
}
