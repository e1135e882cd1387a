// Who is signed in, followed by every part of the page: the stored token and the session query it opens.
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { SessionUser } from '@soigne/contract/session'
import { minuteMs } from '@soigne/contract/time'
import { createContext, useContext, useDeferredValue, useEffect, useMemo, useSyncExternalStore, type ReactNode } from 'react'
import { api } from './api.ts'
import { forgetKeptAnswers } from './kept-answers.ts'
import { forgetWindow, readStored, removeStored, storageKeys, watchStored, writeStored } from './storage.ts'

export type Session =
  /** Rendered on the server, or not yet hydrated: the token has not been read. */
  | { kind: 'unread' }
  | { kind: 'guest' }
  /** A token is stored; whose it is has not been answered yet. */
  | { kind: 'loading' }
  | { kind: 'user'; user: SessionUser }
  /** A token is stored, but the server could not be asked. */
  | { kind: 'failed'; error: Error; retry: () => void }

const SessionContext = createContext<Session>({ kind: 'unread' })

/** On the server nothing outlives its page: a timer would keep the whole of it for a minute. */
const keptMs = typeof window === 'undefined' ? Infinity : minuteMs

const sessionKey = ['session'] as const

export function sessionQuery(token: string | null) {
  return {
    queryKey: [...sessionKey, token],
    queryFn: ({ signal }: { signal: AbortSignal }) => api.me({}, { signal, ...(token === null ? {} : { token }) }),
    enabled: token !== null,
    staleTime: 10_000,
    gcTime: keptMs,
    retry: false,
    refetchOnReconnect: true,
    refetchOnMount: true,
    refetchOnWindowFocus: false,
  } as const
}

function useStoredToken(): string | null | undefined {
  return useSyncExternalStore(
    watchStored,
    () => readStored(storageKeys.token),
    () => undefined,
  )
}

/**
 * The stored token, unread until every part that the document brought has taken over: a context that changes before takes
 * away, for as long as their scripts are on the way, the parts that wait for them.
 */
function useTokenOnceTakenOver(stored: string | null | undefined): string | null | undefined {
  return useDeferredValue(stored) === undefined ? undefined : stored
}

/**
 * What was read for one person is not shown to the next: a session may end by itself, or be closed and opened in another tab. Heard before the page is drawn with
 * the new token; an effect of it would come too late. What is on screen as a session ends stays in use, as anybody's pages have to, and is read anew for the next
 * person; what somebody was typing stays.
 */
function useNoAnswersOfOthers(): void {
  const queries = useQueryClient()
  useEffect(() => {
    let before = readStored(storageKeys.token)
    let isOfSomebody = false
    return watchStored(() => {
      const [left, now] = [before, readStored(storageKeys.token)]
      if (left === now) return
      before = now
      if (left !== null) {
        isOfSomebody = true
        forgetKeptAnswers()
      }
      if (!isOfSomebody) return
      const predicate = ({ queryKey: [kind, token] }: { queryKey: readonly unknown[] }): boolean => kind !== sessionKey[0] || token !== now
      queries.removeQueries({ predicate, type: 'inactive' })
      if (now === null) return
      isOfSomebody = false
      void queries.resetQueries({ predicate, type: 'active' })
    })
  }, [queries])
}

export function SessionProvider({ children }: { children: ReactNode }) {
  useNoAnswersOfOthers()
  const stored = useStoredToken()
  const token = useTokenOnceTakenOver(stored)
  const { data, error, refetch } = useQuery(sessionQuery(stored ?? null))
  useEffect(() => {
    // The style sheet reads this mark; the script in the head set it first.
    if (token !== undefined) document.documentElement.dataset['session'] = token === null ? 'guest' : 'user'
  }, [token])
  const session = useMemo<Session>(() => {
    if (token === undefined) return { kind: 'unread' }
    if (token === null) return { kind: 'guest' }
    if (data) return { kind: 'user', user: data }
    if (error) return { kind: 'failed', error, retry: () => void refetch() }
    return { kind: 'loading' }
  }, [token, data, error, refetch])
  return <SessionContext value={session}>{children}</SessionContext>
}

export function useSession(): Session {
  return useContext(SessionContext)
}

/** The signed-in person, or null while there is none or it is not known yet. */
export function useUser(): SessionUser | null {
  const session = useSession()
  return session.kind === 'user' ? session.user : null
}

/**
 * Where a change of session leads: after signing in, or after leaving a page that needed it. The guard takes it in the
 * same render that learns of the change, so that its own redirects do not come first.
 */
let redirectTo: string | null = null

export function pendingRedirect(): string | null {
  return redirectTo
}

/** Sets where the next change of session leads; null when it has been taken. */
export function setPendingRedirect(to: string | null): void {
  redirectTo = to
}

async function openSession(queries: QueryClient, token: string, to: string): Promise<void> {
  try {
    // Fetched before the token is stored: the page changes once, from guest to user.
    await queries.fetchQuery({ ...sessionQuery(token), staleTime: 0 })
  } catch {
    // Signed in all the same; the session is asked for again as soon as the token is there.
  }
  setPendingRedirect(to)
  writeStored(storageKeys.token, token)
}

function forgetSession(queries: QueryClient, to: string): void {
  setPendingRedirect(to)
  forgetWindow()
  removeStored(storageKeys.token, storageKeys.setupDraft, storageKeys.skipRegistration, storageKeys.messages)
  queries.clear()
  forgetKeptAnswers()
}

/** Forgotten here first: nothing is asked any more with a token that the server is about to forget. */
async function closeSession(queries: QueryClient, to: string): Promise<void> {
  const token = readStored(storageKeys.token)
  forgetSession(queries, to)
  if (token !== null) await api.logout({}, { token, outlivesPage: true })
}

export function useSessionActions() {
  const queries = useQueryClient()
  return useMemo(
    () => ({
      /** Keeps the token of a sign-in and brings its person to `to`. */
      open: (token: string, to: string) => openSession(queries, token, to),
      /** Signs out here at once and brings the person to `to`, then tells the server; a failure is passed on. */
      close: (to: string) => closeSession(queries, to),
      /** The session has ended on the server already. */
      forget: (to: string) => forgetSession(queries, to),
      /** Asks again who is signed in, such as after the email was confirmed. */
      refresh: () => queries.invalidateQueries({ queryKey: sessionKey }),
    }),
    [queries],
  )
}
