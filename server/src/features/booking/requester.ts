/** Who asks, in which language, under which key. */
import type { Locale } from '@soigne/contract/wire'
import type { InstituteScope, SelfScope } from '#/platform/access.ts'
import type { OnceKey } from '#/platform/idempotency.ts'

export interface Requester<Allowed extends SelfScope | InstituteScope<never> = SelfScope> {
  scope: Allowed
  locale: Locale
  idempotencyKey: string | null
}

/** Keys are kept by user: programs and the system have none. */
export function keyOf({ scope, idempotencyKey }: Requester<SelfScope | InstituteScope<never>>, request: unknown): OnceKey | null {
  const { actor } = scope
  return idempotencyKey === null || !('userId' in actor) ? null : { userId: actor.userId, key: idempotencyKey, request }
}
