// The top of every page: logo, the guest's toggle on home, links, and the way in or the account.
import { Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { Link, NavLink, useLocation, useSearchParams } from 'react-router'
import { brand } from '#/platform/brand.ts'
import { placeText, returnLocation } from '#/platform/return-location.ts'
import { useSession, type Session } from '#/platform/session.tsx'
import { accessOf, useSiteRoute } from '#/guards.ts'
import { loginPath, paths, registerPath } from '#/paths.ts'
import { lazily } from '#/ui/lazily.tsx'
import { ButtonLink } from '#/ui/button.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { Logo } from '#/ui/logo.tsx'
import { SegmentedLinks } from '#/ui/segmented.tsx'
import { LanguageMenu } from './language-choice.tsx'
import { userLinks, type SiteLink } from './site-links.ts'
import styles from './header.module.css'

const AccountMenu = lazily(async () => (await import('./account-menu.tsx')).AccountMenu)
const SiteMenu = lazily(async () => (await import('./site-menu.tsx')).SiteMenu)

/** Sign-in comes back to the page it was started from; from its own pages it keeps what they carry. */
export function useReturnPlace(): string | undefined {
  const location = useLocation()
  const route = useSiteRoute()
  const [query] = useSearchParams()
  if (accessOf(route) === 'guest') return returnLocation(query.get('from')) ?? undefined
  return placeText(location)
}

function ViewToggle() {
  const { t } = useTranslation('site')
  const [query] = useSearchParams()
  const isPro = query.get('view') === 'pro'
  const items = [
    { to: paths.home, label: t('view.client'), current: !isPro },
    { to: paths.homeForProfessionals, label: t('view.pro'), current: isPro },
  ]
  return <SegmentedLinks label={t('view.label')} items={items} />
}

function HeaderLink({ link, children }: { link: Pick<SiteLink, 'to' | 'label'>; children?: ReactNode }) {
  const { t } = useTranslation('site')
  return (
    <NavLink to={link.to} end={link.to === paths.home || link.to === paths.mySalon} className={styles.link ?? ''}>
      {t(`links.${link.label}`)}
      {children}
    </NavLink>
  )
}

/** The last links depend on who looks; their place is as wide in every case, so that nothing shifts. */
function LastLinks({ session, unread }: { session: Session; unread: ReactNode }) {
  // Home and the institutes stand before these whoever looks, the settings in the menu of the account beside them.
  const links =
    session.kind === 'user' ? userLinks(session.user).filter(({ label }) => !['home', 'institutes', 'settings'].includes(label)) : []
  return (
    <span className={styles.last}>
      {session.kind !== 'user' && (
        <span className="guest-only">
          <HeaderLink link={{ to: paths.help, label: 'contact' }} />
          <HeaderLink link={{ to: paths.terms, label: 'terms' }} />
        </span>
      )}
      {links.map((link) => (
        <HeaderLink key={link.to} link={link}>
          {link.label === 'messages' && unread}
        </HeaderLink>
      ))}
    </span>
  )
}

function Account({ session, bell }: { session: Session; bell: ReactNode }) {
  const { t } = useTranslation('site')
  const from = useReturnPlace()
  return (
    <>
      {(session.kind === 'unread' || session.kind === 'guest') && (
        <div className={`guest-only ${styles.signIn}`}>
          <ButtonLink to={loginPath(from)} variant="outline" size="small">
            {t('links.login')}
          </ButtonLink>
          <ButtonLink to={registerPath(from)} size="small" className="desktop-only">
            {t('links.signUp')}
          </ButtonLink>
        </div>
      )}
      <div className={`user-only ${styles.account}`}>
        {bell}
        {session.kind === 'user' && (
          <Suspense>
            <AccountMenu user={session.user} />
          </Suspense>
        )}
      </div>
    </>
  )
}

/** `bell`: what a signed-in person is told, beside their face. `unread`: how much of their conversations is, beside the link to them. */
export function Header({ bell, unread }: { bell?: ReactNode; unread?: ReactNode }) {
  const { t } = useTranslation('site')
  const session = useSession()
  const { pathname } = useLocation()
  const [menuOpen, setMenuOpen] = useState(false)
  const toggles = pathname === paths.home && (session.kind === 'unread' || session.kind === 'guest')
  return (
    <header className={styles.header}>
      <div className={`page ${styles.bar}`}>
        <Link to={paths.home} className={styles.logo}>
          <Logo name={brand} />
        </Link>
        {toggles && (
          <div className={`guest-only ${styles.toggle}`}>
            <ViewToggle />
          </div>
        )}
        <nav className={styles.links} aria-label={t('links.label')}>
          <HeaderLink link={{ to: paths.home, label: 'home' }} />
          <HeaderLink link={{ to: paths.institutes, label: 'institutes' }} />
          <LastLinks session={session} unread={unread} />
        </nav>
        <LanguageMenu />
        <Account session={session} bell={bell} />
        <span className={`mobile-only ${styles.menu}`}>
          <IconButton
            icon="menu"
            iconSize={24}
            label={t('menu.open')}
            aria-haspopup="dialog"
            className={styles.menuButton}
            onClick={() => setMenuOpen(true)}
          />
          <span className={styles.unread}>{unread}</span>
        </span>
      </div>
      {menuOpen && (
        <Suspense>
          <SiteMenu session={session} unread={unread} onClose={() => setMenuOpen(false)} />
        </Suspense>
      )}
    </header>
  )
}
