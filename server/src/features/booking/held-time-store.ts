/** What holds keep from others, as all processes see it. */
import { sql } from 'kysely'
import type { SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import type { Fill } from '#/platform/fills.ts'
import { c, known, orNull, statement } from '#/platform/statement.ts'

const nobody = '00000000-0000-7000-8000-000000000000'

const heldAtStatement = statement(
  {
    name: 'booking.heldAt',
    row: { minutes: known(c.int), unconfirmed: known(c.int), firstEnd: orNull(c.instant) },
    tries: [{ instituteId: nobody, least: 60, now: new Date(0) }],
  },
  ({ instituteId, least, now }: { instituteId: string; least: number; now: Date }) =>
    sql`select coalesce(sum(held.minutes), 0)::int as minutes, coalesce(sum(held.minutes) filter (where not held.verified), 0)::int as unconfirmed, min(held.expires_at) as "firstEnd"
      from (
        select a.expires_at, u.email_verified_at is not null as verified, greatest(${least}::int, sum(extract(epoch from upper(o.during) - lower(o.during)) / 60)) as minutes
        from appointments a join users u on u.id = a.user_id join occupations o on o.appointment_id = a.id and o.subject_kind = 'member'
        where a.institute_id = ${instituteId} and a.expires_at > ${now} group by a.id, u.id) held`,
)
/** Minutes of members that live holds of an institute take, each counted as `least` at least, and when the first of them ends. */
export const heldAt = async (db: Db, _scope: SystemScope, params: { instituteId: string; least: number; now: Date }) =>
  (await heldAtStatement.one(db, params)) ?? { minutes: 0, unconfirmed: 0, firstEnd: null }

const standingsStatement = statement(
  { name: 'booking.standingsOfHolds', row: { id: c.uuid, isLive: known(c.bool) }, tries: [{ ids: [], now: new Date(0) }] },
  ({ ids, now }: { ids: readonly string[]; now: Date }) =>
    sql`select id, expires_at is not null and expires_at > ${now} as "isLive" from appointments where id = any(${ids}::uuid[]) and (expires_at is null or expires_at > ${now})`,
)
/** Of visits that were held: those that are held still, and those that have become appointments. The others ran out or were let go. */
export const standingsOfHolds = (db: Db, _scope: SystemScope, params: { ids: readonly string[]; now: Date }) =>
  standingsStatement.all(db, params)

const fillHoldEndsStatement = statement(
  { name: 'booking.fillHoldEnds', row: { id: c.uuid }, tries: [{ after: nobody, rows: 1 }] },
  ({ after, rows }: { after: string; rows: number }) =>
    sql`with next as (select id, institute_id, expires_at from appointments where id > ${after} and expires_at is not null order by id limit ${rows} for share),
      noted as (insert into hold_ends (appointment_id, institute_id, expires_at) select id, institute_id, expires_at from next on conflict do nothing)
    select id from next order by id desc limit 1`,
)
/** Ends of holds that were there before the table of them. */
export const holdEnds: Fill = {
  name: '0048_hold_ends',
  fill: async (transaction, after, rows) => {
    const last = await fillHoldEndsStatement.one(transaction, { after: after ?? '00000000-0000-0000-0000-000000000000', rows })
    return last && { cursor: last.id, rows }
  },
}
