// Header, page and footer, with the guard deciding what stands in the page's place.
import { contentId } from '#/content-id.ts'
import { Suspense, type ReactNode } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { Outlet, useLocation, useRouteError } from 'react-router'
import { favouriteOfHash } from '#/features/favourites/pending-favourite-hash.ts'
import { Footer } from '#/features/site/footer.tsx'
import { Header } from '#/features/site/header.tsx'
import { NavigationHint } from '#/features/site/navigation-hint.tsx'
import { PageError } from '#/features/site/page-error.tsx'
import { PageSkeleton } from '#/features/site/page-skeleton.tsx'
import { AskedLogout, Guarded, OwnBell, OwnLive, OwnSetupBanner, OwnUnread } from '#/frame-parts.tsx'
import { useUser } from '#/platform/session.tsx'
import styles from './site-layout.module.css'
import { lazily } from '#/ui/lazily.tsx'

const bell = <OwnBell />
const unread = <OwnUnread />

const PendingFavourite = lazily(async () => (await import('#/features/favourites/pending-favourite.tsx')).PendingFavourite)

/** Reads the session by itself: a frame that followed it would change while its page is not hydrated yet. */
function OwnPendingFavourite() {
  const user = useUser()
  const { hash } = useLocation()
  return (
    user &&
    favouriteOfHash(hash) !== null && (
      <Suspense>
        <PendingFavourite user={user} />
      </Suspense>
    )
  )
}

function Frame({ children }: { children: ReactNode }) {
  const { t } = useTranslation('site')
  return (
    <>
      <a className="skip-link" href={`#${contentId}`}>
        {t('skipToContent')}
      </a>
      <NavigationHint />
      <OwnPendingFavourite />
      <OwnLive />
      <AskedLogout>
        <Header bell={bell} unread={unread} />
      </AskedLogout>
      <main id={contentId} tabIndex={-1} className={styles.content}>
        {children}
      </main>
      <Footer />
      <OwnSetupBanner />
    </>
  )
}

export default function SiteLayout() {
  return (
    <Frame>
      <Suspense fallback={<PageSkeleton />}>
        <Guarded>
          <Outlet />
        </Guarded>
      </Suspense>
    </Frame>
  )
}

/** A page that failed keeps the header and the footer around it. */
export function ErrorBoundary() {
  const error = useRouteError()
  return (
    <Frame>
      <PageError error={error} />
    </Frame>
  )
}
