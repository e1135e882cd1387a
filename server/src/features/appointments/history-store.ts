/** What stands around a visit: what happened to it and by whom, what needs it, and the zone of its calendar. */
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import type { SelfScope } from '#/platform/access.ts'
import type { DiaryReaderScope } from '#/features/visits/service.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

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

const needing = {
  id: c.uuid,
  startsAt: c.instant,
  by: known(c.instant),
  snapshot: c.json<{ name: Partial<Record<string, string>> }>(z.looseObject({ name: z.partialRecord(z.string(), z.string()) })),
}
interface Needed {
  id: string
  userId: string
  now: Date
}
/** Whether a test holds for a visit: over so long before it, and not too long. */
const holdsFor = (test: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`${test}.ends_at + make_interval(hours => p.min_hours) <= b.starts_at and ${test}.ends_at + make_interval(months => p.max_months) >= b.starts_at`
const stands = (visit: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`coalesce(${visit}.life, ${visit}.status) not in ('held', 'cancelled') and ${visit}.attendance <> 'no_show'`
const [test, other, at, after] = [sql`s`, sql`o`, sql`c`, sql`b`]
const needingIt = statement(
  { name: 'appointments.needingIt', row: needing, tries: [{ id: someId, userId: someId, now: new Date(0) }] },
  ({
    id,
    userId,
    now,
  }: Needed) => sql`select distinct on (b.starts_at, b.id) b.id, b.starts_at as "startsAt", b.starts_at - make_interval(hours => p.min_hours) as "by", n.snapshot from segments s
    join appointments a on a.id = s.appointment_id join service_prerequisites p on p.required_service_id = s.service_id
    join segments n on n.service_id = p.service_id join appointments b on b.id = n.appointment_id
    where s.appointment_id = ${id} and a.user_id = ${userId} and b.user_id = a.user_id and b.institute_id = a.institute_id and b.id <> a.id
      and b.starts_at > ${now} and ${stands(after)} and ${holdsFor(test)}
      and not exists (select from segments o join appointments c on c.id = o.appointment_id where o.service_id = p.required_service_id
        and c.user_id = a.user_id and c.institute_id = a.institute_id and c.id <> a.id and ${stands(at)} and ${holdsFor(other)})
    order by b.starts_at, b.id, n.position`,
)
/** Visits to come of the same person that would miss this one, as no other test holds for them. */
export const visitsNeeding = (db: Db, scope: SelfScope, id: string, now: Date): Promise<RowOf<typeof needing>[]> =>
  needingIt.all(db, { id, userId: scope.userId, now })
