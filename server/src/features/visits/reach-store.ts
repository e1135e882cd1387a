/** Whose visits somebody reads what was paid and agreed of: the condition that such readings carry, beside the id they are asked for. */
import { type RawBuilder, sql } from 'kysely'
import type { InstituteScope, SelfScope, SystemScope } from '#/platform/access.ts'

/** A client with their own visits, an institute with those there, or the system with any. */
export type PartyScope = SelfScope | InstituteScope<never> | SystemScope
export interface Reach {
  /** Whose visit it has to be; null where that is not asked. */
  userId: string | null
}

/** What is asked for, as far as the scope reaches: an institute reads its own whatever is named. */
export const reachedBy = <Asked extends { instituteId: string }>(scope: PartyScope, asked: Asked): Asked & Reach => ({
  ...asked,
  instituteId: scope.kind === 'institute' ? scope.instituteId : asked.instituteId,
  userId: scope.kind === 'self' ? scope.userId : null,
})
/** Nothing of a visit is there for a client whose it is not. */
export const isReached = (visitId: string | null, { userId }: Reach): RawBuilder<unknown> =>
  sql`(${userId}::uuid is null or exists (select from appointments own where own.id = ${visitId}::uuid and own.user_id = ${userId}::uuid))`
