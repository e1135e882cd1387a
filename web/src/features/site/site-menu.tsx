// The full-screen menu of small windows.
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { useLocation } from 'react-router'
import { brand } from '#/platform/brand.ts'
import type { Session } from '#/platform/session.tsx'
import { Button } from '#/ui/button.tsx'
import { FullScreenMenu } from '#/ui/full-screen-menu.tsx'
import { Logo } from '#/ui/logo.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { accountLinks } from './account-links.ts'
import { userLinks, visitorLinks, type SiteLink } from './site-links.ts'
import { useLogout } from './use-logout.ts'

function linksFor(session: Session): readonly SiteLink[] {
  if (session.kind !== 'user') return visitorLinks
  const links = userLinks(session.user)
  const more = accountLinks(session.user).filter((link) => !links.some(({ to }) => to === link.to))
  return [...links, ...more]
}

/** The menu belongs to small windows: it goes when the window grows. */
function useCloseWhenWide(onClose: () => void) {
  useEffect(() => {
    const wide = matchMedia('(min-width: 800px)')
    wide.addEventListener('change', onClose)
    return () => wide.removeEventListener('change', onClose)
  }, [onClose])
}

type SiteMenuProps = { session: Session; unread: ReactNode; onClose: () => void }

export function SiteMenu({ session, unread, onClose }: SiteMenuProps) {
  const { t } = useTranslation('site')
  const { pathname } = useLocation()
  const logout = useLogout()
  useCloseWhenWide(onClose)
  const items = linksFor(session).map(({ to, label }) => ({
    to,
    label: t(`links.${label}`),
    current: to === pathname,
    end: label === 'messages' && unread,
  }))
  function leave() {
    onClose()
    logout()
  }
  return (
    <FullScreenMenu
      open
      onClose={onClose}
      label={t('menu.label')}
      closeLabel={t('menu.close')}
      brand={<Logo name={brand} />}
      items={items}
      foot={
        session.kind === 'user' && (
          <Button variant="outline" size="large" wide icon="logout" onClick={leave}>
            {t('links.logout')}
          </Button>
        )
      }
    >
      <LanguageChoice />
    </FullScreenMenu>
  )
}
