import { findShown, type ShownVisit, type VisitScope } from '#/features/visits/service.ts'
import type { Db } from '#/platform/database.ts'
import { refuse } from '#/platform/refuse.ts'

/** One visit as it is now. */
export async function visitShown(db: Db, scope: VisitScope, id: string): Promise<ShownVisit> {
  const visit = await findShown(db, scope, id)
  if (!visit || visit.row.life === 'held') throw refuse('not_found')
  return visit
}
