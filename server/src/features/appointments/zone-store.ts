import { sql } from 'kysely'
import type { DiaryReaderScope } from '#/features/visits/service.ts'
import type { Db } from '#/platform/database.ts'
import { c, someId, statement } from '#/platform/statement.ts'

const zone = statement(
  { name: 'appointments.zone', row: { timeZone: c.text }, tries: [{ instituteId: someId }] },
  ({ instituteId }: { instituteId: string }) => sql`select time_zone as "timeZone" from institutes where id = ${instituteId}`,
)
/** The zone of an institute's calendar. */
export const zoneOf = async (db: Db, { instituteId }: DiaryReaderScope): Promise<string> =>
  (await zone.one(db, { instituteId }))?.timeZone ?? 'UTC'
