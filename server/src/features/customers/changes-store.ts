/** Customer records as they are written. */
import { paysFirst, type relationKinds } from '@soigne/contract/customers'
import { type Locale, locales } from '@soigne/contract/wire'
import { sql } from 'kysely'
import type { InstituteScope, SelfScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

export type Writer = InstituteScope<'customers.change'>

export interface Fields {
  firstName: string
  lastName: string
  phone: string
  email: string
  locale: Locale | null
  birthday: string | null
  alert: string
  notes: string
  tags: readonly string[]
  /** Before every visit; null: what is asked for anyway. */
  paysFirst: (typeof paysFirst)[number] | null
}
interface One {
  id: string
  instituteId: string
}
const some: One = { id: someId, instituteId: someId }
const of = (scope: InstituteScope<never>, id: string): One => ({ id, instituteId: scope.instituteId })
const person = ({ actor }: InstituteScope<never>): string | null => (actor.kind === 'institute' ? actor.userId : null)

interface Contact {
  instituteId: string
  phone: string
  email: string
  except: string | null
}
const matchRow = { id: c.uuid, name: known(c.text) }
const matches = statement(
  { name: 'customers.matches', row: matchRow, tries: [{ instituteId: someId, phone: '', email: '', except: null }] },
  ({
    instituteId,
    phone,
    email,
    except,
  }: Contact) => sql`select k.id, trim(k.first_name || ' ' || k.last_name) as name from customers k join institutes i on i.id = k.institute_id
    where k.institute_id = ${instituteId} and k.merged_into is null and k.id is distinct from ${except}
      and (k.phone_key = phone_key(nullif(${phone}, ''), i.country_code) or k.email = nullif(${email}, '')::citext) order by k.created_at, k.id limit 5`,
)
/** Who is known by this number or address already. */
export const findMatches = (
  db: Db,
  scope: InstituteScope<'customers.change'>,
  asked: Omit<Contact, 'instituteId'>,
): Promise<RowOf<typeof matchRow>[]> => matches.all(db, { ...asked, instituteId: scope.instituteId })

const lock = statement(
  { name: 'customers.lockContacts', row: { locked: known(c.void) }, tries: [someId] },
  (instituteId: string) => sql`select pg_advisory_xact_lock(hashtextextended(${instituteId}, 115)) as locked`,
)
/** Whoever adds a client of the institute waits for the others that do: two cannot add the same one. */
export const lockContacts = async (transaction: Db, scope: InstituteScope<'customers.change'>): Promise<void> =>
  void (await lock.one(transaction, scope.instituteId))

interface Written extends One, Fields {
  by: string | null
  now: Date
}
const someFields: Fields = {
  firstName: '',
  lastName: '',
  phone: '',
  email: '',
  locale: null,
  birthday: null,
  alert: '',
  notes: '',
  tags: [],
  paysFirst: null,
}
const insert = statement(
  { name: 'customers.insert', row: { id: c.uuid }, tries: [{ ...some, ...someFields, by: null, now: new Date(0) }] },
  (
    w: Written,
  ) => sql`insert into customers (institute_id, first_name, last_name, phone, email, locale, birthday, alert, notes, tags, noted_by, noted_at, created_at)
    values (${w.instituteId}, ${w.firstName}, ${w.lastName}, nullif(${w.phone}, ''), nullif(${w.email}, ''), ${w.locale}, ${w.birthday}, nullif(${w.alert}, ''), ${w.notes}, ${w.tags}::text[],
      case when ${w.notes} <> '' then ${w.by}::uuid end, case when ${w.notes} <> '' then ${w.now}::timestamptz end, ${w.now}) returning id`,
)
export async function insertCustomer(
  transaction: Db,
  scope: InstituteScope<'customers.change'>,
  fields: Fields,
  now: Date,
): Promise<string> {
  const row = await insert.one(transaction, { ...of(scope, someId), ...fields, by: person(scope), now })
  if (!row) throw new Error('a customer that was inserted is not there')
  return row.id
}

const stored = {
  firstName: c.text,
  lastName: c.text,
  phone: known(c.text),
  email: known(c.text),
  locale: orNull(c.oneOf(locales)),
  birthday: orNull(c.day),
  alert: known(c.text),
  notes: c.text,
  tags: c.list(c.text),
  paysFirst: orNull(c.oneOf(paysFirst)),
}
const current = statement(
  { name: 'customers.lockRecord', row: stored, tries: [some] },
  ({
    id,
    instituteId,
  }: One) => sql`select first_name as "firstName", last_name as "lastName", coalesce(phone, '') as phone, coalesce(email::text, '') as email,
      locale, birthday, coalesce(alert, '') as alert, notes, tags, pays_first as "paysFirst"
    from customers where id = ${id} and institute_id = ${instituteId} and merged_into is null for update`,
)
/** The fields of a record nobody else changes until the transaction ends; null for one that is not there. */
export const lockRecord = (transaction: Db, scope: InstituteScope<never>, id: string): Promise<Fields | null> =>
  current.one(transaction, of(scope, id))

const update = statement(
  { name: 'customers.update', row: {}, tries: [{ ...some, ...someFields, by: null, now: new Date(0) }] },
  (
    w: Written,
  ) => sql`update customers set first_name = ${w.firstName}, last_name = ${w.lastName}, phone = nullif(${w.phone}, ''), email = nullif(${w.email}, ''),
      locale = ${w.locale}, birthday = ${w.birthday}, alert = nullif(${w.alert}, ''), tags = ${w.tags}::text[], pays_first = ${w.paysFirst}, notes = ${w.notes},
      noted_by = case when notes = ${w.notes} then noted_by else ${w.by}::uuid end, noted_at = case when notes = ${w.notes} then noted_at else ${w.now}::timestamptz end
    where id = ${w.id} and institute_id = ${w.instituteId}`,
)
export const updateCustomer = async (
  transaction: Db,
  scope: InstituteScope<'customers.change'>,
  id: string,
  fields: Fields,
  now: Date,
): Promise<void> => void (await update.run(transaction, { ...of(scope, id), ...fields, by: person(scope), now }))

const block = statement(
  { name: 'customers.block', row: {}, tries: [{ ...some, at: null }] },
  ({ id, instituteId, at }: One & { at: Date | null }) =>
    sql`update customers set blocked_at = ${at} where id = ${id} and institute_id = ${instituteId}`,
)
export const setBlocked = async (transaction: Db, scope: InstituteScope<'customers.change'>, id: string, at: Date | null): Promise<void> =>
  void (await block.run(transaction, { ...of(scope, id), at }))

interface Opening extends One {
  by: string | null
  now: Date
}
const noteOpening = statement(
  { name: 'customers.noteOpening', row: {}, tries: [{ ...some, by: null, now: new Date(0) }] },
  ({ id, instituteId, by, now }: Opening) =>
    sql`insert into customer_health_openings (customer_id, institute_id, user_id, opened_at) values (${id}, ${instituteId}, ${by}, ${now})`,
)
export const insertOpening = async (transaction: Db, scope: InstituteScope<'customers.health'>, id: string, now: Date): Promise<void> =>
  void (await noteOpening.run(transaction, { ...of(scope, id), by: person(scope), now }))

interface Health {
  allergies: string
  formulas: string
}
const putHealth = statement(
  { name: 'customers.putHealth', row: {}, tries: [{ ...some, by: null, now: new Date(0), allergies: '', formulas: '' }] },
  ({
    id,
    instituteId,
    by,
    now,
    allergies,
    formulas,
  }: Opening & Health) => sql`insert into customer_health (customer_id, institute_id, allergies, formulas, updated_at, updated_by)
    values (${id}, ${instituteId}, ${allergies}, ${formulas}, ${now}, ${by})
    on conflict (customer_id) do update set allergies = excluded.allergies, formulas = excluded.formulas, updated_at = excluded.updated_at, updated_by = excluded.updated_by`,
)
const dropHealth = statement(
  { name: 'customers.dropHealth', row: {}, tries: [some] },
  ({ id, instituteId }: One) => sql`delete from customer_health where customer_id = ${id} and institute_id = ${instituteId}`,
)
export async function writeHealth(
  transaction: Db,
  scope: InstituteScope<'customers.health'>,
  id: string,
  health: Health,
  now: Date,
): Promise<void> {
  const one = of(scope, id)
  if (health.allergies === '' && health.formulas === '') await dropHealth.run(transaction, one)
  else await putHealth.run(transaction, { ...one, ...health, by: person(scope), now })
}

interface NewFile extends One {
  key: string
  kind: string
  name: string
  most: number
  by: string | null
  now: Date
}
const addFile = statement(
  { name: 'customers.addFile', row: {}, tries: [{ ...some, key: '', kind: 'image', name: 'a', most: 1, by: null, now: new Date(0) }] },
  (f: NewFile) => sql`insert into customer_files (customer_id, institute_id, file_key, kind, name, added_by, added_at)
    select ${f.id}, ${f.instituteId}, ${f.key}, ${f.kind}, ${f.name}, ${f.by}, ${f.now} where (select count(*) from customer_files where customer_id = ${f.id}) < ${f.most}`,
)
/** False when the record has as many as it may have. */
export const insertFile = async (
  transaction: Db,
  scope: InstituteScope<'customers.change'>,
  file: { id: string; key: string; kind: 'image' | 'document'; name: string; most: number; now: Date },
): Promise<boolean> => (await addFile.run(transaction, { ...file, instituteId: scope.instituteId, by: person(scope) })) === 1

interface Part extends One {
  partId: string
}
const removeFile = statement(
  { name: 'customers.removeFile', row: { key: c.text }, tries: [{ ...some, partId: someId }] },
  ({ id, instituteId, partId }: Part) =>
    sql`delete from customer_files where id = ${partId} and customer_id = ${id} and institute_id = ${instituteId} returning file_key as key`,
)
/** The key of the file that was removed. */
export const deleteFile = async (
  transaction: Db,
  scope: InstituteScope<'customers.change'>,
  id: string,
  partId: string,
): Promise<string | null> => (await removeFile.one(transaction, { ...of(scope, id), partId }))?.key ?? null

interface Consent extends One {
  title: string
  text: string
  signedBy: string
  by: string | null
  now: Date
}
const addConsent = statement(
  { name: 'customers.addConsent', row: {}, tries: [{ ...some, title: 'a', text: 'a', signedBy: 'a', by: null, now: new Date(0) }] },
  (s: Consent) => sql`insert into customer_consents (customer_id, institute_id, title, body, signed_by, signed_at, taken_by)
    values (${s.id}, ${s.instituteId}, ${s.title}, ${s.text}, ${s.signedBy}, ${s.now}, ${s.by})`,
)
export const insertConsent = async (
  transaction: Db,
  scope: InstituteScope<'customers.change'>,
  consent: Omit<Consent, 'instituteId' | 'by'>,
): Promise<void> => void (await addConsent.run(transaction, { ...consent, instituteId: scope.instituteId, by: person(scope) }))

const withdraw = statement(
  { name: 'customers.withdrawConsent', row: {}, tries: [{ ...some, partId: someId, now: new Date(0) }] },
  ({ id, instituteId, partId, now }: Part & { now: Date }) => sql`update customer_consents set withdrawn_at = coalesce(withdrawn_at, ${now})
    where id = ${partId} and customer_id = ${id} and institute_id = ${instituteId}`,
)
/** False when there is none. */
export const withdrawConsent = async (
  transaction: Db,
  scope: InstituteScope<'customers.change'>,
  id: string,
  partId: string,
  now: Date,
): Promise<boolean> => (await withdraw.run(transaction, { ...of(scope, id), partId, now })) === 1

interface Relation extends One {
  relatedId: string
  kind: (typeof relationKinds)[number]
  now: Date
}
const relate = statement(
  { name: 'customers.relate', row: {}, tries: [{ ...some, relatedId: someId, kind: 'family', now: new Date(0) }] },
  ({
    id,
    instituteId,
    relatedId,
    kind,
    now,
  }: Relation) => sql`with other as (delete from customer_relations where institute_id = ${instituteId} and customer_id = ${relatedId} and related_id = ${id})
    insert into customer_relations (institute_id, customer_id, related_id, kind, created_at)
    select ${instituteId}, ${id}, o.id, ${kind}, ${now} from customers o where o.id = ${relatedId} and o.institute_id = ${instituteId} and o.merged_into is null
    on conflict (customer_id, related_id) do update set kind = excluded.kind`,
)
const dropGuardian = statement(
  { name: 'customers.dropGuardian', row: {}, tries: [some] },
  ({ id, instituteId }: One) =>
    sql`delete from customer_relations where customer_id = ${id} and institute_id = ${instituteId} and kind = 'guardian'`,
)
/** One guardian: the last who was said to be. False when there is no such other record. */
export async function insertRelation(
  transaction: Db,
  scope: InstituteScope<'customers.change'>,
  relation: Omit<Relation, 'instituteId'>,
): Promise<boolean> {
  const one = { ...relation, instituteId: scope.instituteId }
  if (relation.kind === 'guardian') await dropGuardian.run(transaction, one)
  return (await relate.run(transaction, one)) === 1
}

const unrelate = statement(
  { name: 'customers.unrelate', row: {}, tries: [{ ...some, partId: someId }] },
  ({ id, instituteId, partId }: Part) => sql`delete from customer_relations where institute_id = ${instituteId}
    and ((customer_id = ${id} and related_id = ${partId}) or (customer_id = ${partId} and related_id = ${id}))`,
)
/** False when they were not related. */
export const deleteRelation = async (
  transaction: Db,
  scope: InstituteScope<'customers.change'>,
  id: string,
  relatedId: string,
): Promise<boolean> => (await unrelate.run(transaction, { ...of(scope, id), partId: relatedId })) > 0

const tagRow = { tag: known(c.text) }
const tags = statement(
  { name: 'customers.tags', row: tagRow, tries: [someId] },
  (instituteId: string) =>
    sql`select distinct tag from customers k cross join unnest(k.tags) tag where k.institute_id = ${instituteId} and k.merged_into is null order by tag limit 100`,
)
/** The words an institute sorts its clients by. */
export const listTags = async (db: Db, scope: InstituteScope<'customers.read'>): Promise<string[]> =>
  (await tags.all(db, scope.instituteId)).map(({ tag }) => tag)

interface Blocked {
  userId: string
  instituteId: string
}
const blocked = statement(
  { name: 'customers.isBlocked', row: { isBlocked: known(c.bool) }, tries: [{ userId: someId, instituteId: someId }] },
  ({ userId, instituteId }: Blocked) => sql`select is_blocked_at(${instituteId}, ${userId}) as "isBlocked"`,
)
/** Whether an institute lets an account book no more: by its record, or by one of its confirmed address. */
export const readBlocked = async (db: Db, scope: SelfScope, instituteId: string): Promise<boolean> =>
  (await blocked.one(db, { userId: scope.userId, instituteId }))?.isBlocked ?? false
