// The foot of every page.
import { useTranslation } from '#/platform/translation.ts'
import { Link } from 'react-router'
import { brand } from '#/platform/brand.ts'
import { paths } from '#/paths.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Logo } from '#/ui/logo.tsx'
import styles from './footer.module.css'

/** The year the specification shows; it does not move on. */
const copyrightYear = 2025

const socialLinks = [
  { icon: 'instagram', name: 'Instagram', url: 'https://www.instagram.com/' },
  { icon: 'facebook', name: 'Facebook', url: 'https://www.facebook.com/' },
] as const

export function Footer() {
  const { t } = useTranslation('site')
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
        <nav className={styles.end} aria-label={t('footer.label')}>
          <Link to={paths.terms}>{t('footer.terms')}</Link>
          <Link to={paths.help}>{t('footer.help')}</Link>
          <span className={styles.social}>
            {socialLinks.map(({ icon, name, url }) => (
              <a key={name} href={url} aria-label={name} title={name} rel="noopener noreferrer" target="_blank">
                <Icon name={icon} />
              </a>
            ))}
          </span>
        </nav>
      </div>
    </footer>
  )
}
