/** Whether somebody may set up an institute: a professional who owns none. */
import type { SelfScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { refuse } from '#/platform/refuse.ts'
import { standingOf } from './store.ts'

/** @throws forbidden to clients */
export async function checkProfessional(db: Db, scope: SelfScope): Promise<{ ownsInstitute: boolean; claimId: string | null }> {
  const standing = await standingOf(db, scope)
  if (standing?.role !== 'isPro') throw refuse('forbidden')
  return standing
}
