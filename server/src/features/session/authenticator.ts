/** Who sends a request, by the token they send with it. */
import { type Instant, minuteMs } from '@soigne/contract/time'
import { LRUCache } from 'lru-cache'
import { type Identity, systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Authenticate } from '#/platform/calls.ts'
import type { Db } from '#/platform/database.ts'
import { parseInstant } from '#/platform/instants.ts'
import { refuse } from '#/platform/refuse.ts'
import { SessionProof } from '#/platform/session-proof.ts'
import { together } from '#/platform/together.ts'
import { hashToken } from '#/platform/tokens.ts'
import { fitForText, sessionLifeMs, sessionLongestMs } from './session-life.ts'
import { findSessions, type SessionRow, type SessionUse, touchSessions } from './store.ts'

/** Nobody is known yet. */
const system = systemScope('authenticate')
const bearer = /^Bearer +([A-Za-z0-9_-]{43})$/i

interface TokenAsked {
  tokenHash: Buffer
  now: Instant
  userAgent: string | null
}
interface TokenFound {
  session: SessionRow
  /** Once its use is noted, where that is due. */
  noted: Promise<void> | null
}
/** The sessions of those who ask at the same moment are one statement, and so is what is noted of those that were not used for a minute. */
const finderOf = (db: Db): ((asked: TokenAsked) => Promise<TokenFound | null>) =>
  together(
    async (asked: readonly TokenAsked[]) => {
      const now = Math.max(...asked.map((one) => one.now)) as Instant
      const found = await findSessions(db, system, { tokenHashes: asked.map(({ tokenHash }) => tokenHash), now: new Date(now) })
      const sessions = asked.map(({ tokenHash }) => found.find((one) => one.tokenHash.equals(tokenHash)) ?? null)
      const isDue = (session: SessionRow): boolean => parseInstant(session.lastSeenAt) < now - minuteMs
      const uses = asked.flatMap((one, n) => {
        const session = sessions[n]
        return session && isDue(session) ? [{ sessionId: session.sessionId, now: one.now, userAgent: one.userAgent }] : []
      })
      const noted = uses.length > 0 ? noteUse(db, uses, now) : null
      return sessions.map((session) => session && { session, noted: isDue(session) ? noted : null })
    },
    { atOnce: 1, most: 50 },
  )

type Use = Pick<SessionUse, 'sessionId' | 'userAgent'> & { now: Instant }

function noteUse(db: Db, uses: readonly Use[], now: Instant): Promise<void> {
  const noted = touchSessions(db, system, {
    uses: uses.map((one) => ({ ...one, now: new Date(one.now), expiresAt: new Date(one.now + sessionLifeMs) })),
    seenBefore: new Date(now - minuteMs),
    longestMs: sessionLongestMs,
  })
  // It may fail before anybody looks at it, who then fails with it.
  noted.catch(() => {})
  return noted
}

const mostRemembered = 10_000

interface Remembered extends Identity {
  /** Then its use is to be noted, for which it is read. */
  until: Instant
}

/**
 * Who sends a request, by its bearer token. A session in use is prolonged, at most once a minute. For as long, calls that prove it themselves are given it
 * unread (docs/decisions/146): of people whose email is confirmed, since others may do less.
 */
export function authenticator(context: AppContext): Authenticate {
  const find = finderOf(context.database.prepared)
  const remembered = new LRUCache<string, Remembered>({ max: mostRemembered })
  async function read(tokenHash: Buffer, userAgent: string | null): Promise<Identity> {
    const now = context.clock.now() as Instant
    const key = tokenHash.toString('base64')
    remembered.delete(key)
    const found = await find({ tokenHash, now, userAgent: fitForText(userAgent) })
    if (!found) throw refuse('unauthorized')
    const { session, noted } = found
    await noted
    const { userId, sessionId, emailVerified } = session
    const seenAt = noted ? now : Math.min(now, parseInstant(session.lastSeenAt))
    if (emailVerified) remembered.set(key, { userId, sessionId, emailVerified, until: (seenAt + minuteMs) as Instant })
    return { userId, sessionId, emailVerified }
  }
  return async (authorization, { userAgent, mayRemember = false }) => {
    const token = bearer.exec(authorization ?? '')?.[1]
    if (!token) throw refuse('unauthorized')
    const tokenHash = hashToken(token)
    const known = mayRemember ? remembered.get(tokenHash.toString('base64')) : undefined
    if (!known || known.until <= context.clock.now()) return read(tokenHash, userAgent)
    const { userId, sessionId, emailVerified } = known
    const proof = new SessionProof(sessionId, async () => {
      if (!(await read(tokenHash, userAgent)).emailVerified) throw refuse('email_unverified')
    })
    return { userId, sessionId, emailVerified, proof }
  }
}
