/** Closed days of an institute, as rows. */
import { locales } from '@soigne/contract/wire'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'
import type { LocalizedText, SettingsScope } from './store.ts'

const closureRow = {
  id: c.uuid,
  fromDay: c.day,
  toDay: c.day,
  opensAt: orNull(c.int),
  closesAt: orNull(c.int),
  reason: c.json(z.partialRecord(z.enum(locales), z.string())),
}
export type ClosureRow = RowOf<typeof closureRow>

const columns = sql`id, from_day as "fromDay", to_day as "toDay", opens_at as "opensAt", closes_at as "closesAt", reason`
const ahead = statement(
  { name: 'instituteSettings.closuresAhead', row: closureRow, tries: [{ instituteId: someId, today: '2026-01-01' }] },
  ({ instituteId, today }: { instituteId: string; today: string }) =>
    sql`select ${columns} from closures where institute_id = ${instituteId} and to_day >= ${today}::date order by from_day, opens_at nulls first, id`,
)
/** Closures of a day and later, soonest first. */
export const closuresAhead = (db: Db, scope: SettingsScope, today: string): Promise<ClosureRow[]> =>
  ahead.all(db, { instituteId: scope.instituteId, today })

export type NewClosure = Omit<ClosureRow, 'id' | 'reason'> & { reason: LocalizedText }
const insert = statement(
  {
    name: 'instituteSettings.insertClosure',
    row: closureRow,
    tries: [{ instituteId: someId, fromDay: '2026-01-01', toDay: '2026-01-01', opensAt: null, closesAt: null, reason: {} }],
  },
  ({ instituteId, fromDay, toDay, opensAt, closesAt, reason }: NewClosure & { instituteId: string }) =>
    sql`insert into closures (institute_id, from_day, to_day, opens_at, closes_at, reason)
      values (${instituteId}, ${fromDay}::date, ${toDay}::date, ${opensAt}, ${closesAt}, ${JSON.stringify(reason)}::jsonb) returning ${columns}`,
)
export async function insertClosure(unit: Unit, closure: NewClosure): Promise<ClosureRow> {
  const made = await insert.one(unit.db, { ...closure, instituteId: unit.instituteId })
  if (!made) throw new Error('a closure was not stored')
  return made
}

const remove = statement(
  { name: 'instituteSettings.removeClosure', row: { id: c.uuid }, tries: [{ instituteId: someId, id: someId }] },
  ({ instituteId, id }: { instituteId: string; id: string }) =>
    sql`delete from closures where id = ${id} and institute_id = ${instituteId} returning id`,
)
/** False when the institute has no such closure. */
export const removeClosure = async (unit: Unit, id: string): Promise<boolean> =>
  (await remove.one(unit.db, { instituteId: unit.instituteId, id })) !== null

const count = statement(
  { name: 'instituteSettings.countClosures', row: { closures: known(c.count) }, tries: [{ instituteId: someId, today: '2026-01-01' }] },
  ({ instituteId, today }: { instituteId: string; today: string }) =>
    sql`select count(*) as closures from closures where institute_id = ${instituteId} and to_day >= ${today}::date`,
)
export const countClosuresAhead = async (unit: Unit, today: string): Promise<number> =>
  (await count.one(unit.db, { instituteId: unit.instituteId, today }))?.closures ?? 0
