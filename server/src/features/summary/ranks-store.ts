// How much each service of a menu was booked of late, counted once a day for each institute.
import { dayMs, type Instant, minuteOf, minutesOfDay } from '@soigne/contract/time'
import { sql } from 'kysely'
import { type Database, type Db, inTransaction } from '#/platform/database.ts'
import { c, someId, statement } from '#/platform/statement.ts'
import { refreshInstitutes } from './build-summaries.ts'

/** Only what was booked within so many days counts. */
const daysCounted = 90
const together = 200

interface Turn {
  /** Institutes have their turn at the minute of the day that the end of their id gives, so that the work is spread over the day. */
  minute: number
  after: string
}

const turnOf = sql`('x' || right(id::text, 7))::bit(28)::int % ${sql.raw(String(minutesOfDay))}`
const ofMinute = statement(
  { name: 'summary.institutesOfMinute', row: { id: c.uuid }, tries: [{ minute: 1, after: someId }] },
  ({ minute, after }: Turn) =>
    sql`select id from institutes where ${turnOf} = ${minute} and id > ${after} and claimed and state = 'published' order by id limit ${together}`,
)

const rank = statement(
  { name: 'summary.rankServices', row: { id: c.uuid }, tries: [{ ids: [someId], now: 0 }] },
  ({ ids, now }: { ids: readonly string[]; now: Instant }) => {
    const since = new Date(now - daysCounted * dayMs)
    return sql`with counted as (
        select g.service_id, g.institute_id, count(*) as visits from appointments a join segments g on g.appointment_id = a.id
        where a.institute_id = any(${ids}::uuid[]) and a.starts_at > ${since} and a.created_at > ${since} and a.life = 'booked' group by 1, 2),
      ranked as (select s.id, s.institute_id, r.place::smallint as place from services s
        left join (select service_id, rank() over (partition by institute_id order by visits desc) as place from counted) r on r.service_id = s.id
        where s.institute_id = any(${ids}::uuid[])),
      changed as (update services s set booked_rank = r.place from ranked r where r.id = s.id and s.booked_rank is distinct from r.place returning s.institute_id)
      select distinct institute_id as id from changed`
  },
)

/** Counts anew for some institutes, and puts what leads in its new order. How many changed. */
export const rankServicesOf = (db: Database, ids: readonly string[], now: Instant): Promise<number> =>
  inTransaction(db, async (transaction: Db) => {
    const changed = await rank.all(transaction, { ids, now })
    await refreshInstitutes(
      transaction,
      changed.map(({ id }) => id),
      now,
    )
    return changed.length
  })

/** The institutes whose turn it is this minute. */
export async function rankServices(db: Database, now: Instant): Promise<void> {
  const minute = Math.floor(minuteOf(now)) % minutesOfDay
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const ids = (await ofMinute.all(db, { minute, after })).map(({ id }) => id)
    const last = ids.at(-1)
    if (last === undefined) return
    await rankServicesOf(db, ids, now)
    after = last
  }
}
