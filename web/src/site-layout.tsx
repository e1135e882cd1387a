// Header, page and footer, with the guard deciding what stands in the page's place.
import { Suspense, type ReactNode } from 'react'
import type { chatNamespace } from '@soigne/contract/chat'
import { paths } from '#/paths.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Outlet, useLocation, useRouteError } from 'react-router'
import { favouriteOfHash } from '#/features/favourites/pending-favourite-hash.ts'
import { Footer } from '#/features/site/footer.tsx'
import { Header } from '#/features/site/header.tsx'
import { contentId, NavigationHint } from '#/features/site/navigation-hint.tsx'
import { PageError } from '#/features/site/page-error.tsx'
import { PageSkeleton } from '#/features/site/page-skeleton.tsx'
import { EmailGateProvider } from '#/platform/email-gate.tsx'
import { useSession, useUser } from '#/platform/session.tsx'
import { useDecision } from '#/use-decision.ts'
import styles from './site-layout.module.css'
import { lazily } from '#/ui/lazily.tsx'

const EmailConfirmation = lazily(async () => (await import('#/features/verification/email-confirmation.tsx')).EmailConfirmation)

const Bell = lazily(async () => (await import('#/features/notifications/bell.tsx')).Bell)

function OwnBell() {
  const user = useUser()
  return (
    user && (
      <Suspense>
        <Bell key={user.id} user={user} />
      </Suspense>
    )
  )
}

const LiveConnection = lazily(async () => (await import('#/platform/live-connection.tsx')).LiveConnection)

/** The contract's module would bring its schemas; the namespace is named like the page. */
const liveNamespace: typeof chatNamespace = paths.chats

function OwnLive() {
  const user = useUser()
  return (
    user && (
      <Suspense>
        <LiveConnection key={user.id} namespace={liveNamespace} />
      </Suspense>
    )
  )
}

const bell = <OwnBell />

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

const emailGate = (
  <Suspense fallback={<PageSkeleton />}>
    <EmailConfirmation />
  </Suspense>
)

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
      <Header bell={bell} />
      <main id={contentId} tabIndex={-1} className={styles.content}>
        {children}
      </main>
      <Footer />
    </>
  )
}

function GuardedPage() {
  const decision = useDecision()
  const session = useSession()
  switch (decision.kind) {
    case 'stay':
      return (
        <EmailGateProvider value={emailGate}>
          <Outlet />
        </EmailGateProvider>
      )
    case 'gate':
      return emailGate
    case 'failed':
      return session.kind === 'failed' ? <PageError error={session.error} retry={session.retry} /> : <PageError error={null} />
    case 'wait':
    case 'redirect':
      return <PageSkeleton />
  }
}

export default function SiteLayout() {
  return (
    <Frame>
      <Suspense fallback={<PageSkeleton />}>
        <GuardedPage />
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
