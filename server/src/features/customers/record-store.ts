/** One customer record as it is read, with what hangs on it. */
import { attendances } from '@soigne/contract/appointments'
import { paysFirst, relationKinds } from '@soigne/contract/customers'
import { locales } from '@soigne/contract/wire'
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import { lives, payments } from '#/features/visits/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'
import { figuresOfVisits, isVisit, visitFigures } from './list-store.ts'

export type Reader = InstituteScope<'customers.read'> | InstituteScope<'customers.change'>

const nullableText = z.nullable(z.string())
const byWhom = { by: nullableText, at: z.string() }
const relation = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(relationKinds),
  side: z.enum(['of', 'to']),
  birthday: nullableText,
})
const file = z.object({ id: z.string(), key: z.string(), kind: z.enum(['image', 'document']), name: z.string(), addedAt: z.string() })
const consent = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  signedBy: z.string(),
  signedAt: z.string(),
  takenBy: nullableText,
  withdrawnAt: nullableText,
})

const nameOf = (alias: string): RawBuilder<unknown> =>
  sql`trim(${sql.ref(`${alias}.first_name`)} || ' ' || ${sql.ref(`${alias}.last_name`)})`

const recordRow = {
  id: c.uuid,
  firstName: c.text,
  lastName: c.text,
  phone: orNull(c.text),
  email: orNull(c.text),
  imageKey: orNull(c.text),
  tags: c.list(c.text),
  isBlocked: known(c.bool),
  paysFirst: orNull(c.oneOf(paysFirst)),
  ...visitFigures,
  locale: orNull(known(c.oneOf(locales))),
  birthday: orNull(c.day),
  hasAccount: known(c.bool),
  chatId: orNull(c.uuid),
  alert: known(c.text),
  notes: c.text,
  notedBy: orNull(c.text),
  notedAt: orNull(c.instant),
  since: known(c.instant),
  everyDays: orNull(c.int),
  mostlyWith: orNull(c.text),
  nextTotal: orNull(c.int),
  spent: known(c.json(z.array(z.object({ at: z.string(), amount: z.int() })))),
  relations: known(c.json(z.array(relation))),
  files: known(c.json(z.array(file))),
  consents: known(c.json(z.array(consent))),
  hasHealth: known(c.bool),
  lastOpened: orNull(c.json(z.object(byWhom))),
  merges: known(c.json(z.array(z.object({ id: z.string(), name: z.string(), at: z.string() })))),
}
export type RecordRow = RowOf<typeof recordRow>

interface One {
  id: string
  instituteId: string
  now: Date
  undoneAfter: Date
}
const came = (now: Date): RawBuilder<unknown> => sql`a.attendance <> 'no_show' and (a.attendance = 'done' or a.ends_at <= ${now})`
const listOf = (from: RawBuilder<unknown>, order: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select coalesce(json_agg(row_to_json(part) order by ${order}), '[]'::json) from (${from}) part)`

const relationsOf = listOf(
  sql`select r.related_id as id, ${nameOf('o')} as name, r.kind, 'of' as side, o.birthday from customer_relations r join customers o on o.id = r.related_id
      where r.customer_id = k.id and o.merged_into is null
    union all select r.customer_id, ${nameOf('o')}, r.kind, 'to', o.birthday from customer_relations r join customers o on o.id = r.customer_id
      where r.related_id = k.id and o.merged_into is null`,
  sql`part.name, part.id`,
)
const filesOf = listOf(
  sql`select f.id, f.file_key as key, f.kind, f.name, f.added_at as "addedAt" from customer_files f where f.customer_id = k.id`,
  sql`part."addedAt" desc`,
)
const consentsOf = listOf(
  sql`select s.id, s.title, s.body as text, s.signed_by as "signedBy", s.signed_at as "signedAt", nullif(${nameOf('u')}, '') as "takenBy", s.withdrawn_at as "withdrawnAt"
    from customer_consents s left join users u on u.id = s.taken_by where s.customer_id = k.id`,
  sql`part."signedAt" desc`,
)
const openingsOf = (most: number): RawBuilder<unknown> =>
  sql`select ${nameOf('u')} as by, o.opened_at as at from customer_health_openings o left join users u on u.id = o.user_id
    where o.customer_id = k.id order by o.opened_at desc, o.id desc limit ${most}`
/** Of a year and a little more: Node knows where its months begin. */
const spentOf = (
  now: Date,
): RawBuilder<unknown> => sql`(select coalesce(json_agg(json_build_object('at', a.starts_at, 'amount', a.total_amount)), '[]'::json) from appointments a
  where a.customer_id = k.id and ${isVisit} and ${came(now)} and a.starts_at > ${now}::timestamptz - interval '13 months')`
const mostlyWith = (now: Date): RawBuilder<unknown> => sql`(
  select t.name from (select s.member_id, count(distinct a.id) as times, sum(count(distinct a.id)) over () as of_all from appointments a join segments s on s.appointment_id = a.id
      where a.customer_id = k.id and ${isVisit} and ${came(now)} group by s.member_id) w
    join team_members t on t.id = w.member_id where w.times >= 3 and w.times > w.of_all / 2 limit 1)`

const record = statement(
  { name: 'customers.record', row: recordRow, tries: [{ id: someId, instituteId: someId, now: new Date(0), undoneAfter: new Date(0) }] },
  ({ id, instituteId, now, undoneAfter }: One) => sql`
    with v as (select ${figuresOfVisits(now)}, min(a.starts_at) as first_at,
        extract(epoch from max(a.starts_at) filter (where ${came(now)}) - min(a.starts_at) filter (where ${came(now)})) as span
      from appointments a where a.customer_id = ${id} and a.institute_id = ${instituteId} and ${isVisit})
    select k.id, k.first_name as "firstName", k.last_name as "lastName", nullif(k.phone, '') as phone, k.email::text as email, u.image_key as "imageKey",
      k.tags, k.blocked_at is not null as "isBlocked", k.pays_first as "paysFirst", v.visits, v.spend, v.no_shows as "noShows", v.last_at as "lastVisitAt", v.next_at as "nextVisitAt",
      coalesce(k.locale, u.locale) as locale, k.birthday, k.user_id is not null as "hasAccount",
      (select t.id from chats t where t.institute_id = k.institute_id and t.user_id = k.user_id) as "chatId",
      coalesce(k.alert, '') as alert, k.notes, nullif(${nameOf('n')}, '') as "notedBy", k.noted_at as "notedAt", least(k.created_at, v.first_at) as since,
      case when v.visits >= 3 then round(v.span / 86400 / (v.visits - 1))::int end as "everyDays", ${mostlyWith(now)} as "mostlyWith",
      (select a.total_amount from appointments a where a.customer_id = k.id and ${isVisit} and a.starts_at = v.next_at limit 1) as "nextTotal",
      ${spentOf(now)} as spent, ${relationsOf} as relations, ${filesOf} as files, ${consentsOf} as consents,
      exists (select from customer_health h where h.customer_id = k.id) as "hasHealth",
      (select row_to_json(part) from (${openingsOf(1)}) part) as "lastOpened",
      ${listOf(
        sql`select m.id, ${nameOf('o')} as name, m.merged_at as at from customer_merges m join customers o on o.id = m.merged_id
          where m.kept_id = k.id and m.undone_at is null and m.merged_at > ${undoneAfter}`,
        sql`part.at desc`,
      )} as merges
    from customers k join institutes i on i.id = k.institute_id cross join v left join users u on u.id = k.user_id left join users n on n.id = k.noted_by
    where k.id = ${id} and k.institute_id = ${instituteId} and k.merged_into is null`,
)
/** Null for a record of another institute, and for one that was joined into another. */
export const findRecord = (
  db: Db,
  scope: InstituteScope<'customers.read'> | InstituteScope<'customers.change'>,
  asked: Omit<One, 'instituteId'>,
): Promise<RecordRow | null> => record.one(db, { ...asked, instituteId: scope.instituteId })

const visitRow = {
  id: c.uuid,
  startsAt: c.instant,
  endsAt: c.instant,
  life: known(c.oneOf(lives)),
  payment: known(c.oneOf(payments)),
  attendance: c.oneOf(attendances),
  totalAmount: c.int,
  currency: c.text,
  cancelledBy: orNull(c.oneOf(['client', 'institute', 'system'])),
  lines: known(c.json(z.array(z.object({ name: z.partialRecord(z.enum(locales), z.string()), staff: z.string() })))),
  total: known(c.count),
}
export type RecordVisit = RowOf<typeof visitRow>
interface Page {
  id: string
  instituteId: string
  offset: number
  limit: number
}
const visits = statement(
  { name: 'customers.visits', row: visitRow, tries: [{ id: someId, instituteId: someId, offset: 0, limit: 1 }] },
  ({
    id,
    instituteId,
    offset,
    limit,
  }: Page) => sql`select a.id, a.starts_at as "startsAt", a.ends_at as "endsAt", coalesce(a.life, life_of_status(a.status)) as life,
      coalesce(a.payment, payment_of_status(a.status, null)) as payment, a.attendance, a.total_amount as "totalAmount", a.currency, a.cancelled_by as "cancelledBy",
      (select coalesce(json_agg(json_build_object('name', s.snapshot -> 'name', 'staff', t.name) order by s.position), '[]'::json)
        from segments s join team_members t on t.id = s.member_id where s.appointment_id = a.id) as lines, count(*) over () as total
    from appointments a where a.customer_id = ${id} and a.institute_id = ${instituteId} and coalesce(a.life, life_of_status(a.status)) <> 'held'
    order by a.starts_at desc, a.id desc offset ${offset} limit ${limit}`,
)
/** Their visits, the latest first. */
export const visitsOfRecord = (
  db: Db,
  scope: InstituteScope<'customers.read'> | InstituteScope<'customers.change'>,
  page: Omit<Page, 'instituteId'>,
): Promise<RecordVisit[]> => visits.all(db, { ...page, instituteId: scope.instituteId })

const healthRow = { allergies: known(c.text), formulas: known(c.text), openings: known(c.json(z.array(z.object(byWhom)))) }
const health = statement(
  { name: 'customers.health', row: healthRow, tries: [{ id: someId, instituteId: someId }] },
  ({
    id,
    instituteId,
  }: {
    id: string
    instituteId: string
  }) => sql`select coalesce(h.allergies, '') as allergies, coalesce(h.formulas, '') as formulas,
      (select coalesce(json_agg(row_to_json(part)), '[]'::json) from (${openingsOf(20)}) part) as openings
    from customers k left join customer_health h on h.customer_id = k.id where k.id = ${id} and k.institute_id = ${instituteId} and k.merged_into is null`,
)
export const readHealth = (db: Db, scope: InstituteScope<'customers.health'>, id: string): Promise<RowOf<typeof healthRow> | null> =>
  health.one(db, { id, instituteId: scope.instituteId })
