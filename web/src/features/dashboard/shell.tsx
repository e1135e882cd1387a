// My Salon: the sidebar beside every page of the dashboard; a rail of icons on tablets, a bar with a full-screen menu on phones.
import type { SessionUser } from '@soigne/contract/session'
import { pictureOfSize } from '@soigne/contract/files'
import { useState, type ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { paths } from '#/paths.ts'
import { brand } from '#/platform/brand.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { classNames } from '#/ui/class-names.ts'
import { FaceImage } from '#/ui/face-image.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { Logo } from '#/ui/logo.tsx'
import { ShellMenu } from './shell-menu.tsx'
import { isCurrent, shellLinks } from './shell-links.ts'
import { useUnreadChats } from './use-unread-chats.ts'
import styles from './shell.module.css'

type PartProps = { user: SessionUser | null; unread: number; onLogout: () => void }

function Person({ user }: { user: SessionUser }) {
  const name = `${user.firstName} ${user.lastName}`.trim()
  return (
    <Link to={paths.settings} className={styles.person}>
      <FaceImage name={name} photoUrl={user.imageUrl && pictureOfSize(user.imageUrl, 96)} size={40} />
      <span className={styles.words}>
        <bdi className="small strong truncate">{name}</bdi>
        {user.institute && <bdi className="fine muted truncate">{user.institute.name}</bdi>}
      </span>
    </Link>
  )
}

function Sidebar({ user, unread, onLogout }: PartProps) {
  const { t } = useTranslation('dashboard')
  const { pathname } = useLocation()
  return (
    <aside className={styles.sidebar}>
      <Link to={paths.home} className={styles.logo} aria-label={brand}>
        <span className={styles.whole}>
          <Logo name={brand} />
        </span>
        <span className={styles.letter}>
          <Logo name={brand} short />
        </span>
      </Link>
      <nav aria-label={t('navigation')} className={styles.links}>
        {shellLinks(user).map((link) => (
          <Link
            key={link.to}
            to={link.to}
            className={classNames(styles.link, isCurrent(link, pathname) && styles.current)}
            aria-current={isCurrent(link, pathname) ? 'page' : undefined}
            title={t(`links.${link.label}`)}
          >
            <Icon name={link.icon} size={20} />
            <span className={styles.label}>{t(`links.${link.label}`)}</span>
            {link.label === 'messages' && unread > 0 && (
              <span className={styles.count}>
                <span aria-hidden>{unread > 99 ? '99+' : unread}</span>
                <span className="visually-hidden">{t('unread', { count: unread })}</span>
              </span>
            )}
          </Link>
        ))}
      </nav>
      <div className={styles.foot}>
        {user && <Person user={user} />}
        <button type="button" className={styles.link} title={t('links.logout')} onClick={onLogout}>
          <Icon name="logout" size={20} />
          <span className={styles.label}>{t('links.logout')}</span>
        </button>
      </div>
    </aside>
  )
}

function TopBar({ user, unread, onLogout, bell }: PartProps & { bell: ReactNode }) {
  const { t } = useTranslation('dashboard')
  const [open, setOpen] = useState(false)
  return (
    <header className={styles.top}>
      <Link to={paths.home} className={styles.logo} aria-label={brand}>
        <Logo name={brand} />
      </Link>
      <div className={styles.tools}>
        {bell}
        <span className={styles.opener}>
          <IconButton icon="menu" iconSize={24} label={t('open')} aria-haspopup="dialog" onClick={() => setOpen(true)} />
        </span>
      </div>
      {open && user && (
        <ShellMenu user={user} unread={unread} onClose={() => setOpen(false)} onLogout={onLogout}>
          <Person user={user} />
        </ShellMenu>
      )}
    </header>
  )
}

export type ShellProps = {
  /** Null while nobody is known yet. */
  user: SessionUser | null
  /** What this person is told, at the top of every page. */
  bell: ReactNode
  contentId: string
  onLogout: () => void
  children: ReactNode
}

export function Shell({ user, bell, contentId, onLogout, children }: ShellProps) {
  const unread = useUnreadChats(user)
  return (
    <div className={styles.shell}>
      <Sidebar user={user} unread={unread} onLogout={onLogout} />
      <div className={styles.main}>
        <TopBar user={user} unread={unread} onLogout={onLogout} bell={bell} />
        <main id={contentId} tabIndex={-1} className={styles.content}>
          {children}
        </main>
      </div>
    </div>
  )
}
