/** Two records that are one person, as they are joined and taken apart again. */
import { paysFirst } from '@soigne/contract/customers'
import { locales } from '@soigne/contract/wire'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { InstituteScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'
import { isVisit, figuresOfVisits, visitFigures } from './list-store.ts'

const likeRow = {
  oneId: known(c.uuid),
  otherId: known(c.uuid),
  byPhone: known(c.bool),
  byEmail: known(c.bool),
  byName: known(c.bool),
}
interface Asked {
  instituteId: string
  of: string | null
}
const like = statement(
  { name: 'customers.duplicates', row: likeRow, tries: [{ instituteId: someId, of: null }] },
  ({
    instituteId,
    of,
  }: Asked) => sql`with k as (select id, user_id, phone_key, email, words from customers where institute_id = ${instituteId} and merged_into is null
        and (phone_key is not null or email is not null)),
      alike as (
        select a.id as one, b.id as other from k a join k b on a.phone_key = b.phone_key and a.id < b.id
        union select a.id, b.id from k a join k b on a.email = b.email and a.id < b.id
        -- The same name, and nothing that speaks against it.
        union select a.id, b.id from k a join k b on a.words = b.words and a.id < b.id
          where a.words <> '' and a.words like '% %' and (a.phone_key is null or b.phone_key is null) and (a.email is null or b.email is null))
    select a.id as "oneId", b.id as "otherId", coalesce(a.phone_key = b.phone_key, false) as "byPhone", coalesce(a.email = b.email, false) as "byEmail",
      coalesce(a.words = b.words, false) as "byName"
    from alike join k a on a.id = alike.one join k b on b.id = alike.other
    where (a.user_id is null or b.user_id is null) and (${of}::uuid is null or ${of}::uuid in (a.id, b.id))
      and not exists (select from customer_distinct d where d.one_id = a.id and d.other_id = b.id)
      and not exists (select from customer_relations r where (r.customer_id = a.id and r.related_id = b.id) or (r.customer_id = b.id and r.related_id = a.id))
    order by (a.phone_key = b.phone_key)::int + (a.email = b.email)::int + (a.words = b.words)::int desc nulls last, a.id, b.id limit 50`,
)
/** Pairs that look like one person, the likest first; walk-ins without phone and email look like nobody. */
export const findAlike = (db: Db, scope: InstituteScope<'customers.change'>, of: string | null): Promise<RowOf<typeof likeRow>[]> =>
  like.all(db, { instituteId: scope.instituteId, of })

const pairRow = {
  id: c.uuid,
  firstName: c.text,
  lastName: c.text,
  phone: orNull(c.text),
  email: orNull(c.text),
  imageKey: orNull(c.text),
  tags: c.list(c.text),
  isBlocked: known(c.bool),
  ...visitFigures,
  birthday: orNull(c.day),
  locale: orNull(known(c.oneOf(locales))),
  hasAccount: known(c.bool),
  since: known(c.instant),
}
export type PairRow = RowOf<typeof pairRow>
interface Some {
  instituteId: string
  ids: readonly string[]
  now: Date
}
const pairs = statement(
  { name: 'customers.pairs', row: pairRow, tries: [{ instituteId: someId, ids: [someId], now: new Date(0) }] },
  ({
    instituteId,
    ids,
    now,
  }: Some) => sql`with v as (select a.customer_id, min(a.starts_at) as first_at, ${figuresOfVisits(now)} from appointments a
      where a.institute_id = ${instituteId} and a.customer_id = any(${ids}::uuid[]) and ${isVisit} group by a.customer_id)
    select k.id, k.first_name as "firstName", k.last_name as "lastName", nullif(k.phone, '') as phone, k.email::text as email, u.image_key as "imageKey", k.tags,
      k.blocked_at is not null as "isBlocked", coalesce(v.visits, 0) as visits, coalesce(v.spend, 0) as spend, coalesce(v.no_shows, 0) as "noShows",
      v.last_at as "lastVisitAt", v.next_at as "nextVisitAt", k.birthday, coalesce(k.locale, u.locale) as locale, k.user_id is not null as "hasAccount",
      least(k.created_at, v.first_at) as since
    from customers k left join v on v.customer_id = k.id left join users u on u.id = k.user_id
    where k.institute_id = ${instituteId} and k.id = any(${ids}::uuid[]) and k.merged_into is null`,
)
export const readPairs = (db: Db, scope: InstituteScope<'customers.change'>, ids: readonly string[], now: Date): Promise<PairRow[]> =>
  pairs.all(db, { instituteId: scope.instituteId, ids, now })

interface Two {
  instituteId: string
  oneId: string
  otherId: string
}
const separate = statement(
  { name: 'customers.separate', row: {}, tries: [{ instituteId: someId, oneId: someId, otherId: someId }] },
  ({ instituteId, oneId, otherId }: Two) => sql`insert into customer_distinct (institute_id, one_id, other_id)
    select ${instituteId}, a.id, b.id from customers a join customers b on b.institute_id = a.institute_id and a.id < b.id
    where a.institute_id = ${instituteId} and a.id in (${oneId}, ${otherId}) and b.id in (${oneId}, ${otherId}) on conflict (one_id, other_id) do update set institute_id = excluded.institute_id`,
)
/** False when they are not two records of the institute. */
export const markDistinct = async (db: Db, scope: InstituteScope<'customers.change'>, oneId: string, otherId: string): Promise<boolean> =>
  (await separate.run(db, { instituteId: scope.instituteId, oneId, otherId })) === 1

const health = z.nullable(z.object({ allergies: z.string(), formulas: z.string() }))
/** What decides when two records become one, and what is put back. */
export const standing = z.object({
  firstName: z.string(),
  lastName: z.string(),
  phone: z.nullable(z.string()),
  email: z.nullable(z.string()),
  locale: z.nullable(z.enum(locales)),
  birthday: z.nullable(z.string()),
  alert: z.nullable(z.string()),
  notes: z.string(),
  tags: z.array(z.string()),
  blockedAt: z.nullable(z.string()),
  createdAt: z.string(),
  userId: z.nullable(z.string()),
  /** Merges noted before 2026-11-29 say nothing of it. */
  paysFirst: z.optional(z.nullable(z.enum(paysFirst))),
  health,
})
export type Standing = z.output<typeof standing>

const lockedRow = { id: c.uuid, standing: known(c.json(standing)) }
const lockTwo = statement(
  { name: 'customers.lockTwo', row: lockedRow, tries: [{ instituteId: someId, oneId: someId, otherId: someId }] },
  ({
    instituteId,
    oneId,
    otherId,
  }: Two) => sql`select k.id, json_build_object('firstName', k.first_name, 'lastName', k.last_name, 'phone', k.phone, 'email', k.email, 'locale', k.locale,
      'birthday', k.birthday, 'alert', k.alert, 'notes', k.notes, 'tags', k.tags, 'blockedAt', k.blocked_at, 'createdAt', k.created_at, 'userId', k.user_id,
      'paysFirst', k.pays_first, 'health', (select json_build_object('allergies', h.allergies, 'formulas', h.formulas) from customer_health h where h.customer_id = k.id)) as standing
    from customers k where k.institute_id = ${instituteId} and k.id in (${oneId}, ${otherId}) order by k.id for update of k`,
)
/** Both records, which nobody changes until the transaction ends. */
export async function lockBoth(
  transaction: Db,
  scope: InstituteScope<'customers.change'>,
  oneId: string,
  otherId: string,
): Promise<Map<string, Standing>> {
  const rows = await lockTwo.all(transaction, { instituteId: scope.instituteId, oneId, otherId })
  return new Map(rows.map(({ id, standing }) => [id, standing]))
}

interface Put extends Standing {
  id: string
  instituteId: string
  mergedInto: string | null
}
const someStanding: Standing = {
  firstName: '',
  lastName: '',
  phone: null,
  email: null,
  locale: null,
  birthday: null,
  alert: null,
  notes: '',
  tags: [],
  blockedAt: null,
  createdAt: '2026-01-01T00:00:00Z',
  userId: null,
  paysFirst: null,
  health: null,
}
const put = statement(
  { name: 'customers.putStanding', row: {}, tries: [{ ...someStanding, id: someId, instituteId: someId, mergedInto: null }] },
  (
    p: Put,
  ) => sql`update customers set first_name = ${p.firstName}, last_name = ${p.lastName}, phone = ${p.phone}, email = ${p.email}, locale = ${p.locale}, birthday = ${p.birthday},
      alert = ${p.alert}, notes = ${p.notes}, tags = ${p.tags}::text[], blocked_at = ${p.blockedAt}, created_at = ${p.createdAt}, user_id = ${p.userId}, pays_first = ${p.paysFirst ?? null}, merged_into = ${p.mergedInto}
    where id = ${p.id} and institute_id = ${p.instituteId}`,
)
const putHealth = statement(
  {
    name: 'customers.putMergedHealth',
    row: {},
    tries: [{ id: someId, instituteId: someId, allergies: '', formulas: '', now: new Date(0) }],
  },
  (p: {
    id: string
    instituteId: string
    allergies: string
    formulas: string
    now: Date
  }) => sql`insert into customer_health (customer_id, institute_id, allergies, formulas, updated_at)
    values (${p.id}, ${p.instituteId}, left(${p.allergies}, 2000), left(${p.formulas}, 4000), ${p.now})
    on conflict (customer_id) do update set allergies = excluded.allergies, formulas = excluded.formulas, updated_at = excluded.updated_at`,
)
const dropHealth = statement(
  { name: 'customers.dropMergedHealth', row: {}, tries: [{ id: someId, instituteId: someId }] },
  (p: { id: string; instituteId: string }) =>
    sql`delete from customer_health where customer_id = ${p.id} and institute_id = ${p.instituteId}`,
)
export async function putStanding(
  transaction: Db,
  scope: InstituteScope<'customers.change'>,
  id: string,
  { mergedInto, now, ...one }: Standing & { mergedInto: string | null; now: Date },
): Promise<void> {
  const { instituteId } = scope
  await put.run(transaction, { ...one, id, instituteId, mergedInto })
  if (one.health) await putHealth.run(transaction, { id, instituteId, ...one.health, now })
  else await dropHealth.run(transaction, { id, instituteId })
}

const idList = z.array(z.string())
/** What came over with a merge, by id. */
export const moved = z.object({
  visits: idList,
  files: idList,
  consents: idList,
  openings: idList,
  of: idList,
  to: idList,
  /** Records that had been joined to it before; merges noted before 2026-11-29 say nothing of it. */
  joined: z.optional(idList),
  after: standing,
})
export type Moved = z.output<typeof moved>

interface Move {
  instituteId: string
  from: string
  to: string
  /** All there are when null. */
  only: Omit<Moved, 'after'> | null
  /** An account whose visits go along. */
  visitsOf: string | null
}
const movedRow = {
  visits: known(c.list(c.uuid)),
  files: known(c.list(c.uuid)),
  consents: known(c.list(c.uuid)),
  openings: known(c.list(c.uuid)),
  of: known(c.list(c.uuid)),
  to: known(c.list(c.uuid)),
  joined: known(c.list(c.uuid)),
}
const move = statement(
  {
    name: 'customers.moveParts',
    row: movedRow,
    tries: () =>
      [null, { visits: [], files: [], consents: [], openings: [], of: [], to: [], joined: [] }].map((only) => ({
        instituteId: someId,
        from: someId,
        to: someId,
        only,
        visitsOf: null,
      })),
  },
  ({ instituteId, from, to, only, visitsOf }: Move) => {
    const among = (ids: readonly string[] | undefined) => (ids === undefined ? sql`` : sql`and x.id = any(${ids}::uuid[])`)
    return sql`with visits as (update appointments x set customer_id = ${to} where x.customer_id = ${from} and x.institute_id = ${instituteId} ${only === null ? sql`` : sql`and (x.id = any(${only.visits}::uuid[]) or x.user_id = ${visitsOf})`} returning x.id),
      files as (update customer_files x set customer_id = ${to} where x.customer_id = ${from} and x.institute_id = ${instituteId} ${among(only?.files)} returning x.id),
      consents as (update customer_consents x set customer_id = ${to} where x.customer_id = ${from} and x.institute_id = ${instituteId} ${among(only?.consents)} returning x.id),
      openings as (update customer_health_openings x set customer_id = ${to} where x.customer_id = ${from} and x.institute_id = ${instituteId} ${among(only?.openings)} returning x.id),
      -- Whatever was sold to one that was joined before is found by one step.
      joined as (update customers x set merged_into = ${to} where x.merged_into = ${from} and x.institute_id = ${instituteId} ${among(only === null ? undefined : (only.joined ?? []))} returning x.id),
      related as (select related_id as id from customer_relations where customer_id = ${to} union select customer_id from customer_relations where related_id = ${to}),
      of_it as (update customer_relations x set customer_id = ${to} where x.customer_id = ${from} and x.institute_id = ${instituteId} ${among(only?.of)} and x.related_id <> ${to}
        and x.related_id not in (select id from related) and not (x.kind = 'guardian' and exists (select from customer_relations g where g.customer_id = ${to} and g.kind = 'guardian')) returning x.id),
      to_it as (update customer_relations x set related_id = ${to} where x.related_id = ${from} and x.institute_id = ${instituteId} ${among(only?.to)} and x.customer_id <> ${to}
        and x.customer_id not in (select id from related) returning x.id)
    select array(select id from visits) as visits, array(select id from files) as files, array(select id from consents) as consents, array(select id from openings) as openings,
      array(select id from of_it) as of, array(select id from to_it) as to, array(select id from joined) as joined`
  },
)
/** Gives what hangs on one record to another, and says what it was. */
export async function moveParts(
  transaction: Db,
  scope: InstituteScope<'customers.change'>,
  asked: Omit<Move, 'instituteId'>,
): Promise<Omit<Moved, 'after'>> {
  const row = await move.one(transaction, { ...asked, instituteId: scope.instituteId })
  if (!row) throw new Error('what was moved is not told')
  return row
}

interface Noted {
  instituteId: string
  keptId: string
  mergedId: string
  before: Standing
  moved: Moved
  by: string | null
  now: Date
}
const noteMerge = statement(
  {
    name: 'customers.noteMerge',
    row: { id: c.uuid },
    tries: [
      {
        instituteId: someId,
        keptId: someId,
        mergedId: someId,
        before: someStanding,
        moved: { visits: [], files: [], consents: [], openings: [], of: [], to: [], joined: [], after: someStanding },
        by: null,
        now: new Date(0),
      },
    ],
  },
  (n: Noted) => sql`insert into customer_merges (institute_id, kept_id, merged_id, before, moved, merged_by, merged_at)
    values (${n.instituteId}, ${n.keptId}, ${n.mergedId}, ${JSON.stringify(n.before)}::jsonb, ${JSON.stringify(n.moved)}::jsonb, ${n.by}, ${n.now}) returning id`,
)
export async function insertMerge(
  transaction: Db,
  scope: InstituteScope<'customers.change'>,
  noted: Omit<Noted, 'instituteId' | 'by'>,
): Promise<string> {
  const by = scope.actor.kind === 'institute' ? scope.actor.userId : null
  const row = await noteMerge.one(transaction, { ...noted, instituteId: scope.instituteId, by })
  if (!row) throw new Error('a merge that was noted is not there')
  return row.id
}

const mergeRow = {
  keptId: c.uuid,
  mergedId: c.uuid,
  before: c.json(standing),
  moved: c.json(moved),
  mergedAt: c.instant,
  isUndone: known(c.bool),
  isApart: known(c.bool),
}
const lockOne = statement(
  { name: 'customers.lockMerge', row: mergeRow, tries: [{ id: someId, instituteId: someId }] },
  ({
    id,
    instituteId,
  }: {
    id: string
    instituteId: string
  }) => sql`select m.kept_id as "keptId", m.merged_id as "mergedId", m.before, m.moved, m.merged_at as "mergedAt",
      m.undone_at is not null as "isUndone",
      (select k.merged_into is not null from customers k where k.id = m.kept_id) or exists (select from customer_merges x where x.kept_id = m.kept_id and x.undone_at is null and x.id > m.id) as "isApart"
    from customer_merges m where m.id = ${id} and m.institute_id = ${instituteId} for update of m`,
)
/** `isApart`: something was joined to it after it, which goes first. */
export const lockMerge = (transaction: Db, scope: InstituteScope<'customers.change'>, id: string): Promise<RowOf<typeof mergeRow> | null> =>
  lockOne.one(transaction, { id, instituteId: scope.instituteId })

const undone = statement(
  { name: 'customers.noteUndone', row: {}, tries: [{ id: someId, instituteId: someId, now: new Date(0) }] },
  ({ id, instituteId, now }: { id: string; instituteId: string; now: Date }) =>
    sql`update customer_merges set undone_at = ${now} where id = ${id} and institute_id = ${instituteId}`,
)
export const markUndone = async (transaction: Db, scope: InstituteScope<'customers.change'>, id: string, now: Date): Promise<void> =>
  void (await undone.run(transaction, { id, instituteId: scope.instituteId, now }))
