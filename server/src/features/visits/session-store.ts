/** Sessions of packages that pay, or paid, for a visit. */
import { sql } from 'kysely'
import type { Db } from '#/platform/database.ts'
import { c, known, type RowOf, someId, statement } from '#/platform/statement.ts'
import { isReached, type PartyScope, type Reach, reachedBy } from './reach-store.ts'

interface OfVisit {
  instituteId: string
  visitId: string
}
const row = { name: c.text, isBack: known(c.bool), count: known(c.count) }
const ofVisit = statement(
  { name: 'visits.sessions', row, tries: [{ instituteId: someId, visitId: someId, userId: null }] },
  (asked: OfVisit & Reach) => sql`select p.name, u.id is not null as "isBack", count(*)::int8 as count
    from client_package_moves m join client_packages p on p.id = m.client_package_id
      left join client_package_moves u on u.line_id = m.line_id and u.kind = 'undone'
    where m.sale_id = ${asked.visitId} and m.institute_id = ${asked.instituteId} and m.kind = 'used' and ${isReached(asked.visitId, asked)} group by p.id, p.name, 2 order by 1, p.id, 2`,
)
export type SessionsUsed = RowOf<typeof row>
/** By package, those that are back apart. */
export const sessionsOfVisit = (db: Db, scope: PartyScope, asked: OfVisit): Promise<SessionsUsed[]> =>
  ofVisit.all(db, reachedBy(scope, asked))
