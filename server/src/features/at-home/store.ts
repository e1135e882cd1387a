/** Addresses of visits at home. They stand in a table of their own; each reading of them is here. */
import { locales } from '@soigne/contract/wire'
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import { type InstituteScope, mayAlso, type SelfScope, type SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import type { Unit } from '#/features/unit-of-work/service.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

/** An address with its position. */
export interface Home {
  line: string
  postalCode: string | null
  city: string
  lat: number
  lon: number
}

const address = { line: c.text, postalCode: orNull(c.text), city: c.text }
const addressColumns = sql`h.line, h.postal_code as "postalCode", h.city`

/** A call that holds visits of one institute, all or none, with the addresses of what it held, as one statement. */
export const holdingWithHomes = (call: RawBuilder<unknown>, instituteId: string, homes: readonly (Home & { id: string })[]) => sql`with
      held as materialized (${call}),
      addresses as (insert into home_addresses (appointment_id, institute_id, line, postal_code, city, lat, lon)
        select h.id, ${instituteId}, h.line, h."postalCode", h.city, h.lat, h.lon
        from jsonb_to_recordset(${JSON.stringify(homes)}::jsonb) as h(id uuid, line text, "postalCode" text, city text, lat float8, lon float8)
        where exists (select from held where outcome = 'held'))
    select at, outcome, body, until from held`

interface ToKeep extends Home {
  id: string
  instituteId: string
}
const kept = statement(
  { name: 'atHome.keep', row: {}, tries: [{ id: someId, instituteId: someId, line: 'l', postalCode: null, city: 'c', lat: 0, lon: 0 }] },
  ({
    id,
    instituteId,
    line,
    postalCode,
    city,
    lat,
    lon,
  }: ToKeep) => sql`insert into home_addresses (appointment_id, institute_id, line, postal_code, city, lat, lon, forgotten_at)
    select a.id, a.institute_id, ${line}, ${postalCode}, ${city}, ${lat}, ${lon}, case when a.user_id is null then a.ends_at + interval '1 day' end
    from appointments a where a.id = ${id} and a.institute_id = ${instituteId}`,
)
/** Where a visit is that the institute books itself. It is forgotten the day after where no account has it. */
export const keepHome = async ({ db, instituteId }: Pick<Unit, 'db' | 'instituteId'>, id: string, home: Home): Promise<void> =>
  void (await kept.run(db, { ...home, id, instituteId }))

interface Reach {
  /** Where the institute is, and how far it goes; null where it no longer does. */
  lat: number
  lon: number
  radiusKm: number | null
}
const beforeRow = { lat: c.float, lon: c.float, radiusKm: orNull(c.int), homeLat: orNull(c.float), homeLon: orNull(c.float) }
const before = statement(
  { name: 'atHome.before', row: beforeRow, tries: [{ id: someId, instituteId: someId }] },
  ({
    id,
    instituteId,
  }: {
    id: string
    instituteId: string
  }) => sql`select i.lat, i.lon, case when i.at_home then i.at_home_radius_km end as "radiusKm",
      h.lat as "homeLat", h.lon as "homeLon"
    from appointments a join institutes i on i.id = a.institute_id left join home_addresses h on h.appointment_id = a.id
    where a.id = ${id} and a.institute_id = ${instituteId}`,
)
/** Where the institute of a visit is and how far it goes, and the point where the visit is now. */
export async function reachOf(
  { db, instituteId }: Pick<Unit, 'db' | 'instituteId'>,
  id: string,
): Promise<{ institute: Reach; now: { lat: number; lon: number } | null }> {
  const row = await before.one(db, { id, instituteId })
  if (!row) throw new Error('a visit without an institute')
  const { homeLat: lat, homeLon: lon, ...institute } = row
  return { institute, now: lat === null || lon === null ? null : { lat, lon } }
}

const corrected = statement(
  { name: 'atHome.correct', row: {}, tries: [{ id: someId, instituteId: someId, line: 'l', postalCode: null, city: 'c', lat: 0, lon: 0 }] },
  ({ id, instituteId, line, postalCode, city, lat, lon }: ToKeep) => sql`with raised as (
      update appointments set revision = revision + 1 where id = ${id} and institute_id = ${instituteId})
    update home_addresses set line = ${line}, postal_code = ${postalCode}, city = ${city}, lat = ${lat}, lon = ${lon}
    where appointment_id = ${id} and institute_id = ${instituteId}`,
)
/** Another address of the same visit, whose version is raised. */
export async function correctHome({ db, instituteId }: Pick<Unit, 'db' | 'instituteId'>, id: string, home: Home): Promise<void> {
  if ((await corrected.run(db, { ...home, id, instituteId })) === 0) await keepHome({ db, instituteId }, id, home)
}

const forget = statement(
  { name: 'atHome.forget', row: {}, tries: [{ now: new Date(0) }] },
  ({ now }: { now: Date }) => sql`delete from home_addresses h using appointments a
    where h.forgotten_at <= ${now} and a.id = h.appointment_id and a.user_id is null and a.ends_at <= ${now}::timestamptz - interval '1 day'`,
)
/** The day after a visit nobody may read where it was: that of somebody without an account is gone then. One that was moved since is kept until its own day. */
export const forgetHomes = (db: Db, _scope: SystemScope, now: Date): Promise<number> => forget.run(db, { now })

const own = statement(
  { name: 'atHome.own', row: address, tries: [{ userId: someId, id: someId }] },
  ({ userId, id }: { userId: string; id: string }) =>
    sql`select ${addressColumns} from home_addresses h join appointments a on a.id = h.appointment_id where h.appointment_id = ${id} and a.user_id = ${userId}`,
)
/** Where a visit of one's own is. */
export const ownHome = (db: Db, scope: SelfScope, id: string): Promise<RowOf<typeof address> | null> =>
  own.one(db, { userId: scope.userId, id })

export type PerformerScope = InstituteScope<'diary.own'> | InstituteScope<'diary.read'> | InstituteScope<'diary.change'>
interface PerformerAsked {
  instituteId: string
  id: string
  memberId: string | null
  mayChange: boolean
  now: Date
}
const performers = statement(
  {
    name: 'atHome.forPerformer',
    row: address,
    tries: () => [null, someId].map((memberId) => ({ instituteId: someId, id: someId, memberId, mayChange: true, now: new Date(0) })),
  },
  ({ instituteId, id, memberId, mayChange, now }: PerformerAsked) => sql`select ${addressColumns}
    from home_addresses h join appointments a on a.id = h.appointment_id
    where h.appointment_id = ${id} and a.institute_id = ${instituteId} and coalesce(a.life, life_of_status(a.status)) = 'booked'
      and a.ends_at > ${now}::timestamptz - interval '1 day'
      and exists (select from segments s where s.appointment_id = a.id and (s.member_id = ${memberId}::uuid
        or (${mayChange}::bool and not exists (select from institute_people p where p.institute_id = a.institute_id and p.member_id = s.member_id))))`,
)
/** Where a visit is, for the member who performs it; in the place of one without a login, for whoever changes the calendar. Until the day after. */
export const homeForPerformer = (db: Db, scope: PerformerScope, id: string, now: Date): Promise<RowOf<typeof address> | null> =>
  performers.one(db, {
    instituteId: scope.instituteId,
    id,
    memberId: scope.memberId,
    mayChange: mayAlso(scope, 'diary.change'),
    now,
  })

const toldRow = {
  ...address,
  id: c.uuid,
  performers: known(c.json(z.array(z.object({ userId: z.string(), email: z.string(), firstName: z.string(), locale: z.enum(locales) })))),
}
/** A visit at home with those of its members who read letters. */
export type ToldHome = RowOf<typeof toldRow>
const told = statement(
  { name: 'atHome.toTell', row: toldRow, tries: [{ ids: [someId], instituteIds: [someId] }] },
  ({
    ids,
    instituteIds,
  }: {
    ids: readonly string[]
    instituteIds: readonly string[]
  }) => sql`select h.appointment_id as id, ${addressColumns},
      coalesce((select json_agg(distinct jsonb_build_object('userId', u.id, 'email', u.email, 'firstName', u.first_name, 'locale', u.locale))
        from segments s join institute_people p on p.institute_id = s.institute_id and p.member_id = s.member_id join users u on u.id = p.user_id
        where s.appointment_id = h.appointment_id), '[]') as performers
    from unnest(${ids}::uuid[], ${instituteIds}::uuid[]) as asked(id, institute_id)
      join home_addresses h on h.appointment_id = asked.id and h.institute_id = asked.institute_id`,
)
/** Addresses and performers of visits, each of the institute of the scope in the same place. */
export async function homesToTell(db: Db, scopes: readonly PerformerScope[], ids: readonly string[]): Promise<Map<string, ToldHome>> {
  if (ids.length === 0) return new Map()
  const rows = await told.all(db, { ids, instituteIds: scopes.map(({ instituteId }) => instituteId) })
  return new Map(rows.map((row) => [row.id, row]))
}

const copied = statement(
  { name: 'atHome.copy', row: {}, tries: [{ userId: someId, fromId: someId, ids: [someId] }] },
  ({
    userId,
    fromId,
    ids,
  }: {
    userId: string
    fromId: string
    ids: readonly string[]
  }) => sql`insert into home_addresses (appointment_id, institute_id, line, postal_code, city, lat, lon)
    select made.id, made.institute_id, h.line, h.postal_code, h.city, h.lat, h.lon from home_addresses h join appointments made
      on made.id = any(${ids}::uuid[]) and made.institute_id = h.institute_id and made.user_id = ${userId} where h.appointment_id = ${fromId}`,
)
/** Visits that repeat one at home are at the same address. */
export const copyHome = (db: Db, scope: SelfScope, fromId: string, ids: readonly string[]): Promise<number> =>
  copied.run(db, { userId: scope.userId, fromId, ids })
