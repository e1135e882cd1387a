/** What is asked again: bookings that clients made, and the time that was taken, with the moment from which it was. */
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { InstituteScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

type WhatIfScope = InstituteScope<'institute.change'>

const cart = z.array(z.object({ serviceId: z.string(), staffId: z.exactOptional(z.string()), atHome: z.exactOptional(z.boolean()) }))
const madeRow = { id: c.uuid, askedAt: c.instant, startsAt: c.instant, cart: c.json(cart), total: known(c.count) }
interface MadeAsked {
  since: Date
  most: number
}
const made = statement(
  { name: 'whatIf.bookings', row: madeRow, tries: [{ instituteId: someId, since: new Date(0), most: 10 }] },
  ({ instituteId, since, most }: MadeAsked & { instituteId: string }) => sql`
    select id, created_at as "askedAt", first_starts_at as "startsAt", cart, total from (
      select a.*, row_number() over (order by a.created_at, a.id) as n, count(*) over () as total from appointments a
      where a.institute_id = ${instituteId} and a.created_at >= ${since} and a.starts_at >= ${since} and a.expires_at is null and not a.is_offer
        and coalesce(a.made_by, case when a.user_id is null then 'institute' else 'client' end) = 'client'
        and not exists (select from session_seats t where t.appointment_id = a.id)) one
    where n * ${most}::bigint / greatest(total, ${most}::bigint) > (n - 1) * ${most}::bigint / greatest(total, ${most}::bigint) order by n`,
)
/** Bookings that clients made online, those cancelled later too, in order of time: all of them, or so many evenly among them. */
export const bookingsMade = (db: Db, scope: WhatIfScope, asked: MadeAsked): Promise<RowOf<typeof madeRow>[]> =>
  made.all(db, { ...asked, instituteId: scope.instituteId })

const takenRow = { subjectId: known(c.uuid), from: known(c.int), to: known(c.int), since: known(c.float), visitId: orNull(c.uuid) }
const taken = statement(
  { name: 'whatIf.taken', row: takenRow, tries: [{ instituteId: someId, from: new Date(0), to: new Date(1), now: new Date(0), most: 10 }] },
  ({ instituteId, from, to, now, most }: TakenAsked & { instituteId: string }) => sql`
    select t.subject_id as "subjectId", floor(date_part('epoch', lower(t.during)) / 60)::int as "from", ceil(date_part('epoch', upper(t.during)) / 60)::int as "to",
      coalesce(date_part('epoch', t.since) / 60, 0) as since, t.appointment_id as "visitId"
    from (
      select o.subject_id, o.during, o.appointment_id, coalesce(a.created_at, b.created_at) as since from occupations o
        left join appointments a on a.id = o.appointment_id left join blocked_times b on b.id = o.source_id
        where o.institute_id = ${instituteId} and o.kind <> 'leave' and o.during && tstzrange(${from}, ${to}) and (o.expires_at is null or o.expires_at > ${now})
      union all
      select o.subject_id, o.during, o.appointment_id, coalesce(a.created_at, o.created_at) from soft_occupations o left join appointments a on a.id = o.appointment_id
        where o.institute_id = ${instituteId} and o.during && tstzrange(${from}, ${to})) t
    order by lower(t.during) desc limit ${most}`,
)
interface TakenAsked {
  from: Date
  to: Date
  now: Date
  most: number
}
export const takenSince = (db: Db, scope: WhatIfScope, asked: TakenAsked): Promise<RowOf<typeof takenRow>[]> =>
  taken.all(db, { ...asked, instituteId: scope.instituteId })
