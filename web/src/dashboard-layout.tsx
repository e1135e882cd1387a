// My Salon: the sidebar of the dashboard beside its page. Whoever has no institute yet finds the one way to it.
import { contentId } from '#/content-id.ts'
import { Suspense, type ReactNode } from 'react'
import { Outlet, useLocation, useRouteError } from 'react-router'
import { useDeskLogout } from '#/features/day-sheet/desk-leave.tsx'
import { DeskWatch } from '#/features/day-sheet/desk-watch.tsx'
import { RearrangeBanner } from '#/features/rearranging/rearrange-banner.tsx'
import { NoInstitute } from '#/features/dashboard/no-institute.tsx'
import { Shell } from '#/features/dashboard/shell.tsx'
import { Footer } from '#/features/site/footer.tsx'
import { Header } from '#/features/site/header.tsx'
import { NavigationHint } from '#/features/site/navigation-hint.tsx'
import { PageError } from '#/features/site/page-error.tsx'
import { PageSkeleton } from '#/features/site/page-skeleton.tsx'
import { useLogout } from '#/features/site/use-logout.ts'
import { Guarded, OwnBell, OwnLive, OwnSetupBanner } from '#/frame-parts.tsx'
import { dashboardLinks } from '#/kit/dashboard-links.ts'
import { paths } from '#/paths.ts'
import { useUser } from '#/platform/session.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { useHydrated } from '#/ui/use-hydrated.ts'
import styles from './site-layout.module.css'

export const links = dashboardLinks

export const handle = { namespaces: ['dashboard', 'day-sheet', 'rearranging'] }

const bell = <OwnBell />

/** Nobody's dashboard yet: the site's own frame, as on every page that asks to sign in. */
function OpenFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <Header bell={bell} />
      <main id={contentId} tabIndex={-1} className={styles.content}>
        {children}
      </main>
      <Footer />
    </>
  )
}

function Frame({ children }: { children: ReactNode }) {
  const { t } = useTranslation('site')
  const user = useUser()
  const logout = useDeskLogout({ logout: useLogout() })
  // Before the session is known the sidebar stands already, so that nothing shifts when it is.
  const isOwnFrame = user === null || (user.isEmailVerified && (user.role === 'isPro' || user.institute !== undefined))
  return (
    <>
      <a className="skip-link" href={`#${contentId}`}>
        {t('skipToContent')}
      </a>
      <NavigationHint />
      <OwnLive />
      <OwnSetupBanner />
      {isOwnFrame ? (
        <Shell user={user} bell={bell} contentId={contentId} onLogout={logout}>
          {children}
        </Shell>
      ) : (
        <OpenFrame>{children}</OpenFrame>
      )}
    </>
  )
}

function OwnPage() {
  const user = useUser()
  const { pathname } = useLocation()
  if (!user?.institute) return <NoInstitute />
  return (
    <>
      <DeskWatch isCalendar={pathname === paths.diary} />
      {(pathname === paths.mySalon || pathname === paths.diary) && <RearrangeBanner />}
      <Outlet />
    </>
  )
}

/** The session may be known before this part of the document is hydrated: what was sent stands until it is. */
function HydratedPage() {
  if (!useHydrated()) return <PageSkeleton />
  return (
    <Guarded>
      <OwnPage />
    </Guarded>
  )
}

export default function DashboardLayout() {
  return (
    <Frame>
      <Suspense fallback={<PageSkeleton />}>
        <HydratedPage />
      </Suspense>
    </Frame>
  )
}

/** A page that failed keeps the sidebar beside it. */
export function ErrorBoundary() {
  const error = useRouteError()
  return (
    <Frame>
      <PageError error={error} />
    </Frame>
  )
}
