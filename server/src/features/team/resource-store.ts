/** Rooms, chairs and machines as they are stored, and what takes them. */
import type { ResourceInput } from '@soigne/contract/resources'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'
import type { TeamScope } from './team-store.ts'

const resourceRow = {
  id: c.uuid,
  type: c.text,
  name: c.text,
  note: orNull(c.text),
  closures: orNull(c.json(z.array(z.object({ fromDay: z.string(), toDay: z.string() })))),
}
export type ResourceRow = RowOf<typeof resourceRow>

const list = statement(
  { name: 'resources.list', row: resourceRow, tries: [{ instituteId: someId, today: '2026-01-01' }] },
  ({ instituteId, today }: { instituteId: string; today: string }) => sql`select r.id, r.type, r.name, r.note,
      (select json_agg(json_build_object('fromDay', x.from_day, 'toDay', x.to_day) order by x.from_day) from resource_closures x
        where x.resource_id = r.id and x.to_day >= ${today}::date) as closures
    from resources r where r.institute_id = ${instituteId} and r.active order by r.position, r.id`,
)
export const listResources = (db: Db, scope: TeamScope, today: string): Promise<ResourceRow[]> =>
  list.all(db, { instituteId: scope.instituteId, today })

interface Within {
  instituteId: string
  from: Date
  to: Date
  now: Date
}
const taken = statement(
  {
    name: 'resources.taken',
    row: { resourceId: known(c.uuid), kind: known(c.oneOf(['visit', 'blocked'])), startsAt: known(c.instant), endsAt: known(c.instant) },
    tries: [{ instituteId: someId, from: new Date(0), to: new Date(1), now: new Date(0) }],
  },
  ({ instituteId, from, to, now }: Within) => sql`with found as (
      select subject_id, case when kind = 'blocked' then 'blocked' else 'visit' end as kind, during from occupations
        where institute_id = ${instituteId} and subject_kind = 'resource' and during && tstzrange(${from}, ${to}) and (expires_at is null or expires_at > ${now})
      union all select subject_id, 'visit', during from soft_occupations
        where institute_id = ${instituteId} and subject_kind = 'resource' and during && tstzrange(${from}, ${to})),
    merged as (select subject_id, kind, range_agg(during) as during from found group by subject_id, kind)
    select subject_id as "resourceId", kind, lower(piece) as "startsAt", upper(piece) as "endsAt" from merged, unnest(merged.during) as piece order by 1, 3`,
)
/** When they are taken, with what is kept free around visits. */
export const takenResources = (db: Db, scope: TeamScope, within: Omit<Within, 'instituteId'>) =>
  taken.all(db, { ...within, instituteId: scope.instituteId })

const takers = statement(
  { name: 'resources.takers', row: { type: known(c.text), name: known(c.json(z.record(z.string(), z.string()))) }, tries: [someId] },
  (instituteId: string) =>
    sql`select resource_type as type, name from services where institute_id = ${instituteId} and active and resource_type is not null order by position, id`,
)
/** The services that take one of a type. */
export const servicesOfTypes = (db: Db, scope: TeamScope) => takers.all(db, scope.instituteId)

const insert = statement(
  { name: 'resources.insert', row: { id: c.uuid }, tries: [{ instituteId: someId, type: 'room', name: 'A', note: '' }] },
  ({
    instituteId,
    type,
    name,
    note,
  }: {
    instituteId: string
    type: string
    name: string
    note: string
  }) => sql`insert into resources (institute_id, type, name, note, position)
    select ${instituteId}, ${type}, ${name}, nullif(${note}, ''), coalesce((select max(position) + 1 from resources where institute_id = ${instituteId}), 0) returning id`,
)
export async function insertResource({ db, instituteId }: Unit, { type, name, note }: ResourceInput): Promise<string> {
  const made = await insert.one(db, { instituteId, type, name, note })
  if (!made) throw new Error('a resource was not stored')
  return made.id
}

interface OfUnit {
  instituteId: string
  id: string
}
const some: OfUnit = { instituteId: someId, id: someId }
const update = statement(
  { name: 'resources.update', row: {}, tries: [{ ...some, type: 'room', name: 'A', note: '' }] },
  ({ instituteId, id, type, name, note }: OfUnit & Omit<ResourceInput, 'closures'>) => sql`update resources
    set type = ${type}, name = ${name}, note = nullif(${note}, '') where id = ${id} and institute_id = ${instituteId} and active`,
)
/** False when the institute has none with this id. */
export const updateResource = async ({ db, instituteId }: Unit, id: string, { type, name, note }: ResourceInput): Promise<boolean> =>
  (await update.run(db, { instituteId, id, type, name, note })) > 0

const typeOf = statement(
  { name: 'resources.type', row: { type: c.text }, tries: [some] },
  ({ instituteId, id }: OfUnit) => sql`select type from resources where id = ${id} and institute_id = ${instituteId} and active`,
)
/** Null when the institute has none with this id. */
export const readType = async ({ db, instituteId }: Unit, id: string): Promise<string | null> =>
  (await typeOf.one(db, { instituteId, id }))?.type ?? null

const follow = statement(
  { name: 'resources.follow', row: {}, tries: [{ instituteId: someId, before: 'chair', after: 'seat' }] },
  ({
    instituteId,
    before,
    after,
  }: {
    instituteId: string
    before: string
    after: string
  }) => sql`update services set resource_type = ${after}
    where institute_id = ${instituteId} and resource_type = ${before}
      and not exists (select from resources r where r.institute_id = ${instituteId} and r.active and r.type = ${before})`,
)
/** Services that ask for a type of which there is none left ask for the other. */
export const followType = async ({ db, instituteId }: Unit, types: { before: string; after: string }): Promise<void> =>
  void (await follow.run(db, { instituteId, ...types }))

const needing = statement(
  { name: 'resources.needing', row: { id: c.uuid, name: c.json(z.record(z.string(), z.string())) }, tries: [some] },
  ({
    instituteId,
    id,
  }: OfUnit) => sql`select s.id, s.name from resources r join services s on s.institute_id = r.institute_id and s.resource_type = r.type and s.archived_at is null
    where r.id = ${id} and r.institute_id = ${instituteId} and r.active
      and not exists (select from resources o where o.institute_id = r.institute_id and o.active and o.type = r.type and o.id <> r.id) order by s.position, s.id`,
)
/** The services of the menu that ask for its type, where it is the last of it. */
export const servicesNeeding = ({ db, instituteId }: Unit, id: string) => needing.all(db, { instituteId, id })

const forget = statement(
  { name: 'resources.forgetClosures', row: {}, tries: [some] },
  ({ instituteId, id }: OfUnit) => sql`delete from resource_closures where resource_id = ${id} and institute_id = ${instituteId}`,
)
const close = statement(
  { name: 'resources.close', row: {}, tries: [{ ...some, closures: [] }] },
  ({
    instituteId,
    id,
    closures,
  }: OfUnit & { closures: ResourceInput['closures'] }) => sql`insert into resource_closures (institute_id, resource_id, from_day, to_day)
    select ${instituteId}, ${id}, "fromDay", "toDay" from jsonb_to_recordset(${JSON.stringify(closures)}::jsonb) as c("fromDay" date, "toDay" date)`,
)
export async function closeResource({ db, instituteId }: Unit, id: string, closures: ResourceInput['closures']): Promise<void> {
  await forget.run(db, { instituteId, id })
  if (closures.length > 0) await close.run(db, { instituteId, id, closures })
}

const remove = statement(
  { name: 'resources.remove', row: {}, tries: [some] },
  ({ instituteId, id }: OfUnit) => sql`update resources set active = false where id = ${id} and institute_id = ${instituteId} and active`,
)
/** Its history stays. False when the institute has none with this id. */
export const removeResourceOf = async ({ db, instituteId }: Unit, id: string): Promise<boolean> =>
  (await remove.run(db, { instituteId, id })) > 0

const order = statement(
  { name: 'resources.order', row: {}, tries: [{ instituteId: someId, ids: [someId] }] },
  ({ instituteId, ids }: { instituteId: string; ids: readonly string[] }) => sql`update resources r set position = asked.place - 1
    from unnest(${ids}::uuid[]) with ordinality as asked (id, place) where r.id = asked.id and r.institute_id = ${instituteId} and r.active`,
)
/** How many of them are of the institute. */
export const orderOf = ({ db, instituteId }: Unit, ids: readonly string[]): Promise<number> => order.run(db, { instituteId, ids })

const count = statement(
  { name: 'resources.count', row: { count: known(c.count) }, tries: [someId] },
  (instituteId: string) => sql`select count(*) as count from resources where institute_id = ${instituteId} and active`,
)
export const resourceCount = async ({ db, instituteId }: Unit): Promise<number> => (await count.one(db, instituteId))?.count ?? 0

const visits = statement(
  {
    name: 'resources.visits',
    row: { id: known(c.uuid), startsAt: known(c.instant), endsAt: known(c.instant), customer: orNull(c.text) },
    tries: [{ ...some, now: new Date(0) }],
  },
  ({ instituteId, id, now }: OfUnit & { now: Date }) => sql`select distinct a.id, a.starts_at as "startsAt", a.ends_at as "endsAt",
      nullif(trim(c.first_name || ' ' || c.last_name), '') as customer
    from segments s join appointments a on a.id = s.appointment_id left join customers c on c.id = a.customer_id
    where s.resource_id = ${id} and s.institute_id = ${instituteId} and s.ends_at > ${now} and a.status <> 'cancelled' and (a.status <> 'held' or a.expires_at > ${now})
    union all select g.id, lower(g.during), upper(g.during), null from group_sessions g
      where g.resource_id = ${id} and g.institute_id = ${instituteId} and upper(g.during) > ${now}
    order by "startsAt", id`,
)
/** What lies ahead in it, sessions too. */
export const visitsIn = ({ db, instituteId, now }: Unit, id: string) => visits.all(db, { instituteId, id, now: new Date(now) })
