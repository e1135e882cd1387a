/** Packages that are sold, and those of clients with the sessions that came into them and went. Moves are added and never changed. */
import { locales } from '@soigne/contract/wire'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { InstituteScope, SelfScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, type RowOf, someId, statement } from '#/platform/statement.ts'

const named = z.array(z.object({ _id: z.string(), name: z.partialRecord(z.enum(locales), z.string()) }))
const servicesOf = (
  ids: ReturnType<typeof sql.ref>,
) => sql`(select coalesce(jsonb_agg(jsonb_build_object('_id', v.id, 'name', v.name) order by v.id), '[]')
  from services v where v.id = any(${ids}))`

const packageRow = {
  id: c.uuid,
  name: c.text,
  serviceIds: c.list(c.uuid),
  sessions: c.int,
  priceAmount: c.int,
  months: c.int,
  currency: c.text,
  services: known(c.json(named)),
}
export type StoredPackage = RowOf<typeof packageRow>
const columns = sql`p.id, p.name, p.service_ids as "serviceIds", p.sessions, p.price_amount as "priceAmount", p.months, i.currency,
  ${servicesOf(sql.ref('p.service_ids'))} as services`

interface Some {
  instituteId: string
  ids: readonly string[] | null
}
const onSale = statement(
  { name: 'vouchers.packages', row: packageRow, tries: [{ instituteId: someId, ids: null }] },
  ({ instituteId, ids }: Some) => sql`select ${columns} from packages p join institutes i on i.id = p.institute_id
    where p.institute_id = ${instituteId} and p.archived_at is null and (${ids}::uuid[] is null or p.id = any(${ids}::uuid[])) order by lower(p.name), p.id`,
)
export const packagesOnSale = (db: Db, scope: InstituteScope<never>): Promise<StoredPackage[]> =>
  onSale.all(db, { instituteId: scope.instituteId, ids: null })
export const packagesById = ({ db, instituteId }: Unit, ids: readonly string[]): Promise<StoredPackage[]> =>
  onSale.all(db, { instituteId, ids })

export interface PackageFields {
  name: string
  serviceIds: readonly string[]
  sessions: number
  priceAmount: number
  months: number
}
const someFields: PackageFields = { name: 'a', serviceIds: [someId], sessions: 2, priceAmount: 1, months: 1 }
const insert = statement(
  { name: 'vouchers.insertPackage', row: { id: c.uuid }, tries: [{ ...someFields, instituteId: someId, now: new Date(0) }] },
  (p: PackageFields & { instituteId: string; now: Date }) => sql`
    insert into packages (institute_id, name, service_ids, sessions, price_amount, months, created_at)
    select ${p.instituteId}, ${p.name}, ${p.serviceIds}::uuid[], ${p.sessions}, ${p.priceAmount}, ${p.months}, ${p.now}
    where (select count(*) from services s where s.institute_id = ${p.instituteId} and s.archived_at is null and s.id = any(${p.serviceIds}::uuid[])) = cardinality(${p.serviceIds}::uuid[])
    returning id`,
)
/** Null where a service is not on the menu. */
export const insertPackage = async (db: Db, scope: InstituteScope<'services.change'>, fields: PackageFields, now: Date) =>
  insert.one(db, { ...fields, instituteId: scope.instituteId, now })

const archive = statement(
  { name: 'vouchers.archivePackage', row: {}, tries: [{ instituteId: someId, id: someId, now: new Date(0) }] },
  ({ instituteId, id, now }: { instituteId: string; id: string; now: Date }) =>
    sql`update packages set archived_at = ${now} where id = ${id} and institute_id = ${instituteId} and archived_at is null`,
)
export const archivePackage = async (db: Db, scope: InstituteScope<'services.change'>, id: string, now: Date): Promise<boolean> =>
  (await archive.run(db, { instituteId: scope.instituteId, id, now })) > 0

const clientRow = {
  id: c.uuid,
  saleId: c.uuid,
  name: c.text,
  serviceIds: c.list(c.uuid),
  services: known(c.json(named)),
  currency: c.text,
  validUntil: c.day,
  /** As they were sold. */
  sessions: known(c.count),
  amount: known(c.count),
  left: known(c.count),
  leftAmount: known(c.count),
  leftVat: known(c.count),
  instituteSlug: c.text,
  instituteName: c.text,
  timeZone: c.text,
}
export type StoredClientPackage = RowOf<typeof clientRow>
const clientColumns = sql`p.id, p.sale_id as "saleId", p.name, p.service_ids as "serviceIds", ${servicesOf(sql.ref('p.service_ids'))} as services,
  p.currency, p.valid_until as "validUntil", m.sessions, m.amount, m.left, m."leftAmount", m."leftVat",
  i.slug as "instituteSlug", i.name as "instituteName", i.time_zone as "timeZone"`
const from = sql`client_packages p join institutes i on i.id = p.institute_id join sales s on s.id = p.sale_id join customers k on k.id = s.customer_id
  cross join lateral (select coalesce(sum(m.sessions) filter (where m.kind = 'sold'), 0)::int8 as sessions, coalesce(sum(m.amount) filter (where m.kind = 'sold'), 0)::int8 as amount,
    coalesce(sum(m.sessions), 0)::int8 as left, coalesce(sum(m.amount), 0)::int8 as "leftAmount",
    coalesce(sum(m.vat), 0)::int8 as "leftVat"
    from client_package_moves m where m.client_package_id = p.id) m`

const ofClient = statement(
  { name: 'vouchers.clientPackages', row: clientRow, tries: [{ instituteId: someId, customerId: someId }] },
  ({ instituteId, customerId }: { instituteId: string; customerId: string }) => sql`select ${clientColumns} from ${from}
    where p.institute_id = ${instituteId} and coalesce(k.merged_into, k.id) = ${customerId} order by p.sold_at desc, p.id limit 100`,
)
export const packagesOfClient = (db: Db, scope: InstituteScope<'sales.take'>, customerId: string): Promise<StoredClientPackage[]> =>
  ofClient.all(db, { instituteId: scope.instituteId, customerId })

const own = statement(
  { name: 'vouchers.ownPackages', row: clientRow, tries: [someId] },
  (userId: string) => sql`select ${clientColumns} from ${from}
    where coalesce(k.merged_into, k.id) in (select o.id from customers o where o.user_id = ${userId}) and m.left > 0 order by p.valid_until, p.id limit 100`,
)
/** With something left. */
export const packagesOfUser = (db: Db, scope: SelfScope): Promise<StoredClientPackage[]> => own.all(db, scope.userId)

interface OfUnit {
  instituteId: string
  ids: readonly string[]
}
const lock = statement(
  { name: 'vouchers.lockClientPackages', row: { id: c.uuid }, tries: [{ instituteId: someId, ids: [someId] }] },
  ({ instituteId, ids }: OfUnit) =>
    sql`select id from client_packages where institute_id = ${instituteId} and id = any(${ids}::uuid[]) order by id for update`,
)
const lockedRow = { ...clientRow, customerId: known(c.uuid) }
const some = statement(
  { name: 'vouchers.someClientPackages', row: lockedRow, tries: [{ instituteId: someId, ids: [someId] }] },
  ({ instituteId, ids }: OfUnit) => sql`select ${clientColumns}, coalesce(k.merged_into, k.id) as "customerId" from ${from}
    where p.institute_id = ${instituteId} and p.id = any(${ids}::uuid[]) order by p.id`,
)
export type LockedPackage = RowOf<typeof lockedRow>
/** Whoever else moves a session of them waits; what is left is read after that. */
export async function lockClientPackages({ db, instituteId }: Unit, ids: readonly string[]): Promise<LockedPackage[]> {
  await lock.all(db, { instituteId, ids })
  return some.all(db, { instituteId, ids })
}

export interface NewClientPackage {
  id: string
  packageId: string
  saleId: string
  lineId: string
  name: string
  serviceIds: readonly string[]
  currency: string
  validUntil: string
}
const someNew: NewClientPackage = {
  id: someId,
  packageId: someId,
  saleId: someId,
  lineId: someId,
  name: 'a',
  serviceIds: [someId],
  currency: 'EUR',
  validUntil: '2026-01-01',
}
const sold = statement(
  { name: 'vouchers.insertClientPackage', row: {}, tries: [{ ...someNew, instituteId: someId, now: new Date(0) }] },
  (p: NewClientPackage & { instituteId: string; now: Date }) => sql`
    insert into client_packages (id, institute_id, package_id, sale_id, line_id, name, service_ids, currency, valid_until, sold_at)
    values (${p.id}, ${p.instituteId}, ${p.packageId}, ${p.saleId}, ${p.lineId}, ${p.name}, ${p.serviceIds}::uuid[], ${p.currency}, ${p.validUntil}, ${p.now})`,
)
export const insertClientPackage = async (unit: Unit, one: NewClientPackage): Promise<void> =>
  void (await sold.run(unit.db, { ...one, instituteId: unit.instituteId, now: new Date(unit.now) }))

export interface PackageMove {
  clientPackageId: string
  kind: 'sold' | 'used' | 'undone' | 'given_back' | 'expired'
  /** Above zero into the package. */
  sessions: number
  amount: number
  vat: number
  saleId: string
  lineId: string | null
}
const someMove: PackageMove = { clientPackageId: someId, kind: 'sold', sessions: 1, amount: 1, vat: 0, saleId: someId, lineId: null }
const move = statement(
  { name: 'vouchers.moveOfPackage', row: {}, tries: [{ ...someMove, instituteId: someId, now: new Date(0) }] },
  (m: PackageMove & { instituteId: string; now: Date }) => sql`
    insert into client_package_moves (institute_id, client_package_id, kind, sessions, amount, vat, sale_id, line_id, at)
    values (${m.instituteId}, ${m.clientPackageId}, ${m.kind}, ${m.sessions}, ${m.amount}, ${m.vat}, ${m.saleId}, ${m.lineId}, ${m.now})`,
)
export const insertPackageMove = async (unit: Unit, one: PackageMove): Promise<void> =>
  void (await move.run(unit.db, { ...one, instituteId: unit.instituteId, now: new Date(unit.now) }))

const touchedRow = { id: c.uuid, lineId: c.uuid }
const soldBy = statement(
  { name: 'vouchers.packagesSoldBy', row: touchedRow, tries: [{ instituteId: someId, saleId: someId }] },
  ({ instituteId, saleId }: { instituteId: string; saleId: string }) =>
    sql`select id, line_id as "lineId" from client_packages where sale_id = ${saleId} and institute_id = ${instituteId} order by id`,
)
/** The packages that a sale sold, by the lines of its invoice. */
export const packagesSoldBy = ({ db, instituteId }: Unit, saleId: string): Promise<RowOf<typeof touchedRow>[]> =>
  soldBy.all(db, { instituteId, saleId })

const useRow = { clientPackageId: c.uuid, lineId: known(c.uuid), amount: known(c.int), vat: known(c.int) }
const usesBy = statement(
  { name: 'vouchers.usesBy', row: useRow, tries: [{ instituteId: someId, saleId: someId }] },
  ({ instituteId, saleId }: { instituteId: string; saleId: string }) => sql`
    select m.client_package_id as "clientPackageId", m.line_id as "lineId", -m.amount as amount, -m.vat as vat from client_package_moves m
    where m.sale_id = ${saleId} and m.institute_id = ${instituteId} and m.kind = 'used'
      and not exists (select from client_package_moves u where u.line_id = m.line_id and u.kind = 'undone')`,
)
/** Sessions that pay for lines of a sale. */
export const usesBySale = ({ db, instituteId }: Unit, saleId: string): Promise<RowOf<typeof useRow>[]> =>
  usesBy.all(db, { instituteId, saleId })

const overRow = { id: c.uuid, instituteId: c.uuid, timeZone: c.text, validUntil: c.day }
const over = statement(
  { name: 'vouchers.packagesPastTheirDay', row: overRow, tries: [{ day: '2026-01-01', limit: 1 }] },
  ({ day, limit }: { day: string; limit: number }) => sql`
    select p.id, p.institute_id as "instituteId", i.time_zone as "timeZone", p.valid_until as "validUntil" from client_packages p join institutes i on i.id = p.institute_id
    where p.valid_until < ${day}::date and (select sum(m.sessions) from client_package_moves m where m.client_package_id = p.id) > 0
    order by p.valid_until, p.id limit ${limit}`,
)
/** Packages with something left whose last day is before this one. */
export const packagesBefore = (db: Db, _scope: SystemScope, asked: { day: string; limit: number }): Promise<RowOf<typeof overRow>[]> =>
  over.all(db, asked)
