/** Locks of persons, taken before those of diaries. */
import { sql } from 'kysely'
import type { SelfScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { someId, statement } from '#/platform/statement.ts'

const lockPersonsStatement = statement(
  { name: 'unitOfWork.lockPersons', row: {}, tries: [{ ids: [someId] }] },
  ({ ids }: { ids: readonly string[] }) =>
    sql`select from (select pg_advisory_xact_lock(k) from (select distinct person_lock(id) as k from unnest(${ids}::uuid[]) as id order by 1) persons) locked`,
)
/** One at a time for each person, so that counts of holds stay true. Taken before the lock of a diary. */
export const lockPersons = async (db: Db, scopes: readonly SelfScope[]): Promise<void> =>
  void (await lockPersonsStatement.all(db, { ids: scopes.map(({ userId }) => userId) }))
