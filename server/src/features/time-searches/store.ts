/** What was looked for: written together, read for a replay, forgotten when it is old. Of who looked there is nothing. */
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { InstituteScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, type RowOf, someId, statement } from '#/platform/statement.ts'

/** One asking for the free times of some days. */
export interface TimeSearch {
  instituteId: string
  /** ISO. */
  askedAt: string
  cart: readonly { serviceId: string; staffId?: string; atHome?: boolean }[]
  fromDay: string
  days: number
  /** How many starts were free. */
  found: number
}

const insert = statement(
  { name: 'timeSearches.insert', row: {}, tries: [[]] },
  (searches: readonly TimeSearch[]) => sql`insert into time_searches (institute_id, asked_at, cart, from_day, days, found)
    select s."instituteId", s."askedAt", s.cart, s."fromDay", s.days, s.found
    from json_to_recordset(${JSON.stringify(searches)}::json)
      as s("instituteId" uuid, "askedAt" timestamptz, cart jsonb, "fromDay" date, days smallint, found int)
    join institutes i on i.id = s."instituteId"`,
)
/** What was asked of institutes that are gone meanwhile is left out. */
export const insertSearches = (db: Db, _scope: SystemScope, searches: readonly TimeSearch[]): Promise<number> => insert.run(db, searches)

export const forgottenAtOnce = 5000
const forget = statement(
  { name: 'timeSearches.forgetOld', row: {}, tries: [new Date(0)] },
  (before: Date) =>
    sql`delete from time_searches where id in (select id from time_searches where asked_at < ${before} order by asked_at limit ${forgottenAtOnce})`,
)
/** Of before that; so many at a time. */
export const forgetSearches = (db: Db, _scope: SystemScope, before: Date): Promise<number> => forget.run(db, before)

const cart = z.array(z.object({ serviceId: z.string(), staffId: z.exactOptional(z.string()), atHome: z.exactOptional(z.boolean()) }))
const keptRow = { askedAt: c.instant, cart: c.json(cart), fromDay: c.day, days: c.int, found: c.int, total: known(c.count) }
export type KeptSearch = RowOf<typeof keptRow>
interface KeptAsked {
  since: Date
  most: number
}
const kept = statement(
  { name: 'timeSearches.kept', row: keptRow, tries: [{ instituteId: someId, since: new Date(0), most: 10 }] },
  ({ instituteId, since, most }: KeptAsked & { instituteId: string }) => sql`
    select asked_at as "askedAt", cart, from_day as "fromDay", days, found, total from (
      select s.*, row_number() over (order by s.asked_at, s.id) as n, count(*) over () as total
      from time_searches s where s.institute_id = ${instituteId} and s.asked_at >= ${since}) one
    where n * ${most}::bigint / greatest(total, ${most}::bigint) > (n - 1) * ${most}::bigint / greatest(total, ${most}::bigint) order by n`,
)
/** In order of time: all of them, or so many evenly among them. */
export const keptSearches = (db: Db, scope: InstituteScope<'institute.change'>, asked: KeptAsked): Promise<KeptSearch[]> =>
  kept.all(db, { ...asked, instituteId: scope.instituteId })
