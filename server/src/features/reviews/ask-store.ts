/** Who has been somewhere and has not said how it was. */
import { sql } from 'kysely'
import type { SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, type RowOf, someId, statement } from '#/platform/statement.ts'

/** The key of the letter that asks of a visit. */
export const askKey = (appointmentId: string): string => `review-request:${appointmentId}`

interface Over {
  /** Visits that ended between these. */
  from: Date
  until: Date
  /** Of people after this one, in the order of their ids. */
  after: string
  most: number
}
const row = { appointmentId: c.uuid, userId: known(c.uuid), instituteId: c.uuid, timeZone: c.text }
const toAsk = statement(
  { name: 'reviews.toAsk', row, tries: [{ from: new Date(0), until: new Date(0), after: someId, most: 1 }] },
  ({ from, until, after, most }: Over) => sql`
    select distinct on (a.user_id, a.institute_id) a.id as "appointmentId", a.user_id as "userId", a.institute_id as "instituteId",
      a.time_zone as "timeZone"
    from appointments a join users u on u.id = a.user_id
    where a.ends_at > ${from} and a.ends_at <= ${until} and a.user_id > ${after}
      and coalesce(a.life, life_of_status(a.status)) = 'booked' and a.attendance <> 'no_show'
      and not exists (select from reviews r where r.appointment_id = a.id)
      and not exists (select from notification_choices q where q.user_id = a.user_id and q.kind = 'reviews' and q.channel = 'mail')
      and not exists (select from mails m where m.recipient = u.email::text and m.kind = 'review_request' and m.institute_id = a.institute_id)
      and not exists (select from institute_people p where p.institute_id = a.institute_id and p.user_id = a.user_id)
      and not exists (select from team_members t where t.institute_id = a.institute_id and t.user_id = a.user_id)
    order by a.user_id, a.institute_id, a.ends_at desc limit ${most}`,
)
/** The last visit of each person at each institute, while neither was asked of the other as long as letters are kept. */
export const visitsToAskOf = (db: Db, _scope: SystemScope, asked: Over): Promise<RowOf<typeof row>[]> => toAsk.all(db, asked)
