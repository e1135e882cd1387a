/** The menu of an institute as it is read and written. What writes demands a unit of work: every service takes time. */
import { randomUUIDv7 } from 'node:crypto'
import { type DepositRule, depositKinds } from '@soigne/contract/deposits'
import type { MenuService, ServiceInput, Words } from '@soigne/contract/services'
import { locales, priceKind, venues } from '@soigne/contract/wire'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

export type MenuScope = InstituteScope<'services.change'>

const words = c.json(z.partialRecord(z.enum(locales), z.string()))
const int = z.nullable(z.int())
const performersJson = z.array(z.tuple([z.string(), int, int, int, int]))
const prerequisitesJson = z.array(z.tuple([z.string(), z.int(), z.int()]))
const laterPricesJson = z.array(z.tuple([z.string(), z.enum(['fixed', 'from']), z.int()]))

const menuRow = {
  id: c.uuid,
  category: c.text,
  section: words,
  name: words,
  description: words,
  activeMinutes: c.int,
  idleMinutes: c.int,
  activeAfterMinutes: c.int,
  bufferBeforeMinutes: c.int,
  bufferAfterMinutes: c.int,
  isSequential: c.bool,
  priceKind: c.oneOf(priceKind.options),
  priceAmount: orNull(c.int),
  depositKind: orNull(c.oneOf(depositKinds)),
  depositAmount: orNull(c.int),
  depositPercent: orNull(c.int),
  audience: c.text,
  latestStart: orNull(c.int),
  noticeMinutes: orNull(c.int),
  minimumAge: orNull(c.int),
  capacity: orNull(c.int),
  resourceType: orNull(c.text),
  venue: c.oneOf(venues),
  active: c.bool,
  isSignature: c.bool,
  archivedAt: orNull(c.instant),
  successorId: orNull(c.uuid),
  performers: orNull(c.json(performersJson)),
  prerequisites: orNull(c.json(prerequisitesJson)),
  laterPrices: orNull(c.json(laterPricesJson)),
  comingVisits: known(c.count),
}
export type MenuRow = RowOf<typeof menuRow>

interface Asked {
  instituteId: string
  now: Date
}
const menu = statement(
  { name: 'services.menu', row: menuRow, tries: [{ instituteId: someId, now: new Date(0) }] },
  ({
    instituteId,
    now,
  }: Asked) => sql`select s.id, s.category, s.section, s.name, s.description, s.active_minutes as "activeMinutes", s.idle_minutes as "idleMinutes",
      s.active_after_minutes as "activeAfterMinutes", s.buffer_before_minutes as "bufferBeforeMinutes", s.buffer_after_minutes as "bufferAfterMinutes", s.is_sequential as "isSequential",
      s.price_kind as "priceKind", s.price_amount as "priceAmount", s.deposit_kind as "depositKind", s.deposit_amount as "depositAmount", s.deposit_percent as "depositPercent", s.audience, s.latest_start as "latestStart", s.notice_minutes as "noticeMinutes",
      s.minimum_age as "minimumAge", s.capacity, s.resource_type as "resourceType", s.venue, s.active, s.is_signature as "isSignature", s.archived_at as "archivedAt",
      s.successor_id as "successorId",
      (select json_agg(json_build_array(p.member_id, p.active_minutes, p.idle_minutes, p.active_after_minutes, p.price_amount) order by m.position, m.id)
        from member_services p join team_members m on m.id = p.member_id where p.service_id = s.id and m.active) as performers,
      (select json_agg(json_build_array(p.required_service_id, p.min_hours, p.max_months)) from service_prerequisites p where p.service_id = s.id) as prerequisites,
      (select json_agg(json_build_array(p.from_day, p.price_kind, p.price_amount) order by p.from_day) from service_prices p where p.service_id = s.id) as "laterPrices",
      (select count(distinct g.appointment_id) from segments g join appointments a on a.id = g.appointment_id
        where g.institute_id = ${instituteId} and g.service_id = s.id and g.ends_at > ${now} and a.life is distinct from 'cancelled'
          and (a.expires_at is null or a.expires_at > ${now})) as "comingVisits"
    from services s where s.institute_id = ${instituteId} order by s.archived_at desc nulls first, s.position, s.id`,
)
/** In the order of the menu, then what was archived, the latest first. */
export const readMenu = (db: Db, scope: MenuScope, now: Date): Promise<MenuRow[]> => menu.all(db, { instituteId: scope.instituteId, now })
/** The same within a change. */
export const menuOf = (unit: Unit): Promise<MenuRow[]> => menu.all(unit.db, { instituteId: unit.instituteId, now: new Date(unit.now) })

const frameRow = {
  slug: c.text,
  currency: c.text,
  timeZone: c.text,
  categories: c.list(c.text),
  comesHome: c.bool,
  team: orNull(c.json(z.array(z.object({ _id: z.string(), name: z.string(), imageUrl: z.string() })))),
  resourceTypes: orNull(c.json(z.array(z.object({ type: z.string(), count: z.int() })))),
}
const frame = statement(
  { name: 'services.frame', row: frameRow, tries: [someId] },
  (instituteId: string) => sql`select i.slug, i.currency, i.time_zone as "timeZone", i.categories, i.at_home as "comesHome",
      (select json_agg(json_build_object('_id', m.id, 'name', m.name, 'imageUrl', m.image_url) order by m.position, m.id)
        from team_members m where m.institute_id = i.id and m.active) as team,
      (select json_agg(t order by t.type) from (select r.type, count(*)::int as count from resources r where r.institute_id = i.id and r.active group by r.type) t)
        as "resourceTypes"
    from institutes i where i.id = ${instituteId}`,
)
export type Frame = RowOf<typeof frameRow>
/** What a service can be made of at this institute. */
export const readFrame = (db: Db, scope: MenuScope): Promise<Frame | null> => frame.one(db, scope.instituteId)
/** The same within a change. */
export const frameOf = ({ db, instituteId }: Unit): Promise<Frame | null> => frame.one(db, instituteId)

const written = (given: Words): string =>
  JSON.stringify(Object.fromEntries(Object.entries(given).filter(([, one]) => one !== undefined && one !== '')))
const minutesOf = (wall: string | null): number | null => (wall === null ? null : Number(wall.slice(0, 2)) * 60 + Number(wall.slice(3)))

const depositColumns = (rule: DepositRule | null) => ({
  deposit_kind: rule?.kind ?? null,
  deposit_amount: rule?.kind === 'fixed' ? rule.amount : null,
  deposit_percent: rule?.kind === 'percent' ? rule.percent : null,
})

const columnsOf = (given: ServiceInput) => ({
  category: given.category,
  section: written(given.section),
  name: written(given.name),
  description: written(given.description),
  active_minutes: given.activeMinutes,
  idle_minutes: given.idleMinutes,
  active_after_minutes: given.activeAfterMinutes,
  buffer_before_minutes: given.bufferBeforeMinutes,
  buffer_after_minutes: given.bufferAfterMinutes,
  is_sequential: given.isSequential,
  price_kind: given.priceKind,
  price_amount: given.priceKind === 'on_request' ? null : given.priceAmount,
  ...depositColumns(given.deposit),
  audience: given.audience,
  latest_start: minutesOf(given.latestStart),
  notice_minutes: given.noticeMinutes,
  minimum_age: given.minimumAge,
  resource_type: given.resourceType,
  capacity: given.capacity,
  venue: given.venue,
  active: given.active,
  is_signature: given.isSignature,
})

/** Puts services at the end of the menu, in this order; gives their ids. */
export async function insertServices({ db, instituteId }: Unit, services: readonly ServiceInput[]): Promise<string[]> {
  const { last } = await db
    .selectFrom('services')
    .select(({ fn }) => fn.max('position').as('last'))
    .where('institute_id', '=', instituteId)
    .executeTakeFirstOrThrow()
  // `max` of nothing is null, which the types do not say.
  const first = ((last as number | null) ?? -1) + 1
  const rows = services.map((one, at) => ({ id: randomUUIDv7(), institute_id: instituteId, position: first + at, ...columnsOf(one) }))
  if (rows.length > 0) await db.insertInto('services').values(rows).execute()
  return rows.map(({ id }) => id)
}

/** Writes one anew. What is active is archived no more. */
export async function updateService({ db, instituteId }: Unit, id: string, given: ServiceInput): Promise<void> {
  await db
    .updateTable('services')
    .set({ ...columnsOf(given), ...(given.active && { archived_at: null, successor_id: null }) })
    .where('id', '=', id)
    .where('institute_id', '=', instituteId)
    .execute()
}

/** No other service than this one is the signature. */
export async function clearSignature({ db, instituteId }: Unit, exceptId: string | null): Promise<void> {
  await db
    .updateTable('services')
    .set({ is_signature: false })
    .where('institute_id', '=', instituteId)
    .where('is_signature', '=', true)
    .$if(exceptId !== null, (query) => query.where('id', '<>', exceptId ?? ''))
    .execute()
}

type Performers = NonNullable<ServiceInput['performers']>
/** Who performs a service from now on; those who are no longer of the team keep what was theirs. */
export async function setPerformers({ db, instituteId }: Unit, serviceId: string, performers: Performers): Promise<void> {
  const active = db.selectFrom('team_members').select('id').where('institute_id', '=', instituteId).where('active', '=', true)
  await db
    .deleteFrom('member_services')
    .where('service_id', '=', serviceId)
    .where('institute_id', '=', instituteId)
    .where('member_id', 'in', active)
    .execute()
  if (performers.length === 0) return
  const rows = performers.map(({ staffId, minutes, priceAmount }) => ({
    member_id: staffId,
    service_id: serviceId,
    institute_id: instituteId,
    active_minutes: minutes?.activeMinutes ?? null,
    idle_minutes: minutes?.idleMinutes ?? null,
    active_after_minutes: minutes?.activeAfterMinutes ?? null,
    price_amount: priceAmount,
  }))
  await db.insertInto('member_services').values(rows).execute()
}

/** Everybody of the team performs these. */
export async function everybodyPerforms({ db, instituteId }: Unit, serviceIds: readonly string[]): Promise<void> {
  const members = await db
    .selectFrom('team_members')
    .select('id')
    .where('institute_id', '=', instituteId)
    .where('active', '=', true)
    .execute()
  const rows = serviceIds.flatMap((id) => members.map((member) => ({ member_id: member.id, service_id: id, institute_id: instituteId })))
  if (rows.length > 0) await db.insertInto('member_services').values(rows).execute()
}

export async function setPrerequisites(
  { db, instituteId }: Unit,
  serviceId: string,
  prerequisites: ServiceInput['prerequisites'],
): Promise<void> {
  await db.deleteFrom('service_prerequisites').where('service_id', '=', serviceId).where('institute_id', '=', instituteId).execute()
  if (prerequisites.length === 0) return
  const rows = prerequisites.map((one) => ({
    service_id: serviceId,
    institute_id: instituteId,
    required_service_id: one.serviceId,
    min_hours: one.minHours,
    max_months: one.maxMonths,
  }))
  await db.insertInto('service_prerequisites').values(rows).execute()
}

/** All prices that are dated ahead. */
export async function setLaterPrices({ db, instituteId }: Unit, serviceId: string, prices: MenuService['laterPrices']): Promise<void> {
  await db.deleteFrom('service_prices').where('service_id', '=', serviceId).where('institute_id', '=', instituteId).execute()
  if (prices.length === 0) return
  const rows = prices.map((one) => ({
    service_id: serviceId,
    institute_id: instituteId,
    from_day: one.fromDay,
    price_kind: one.priceKind,
    price_amount: one.priceAmount,
  }))
  await db.insertInto('service_prices').values(rows).execute()
}

const order = statement(
  { name: 'services.order', row: {}, tries: [{ instituteId: someId, ids: [someId] }] },
  ({ instituteId, ids }: { instituteId: string; ids: readonly string[] }) => sql`with placed as (
      select s.id, (row_number() over (order by array_position(${ids}::uuid[], s.id) nulls last, s.position, s.id) - 1)::smallint as place
      from services s where s.institute_id = ${instituteId} and s.archived_at is null)
    update services s set position = p.place from placed p where s.id = p.id and s.position <> p.place`,
)
/** How many have another place than before. */
export const orderMenu = ({ db, instituteId }: Unit, ids: readonly string[]): Promise<number> => order.run(db, { instituteId, ids })

const group = statement(
  { name: 'services.renameGroup', row: {}, tries: [{ instituteId: someId, section: {}, to: {} }] },
  ({
    instituteId,
    section,
    to,
  }: {
    instituteId: string
    section: Words
    to: Words
  }) => sql`update services set section = ${written(to)}::jsonb
    where institute_id = ${instituteId} and section = ${written(section)}::jsonb`,
)
/** How many services stand in it. */
export const renameSection = ({ db, instituteId }: Unit, names: { section: Words; to: Words }): Promise<number> =>
  group.run(db, { instituteId, ...names })

const bookedEver = statement(
  { name: 'services.isBooked', row: { isBooked: known(c.bool) }, tries: [someId] },
  (id: string) =>
    sql`select exists (select from segments where service_id = ${id}) or exists (select from group_sessions where service_id = ${id}) as "isBooked"`,
)
/** Whether anything of the diary was ever booked with it: then its row has to stay. */
export const wasBooked = async ({ db }: Unit, id: string): Promise<boolean> => (await bookedEver.one(db, id))?.isBooked ?? false

export async function deleteService({ db, instituteId }: Unit, id: string): Promise<void> {
  await db.deleteFrom('services').where('id', '=', id).where('institute_id', '=', instituteId).execute()
}

export async function archiveService({ db, instituteId, now }: Unit, id: string, successorId: string | null): Promise<void> {
  await db
    .updateTable('services')
    .set({ active: false, is_signature: false, archived_at: new Date(now), successor_id: successorId })
    .where('id', '=', id)
    .where('institute_id', '=', instituteId)
    .execute()
}
