// What stands around every page for whoever is signed in, on the site and in the dashboard.
import type { chatNamespace } from '@soigne/contract/chat'
import { type ReactNode, Suspense, useCallback, useEffect, useEffectEvent, useState } from 'react'
import { PageError } from '#/features/site/page-error.tsx'
import { PageSkeleton } from '#/features/site/page-skeleton.tsx'
import { LogoutQuestion } from '#/features/site/use-logout.ts'
import { paths } from '#/paths.ts'
import { EmailGateProvider } from '#/platform/email-gate.tsx'
import { useSession, useUser } from '#/platform/session.tsx'
import { lazily } from '#/ui/lazily.tsx'
import { useDecision } from '#/use-decision.ts'

const EmailConfirmation = lazily(async () => (await import('#/features/verification/email-confirmation.tsx')).EmailConfirmation)

const Bell = lazily(async () => (await import('#/features/notifications/bell.tsx')).Bell)

/** Reads the session by itself: a frame that followed it would change while its page is not hydrated yet. */
export function OwnBell() {
  const user = useUser()
  return (
    user && (
      <Suspense>
        <Bell key={user.id} user={user} />
      </Suspense>
    )
  )
}

const UnreadCount = lazily(async () => (await import('#/features/chat/unread-count.tsx')).UnreadCount)

/** Beside the link to one's conversations. */
export function OwnUnread() {
  const user = useUser()
  return (
    user && (
      <Suspense>
        <UnreadCount key={user.id} user={user} />
      </Suspense>
    )
  )
}

const LiveConnection = lazily(async () => (await import('#/platform/live-connection.tsx')).LiveConnection)

/** The contract's module would bring its schemas; the namespace is named like the page. */
const liveNamespace: typeof chatNamespace = paths.chats

export function OwnLive() {
  const user = useUser()
  return (
    user && (
      <Suspense>
        <LiveConnection key={user.id} namespace={liveNamespace} />
      </Suspense>
    )
  )
}

const SetupBanner = lazily(async () => (await import('#/features/setup-banner/setup-banner.tsx')).SetupBanner)

/** Of a professional who has a draft; whoever has none brings nothing. */
export function OwnSetupBanner() {
  const user = useUser()
  const isWanted = user?.role === 'isPro' && user.isEmailVerified && !user.institute
  return (
    isWanted && (
      <Suspense>
        <SetupBanner key={user.id} user={user} />
      </Suspense>
    )
  )
}

const DeskLeave = lazily(async () => (await import('#/features/day-sheet/desk-leave.tsx')).DeskLeave)

function Leaving({ logout, onStay }: { logout: () => void; onStay: () => void }) {
  const user = useUser()
  const worksHere = user?.institute !== undefined
  const go = useEffectEvent(logout)
  useEffect(() => {
    if (!worksHere) go()
  }, [worksHere])
  return (
    worksHere && (
      <Suspense>
        <DeskLeave logout={logout} onStay={onStay} />
      </Suspense>
    )
  )
}

/** Who works in a salon may have noted something at its desk that the server does not have yet. */
export function AskedLogout({ children }: { children: ReactNode }) {
  const [logout, setLogout] = useState<(() => void) | null>(null)
  const ask = useCallback((next: () => void) => {
    setLogout(() => () => {
      setLogout(null)
      next()
    })
  }, [])
  const stay = useCallback(() => setLogout(null), [])
  return (
    <LogoutQuestion value={ask}>
      {children}
      {logout && <Leaving logout={logout} onStay={stay} />}
    </LogoutQuestion>
  )
}

const emailGate = (
  <Suspense fallback={<PageSkeleton />}>
    <EmailConfirmation />
  </Suspense>
)

/** What the guards say stands in the page's place. */
export function Guarded({ children }: { children: ReactNode }) {
  const decision = useDecision()
  const session = useSession()
  switch (decision.kind) {
    case 'stay':
      return <EmailGateProvider value={emailGate}>{children}</EmailGateProvider>
    case 'gate':
      return emailGate
    case 'failed':
      return session.kind === 'failed' ? <PageError error={session.error} retry={session.retry} /> : <PageError error={null} />
    case 'wait':
    case 'redirect':
      return <PageSkeleton />
  }
}
