/** What happened to a visit, by whom, and the zone of the calendar it stands in. */
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import type { DiaryReaderScope } from '#/features/visits/service.ts'
import type { Db } from '#/platform/database.ts'
import { c, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

const happened = {
  kind: c.text,
  actorKind: orNull(c.text),
  name: orNull(c.text),
  at: c.instant,
  payload: c.json<{ startsAt?: string; attendance?: string }>(z.looseObject({})),
}
export type Happened = RowOf<typeof happened>

interface Asked {
  id: string
  instituteId: string
  limit: number
}
const columns: RawBuilder<unknown> = sql`e.kind, e.actor ->> 'kind' as "actorKind", nullif(trim(u.first_name || ' ' || u.last_name), '') as name, e.at, e.payload`
const history = statement(
  { name: 'appointments.history', row: happened, tries: [{ id: someId, instituteId: someId, limit: 1 }] },
  ({ id, instituteId, limit }: Asked) => sql`select ${columns} from events e left join users u on u.id = (e.actor ->> 'userId')::uuid
    where e.subject_id = ${id} and e.institute_id = ${instituteId} order by e.id desc limit ${limit}`,
)
/** Newest first. The visit was found by the same scope. */
export const historyOf = (db: Db, scope: DiaryReaderScope, id: string, limit = 100): Promise<Happened[]> =>
  history.all(db, { id, instituteId: scope.instituteId, limit })

const zone = statement(
  { name: 'appointments.zone', row: { timeZone: c.text }, tries: [{ instituteId: someId }] },
  ({ instituteId }: { instituteId: string }) => sql`select time_zone as "timeZone" from institutes where id = ${instituteId}`,
)
/** The zone of an institute's calendar. */
export const zoneOf = async (db: Db, scope: DiaryReaderScope): Promise<string> =>
  (await zone.one(db, { instituteId: scope.instituteId }))?.timeZone ?? 'UTC'
