// The full-screen menu of the dashboard on phones.
import type { SessionUser } from '@soigne/contract/session'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { brand } from '#/platform/brand.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { FullScreenMenu } from '#/ui/full-screen-menu.tsx'
import { Logo } from '#/ui/logo.tsx'
import { isCurrent, shellLinks } from './shell-links.ts'
import styles from './shell.module.css'

export type ShellMenuProps = { user: SessionUser; unread: number; onClose: () => void; onLogout: () => void; children: ReactNode }

export function ShellMenu({ user, unread, onClose, onLogout, children }: ShellMenuProps) {
  const { t } = useTranslation('dashboard')
  const { pathname } = useLocation()
  const items = shellLinks(user).map((link) => ({
    to: link.to,
    label: t(`links.${link.label}`),
    icon: <Icon name={link.icon} size={24} />,
    current: isCurrent(link, pathname),
    ...(link.label === 'messages' && unread > 0 && { end: <span className={styles.news}>{t('unread', { count: unread })}</span> }),
  }))
  function leave() {
    onClose()
    onLogout()
  }
  return (
    <FullScreenMenu
      open
      onClose={onClose}
      label={t('navigation')}
      closeLabel={t('close')}
      brand={<Logo name={brand} />}
      head={children}
      items={items}
      foot={
        <Button variant="outline" size="large" wide icon="logout" onClick={leave}>
          {t('links.logout')}
        </Button>
      }
    />
  )
}
