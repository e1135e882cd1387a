import { sql } from 'kysely'
import type { SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, statement } from '#/platform/statement.ts'

export interface NewSecurityEvent {
  at: string
  kind: string
  userId: string | null
  /** The email that was named, in small letters; only a digest of it is kept. */
  email: string | null
  address: string
  userAgent: string | null
  details: Record<string, unknown>
  count: number
}

const insert = statement(
  { name: 'security.insert', row: {}, tries: [[]] },
  (events: readonly NewSecurityEvent[]) => sql`
    insert into security_events (at, kind, user_id, named, address, user_agent, details, count)
    select at, kind, coalesce("userId", (select id from users u where u.email = e.email::citext)), left(encode(sha256(convert_to(email, 'UTF8')), 'hex'), 16), address, "userAgent", details, count
    from json_to_recordset(${JSON.stringify(events)}::json)
      as e(at timestamptz, kind text, "userId" uuid, email text, address text, "userAgent" text, details jsonb, count int)`,
)
export const insertSecurityEvents = (db: Db, _scope: SystemScope, events: readonly NewSecurityEvent[]): Promise<number> =>
  insert.run(db, events)

const row = {
  at: c.instant,
  kind: c.text,
  email: orNull(c.text),
  userId: orNull(c.uuid),
  named: orNull(c.text),
  address: c.text,
  userAgent: orNull(c.text),
  details: c.json<unknown>(),
  count: known(c.int),
}
export type SecurityRow = RowOf<typeof row>

export interface SecurityQuestion {
  since: Date
  kind: string | null
  email: string | null
  limit: number
}
const read = statement(
  { name: 'security.read', row, tries: [{ since: new Date(0), kind: 'a', email: 'a@soigne.test', limit: 1 }] },
  ({ since, kind, email, limit }: SecurityQuestion) => sql`
    select at, kind, email, "userId", named, address, "userAgent", details, count from (select e.id, e.at, e.kind, u.email::text as email, e.user_id as "userId", e.named, e.address, e.user_agent as "userAgent", e.details, e.count
      from security_events e left join users u on u.id = e.user_id
      where e.at >= ${since} and (${kind}::text is null or e.kind = ${kind})
        and (${email}::text is null or u.email = ${email}::text::citext or e.named = left(encode(sha256(convert_to(lower(${email}::text), 'UTF8')), 'hex'), 16))
      order by e.at desc, e.id desc limit ${limit}) newest order by at, id`,
)
/** The newest that are asked for, oldest first. */
export const readSecurityEvents = (db: Db, _scope: SystemScope, asked: SecurityQuestion): Promise<SecurityRow[]> => read.all(db, asked)

const forget = statement(
  { name: 'security.forgetOld', row: {} },
  () =>
    sql`delete from security_events where id in (select id from security_events where at < now() - interval '181 days' order by at limit 1000)`,
)
export const forgetOldSecurityEvents = (db: Db, _scope: SystemScope): Promise<number> => forget.run(db)
