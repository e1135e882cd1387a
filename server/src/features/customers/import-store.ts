/** Many customer records at once: compared with those there are, written, and read out. */
import { locales } from '@soigne/contract/wire'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { InstituteScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'
import type { ImportedPerson } from './csv.ts'
import { figuresOfVisits, isVisit, visitFigures } from './list-store.ts'

interface People {
  instituteId: string
  /** JSON of numbered people. */
  people: string
}
/** Fields a record says nothing in. */
const emptyFields = z.array(z.enum(['phone', 'email', 'birthday', 'locale', 'notes', 'tags', 'lastName']))
const knownRecord = z.tuple([z.string(), z.string(), emptyFields])

const planRow = {
  n: known(c.int),
  phoneKey: orNull(c.text),
  words: known(c.text),
  byEmail: orNull(known(c.json(knownRecord))),
  byPhone: orNull(known(c.json(z.array(knownRecord)))),
  namesakes: known(c.count),
}
const plan = statement(
  { name: 'customers.planImport', row: planRow, tries: [{ instituteId: someId, people: '[]' }] },
  ({
    instituteId,
    people,
  }: People) => sql`with p as materialized (select p.*, phone_key(nullif(p.phone, ''), (select country_code from institutes where id = ${instituteId})) as phone_key,
        fold_name(p."firstName" || ' ' || p."lastName") as words
      from jsonb_to_recordset(${people}::jsonb) as p(n integer, "firstName" text, "lastName" text, phone text, email text)),
    k as materialized (select k.email, k.phone_key, coalesce(k.words, '') as words, k.created_at, k.id, json_build_array(k.id, coalesce(k.words, ''), array_remove(array[
        case when coalesce(k.phone, '') = '' then 'phone' end, case when k.email is null then 'email' end, case when k.birthday is null then 'birthday' end,
        case when k.locale is null then 'locale' end, case when k.notes = '' then 'notes' end, case when k.tags = '{}' then 'tags' end, case when k.last_name = '' then 'lastName' end], null)) as record
      from customers k where k.institute_id = ${instituteId} and k.merged_into is null),
    mail as (select distinct on (k.email) k.email, k.record from k where k.email is not null order by k.email, k.created_at, k.id),
    number as (select k.phone_key, json_agg(k.record order by k.created_at, k.id) as records from k where k.phone_key is not null group by k.phone_key),
    walk_in as (select k.words, count(*) as times from k where k.email is null and k.phone_key is null group by k.words)
    select p.n, p.phone_key as "phoneKey", p.words, mail.record as "byEmail", number.records as "byPhone", coalesce(w.times, 0) as namesakes
    from p left join mail on mail.email = nullif(p.email, '')::citext left join number on number.phone_key = p.phone_key left join walk_in w on w.words = p.words order by p.n`,
)
export type Planned = RowOf<typeof planRow>
/** By number, the records with their email and their phone, the first first. `namesakes`: records of that name without phone and email. */
export const planImport = (
  db: Db,
  scope: InstituteScope<'customers.change'>,
  people: readonly (ImportedPerson & { n: number })[],
): Promise<Planned[]> => plan.all(db, { instituteId: scope.instituteId, people: JSON.stringify(people) })

interface Written extends People {
  by: string | null
  now: Date
}
const add = statement(
  { name: 'customers.addMany', row: {}, tries: [{ instituteId: someId, people: '[]', by: null, now: new Date(0) }] },
  ({
    instituteId,
    people,
    by,
    now,
  }: Written) => sql`insert into customers (institute_id, first_name, last_name, phone, email, birthday, locale, notes, tags, noted_by, noted_at, created_at)
    select ${instituteId}, p."firstName", p."lastName", nullif(p.phone, ''), nullif(p.email, ''), p.birthday, p.locale, p.notes, array(select jsonb_array_elements_text(p.tags)),
      case when p.notes <> '' then ${by}::uuid end, case when p.notes <> '' then ${now}::timestamptz end, ${now}
    from jsonb_to_recordset(${people}::jsonb) as p("firstName" text, "lastName" text, phone text, email text, birthday date, locale text, notes text, tags jsonb)`,
)
const fill = statement(
  { name: 'customers.fillMany', row: {}, tries: [{ instituteId: someId, people: '[]', by: null, now: new Date(0) }] },
  ({
    instituteId,
    people,
    by,
    now,
  }: Written) => sql`update customers k set last_name = case when k.last_name = '' then p."lastName" else k.last_name end,
      phone = coalesce(nullif(k.phone, ''), nullif(p.phone, '')), email = coalesce(k.email, nullif(p.email, '')), birthday = coalesce(k.birthday, p.birthday),
      locale = coalesce(k.locale, p.locale), notes = case when k.notes = '' then p.notes else k.notes end,
      noted_by = case when k.notes = '' and p.notes <> '' then ${by}::uuid else k.noted_by end, noted_at = case when k.notes = '' and p.notes <> '' then ${now}::timestamptz else k.noted_at end,
      tags = case when k.tags = '{}' then array(select jsonb_array_elements_text(p.tags)) else k.tags end
    from jsonb_to_recordset(${people}::jsonb) as p(id uuid, "lastName" text, phone text, email text, birthday date, locale text, notes text, tags jsonb)
    where k.id = p.id and k.institute_id = ${instituteId} and k.merged_into is null`,
)
const writtenBy = (scope: InstituteScope<'customers.change'>, now: Date) => ({
  instituteId: scope.instituteId,
  by: scope.actor.kind === 'institute' ? scope.actor.userId : null,
  now,
})
export const addMany = async (
  transaction: Db,
  scope: InstituteScope<'customers.change'>,
  people: readonly ImportedPerson[],
  now: Date,
): Promise<void> => void (await add.run(transaction, { ...writtenBy(scope, now), people: JSON.stringify(people) }))
/** Only what is empty. */
export const fillMany = async (
  transaction: Db,
  scope: InstituteScope<'customers.change'>,
  people: readonly (ImportedPerson & { id: string })[],
  now: Date,
): Promise<void> => void (await fill.run(transaction, { ...writtenBy(scope, now), people: JSON.stringify(people) }))

const exportedRow = {
  firstName: c.text,
  lastName: c.text,
  phone: known(c.text),
  email: known(c.text),
  birthday: orNull(c.day),
  locale: orNull(known(c.oneOf(locales))),
  tags: c.list(c.text),
  alert: known(c.text),
  notes: c.text,
  isBlocked: known(c.bool),
  ...visitFigures,
}
const everybody = statement(
  { name: 'customers.export', row: exportedRow, tries: [{ instituteId: someId, now: new Date(0) }] },
  ({
    instituteId,
    now,
  }: {
    instituteId: string
    now: Date
  }) => sql`with v as (select a.customer_id, ${figuresOfVisits(now)} from appointments a where a.institute_id = ${instituteId} and ${isVisit} group by a.customer_id)
    select k.first_name as "firstName", k.last_name as "lastName", coalesce(k.phone, '') as phone, coalesce(k.email::text, '') as email, k.birthday, coalesce(k.locale, u.locale) as locale, k.tags,
      coalesce(k.alert, '') as alert, k.notes, k.blocked_at is not null as "isBlocked", coalesce(v.visits, 0) as visits, coalesce(v.spend, 0) as spend, coalesce(v.no_shows, 0) as "noShows",
      v.last_at as "lastVisitAt", v.next_at as "nextVisitAt"
    from customers k left join v on v.customer_id = k.id left join users u on u.id = k.user_id where k.institute_id = ${instituteId} and k.merged_into is null order by k.created_at, k.id`,
)
export type ExportedRow = RowOf<typeof exportedRow>
export const readAll = (db: Db, scope: InstituteScope<'customers.export'>, now: Date): Promise<ExportedRow[]> =>
  everybody.all(db, { instituteId: scope.instituteId, now })
