/** Who asks, in which language, under which key. */
import type { Locale } from '@soigne/contract/wire'
import type { SelfScope } from '#/platform/access.ts'
import type { OnceKey } from '#/platform/idempotency.ts'

export interface Requester {
  scope: SelfScope
  locale: Locale
  idempotencyKey: string | null
}

export const keyOf = (who: Requester, request: unknown): OnceKey | null =>
  who.idempotencyKey === null ? null : { userId: who.scope.userId, key: who.idempotencyKey, request }
