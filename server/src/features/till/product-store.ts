/** Products that are sold over the counter. */
import { sql } from 'kysely'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

const productRow = {
  id: c.uuid,
  name: c.text,
  priceAmount: c.int,
  vatBasisPoints: orNull(c.int),
  stock: orNull(c.int),
}
export type StoredProduct = RowOf<typeof productRow>
const columns = sql`p.id, p.name, p.price_amount as "priceAmount", p.vat_basis_points as "vatBasisPoints", p.stock`

const all = statement(
  { name: 'products.all', row: productRow, tries: [someId] },
  (instituteId: string) =>
    sql`select ${columns} from products p where p.institute_id = ${instituteId} and p.archived_at is null order by lower(p.name), p.id`,
)
export const productsOf = (db: Db, scope: InstituteScope<never>): Promise<StoredProduct[]> => all.all(db, scope.instituteId)

const some = statement(
  { name: 'products.some', row: productRow, tries: [{ instituteId: someId, ids: [someId] }] },
  ({ instituteId, ids }: { instituteId: string; ids: readonly string[] }) =>
    sql`select ${columns} from products p where p.institute_id = ${instituteId} and p.id = any(${ids}::uuid[]) and p.archived_at is null`,
)
export const productsById = (unit: Unit, ids: readonly string[]): Promise<StoredProduct[]> =>
  some.all(unit.db, { instituteId: unit.instituteId, ids })

export interface ProductFields {
  name: string
  priceAmount: number
  vatBasisPoints: number | null
  stock: number | null
}
const someFields: ProductFields = { name: 'a', priceAmount: 1, vatBasisPoints: null, stock: null }

const insert = statement(
  { name: 'products.insert', row: productRow, tries: [{ instituteId: someId, now: new Date(0), ...someFields }] },
  (p: ProductFields & { instituteId: string; now: Date }) => sql`
    insert into products as p (institute_id, name, price_amount, vat_basis_points, stock, created_at)
    values (${p.instituteId}, ${p.name}, ${p.priceAmount}, ${p.vatBasisPoints}, ${p.stock}, ${p.now}) returning ${columns}`,
)
export const insertProduct = (
  db: Db,
  scope: InstituteScope<'services.change'>,
  fields: ProductFields,
  now: Date,
): Promise<StoredProduct | null> => insert.one(db, { ...fields, instituteId: scope.instituteId, now })

const change = statement(
  { name: 'products.change', row: productRow, tries: [{ instituteId: someId, id: someId, ...someFields }] },
  (p: ProductFields & { instituteId: string; id: string }) => sql`
    update products p set name = ${p.name}, price_amount = ${p.priceAmount}, vat_basis_points = ${p.vatBasisPoints}, stock = ${p.stock}
    where p.id = ${p.id} and p.institute_id = ${p.instituteId} and p.archived_at is null returning ${columns}`,
)
export const changeProductRow = (
  db: Db,
  scope: InstituteScope<'services.change'>,
  id: string,
  fields: ProductFields,
): Promise<StoredProduct | null> => change.one(db, { ...fields, instituteId: scope.instituteId, id })

const archive = statement(
  { name: 'products.archive', row: {}, tries: [{ instituteId: someId, id: someId, now: new Date(0) }] },
  ({ instituteId, id, now }: { instituteId: string; id: string; now: Date }) =>
    sql`update products set archived_at = ${now} where id = ${id} and institute_id = ${instituteId} and archived_at is null`,
)
export const archiveProduct = async (db: Db, scope: InstituteScope<'services.change'>, id: string, now: Date): Promise<boolean> =>
  (await archive.run(db, { instituteId: scope.instituteId, id, now })) > 0

const count = statement(
  { name: 'products.count', row: { count: known(c.count) }, tries: [someId] },
  (instituteId: string) => sql`select count(*) as count from products where institute_id = ${instituteId} and archived_at is null`,
)
export const countProducts = async (db: Db, scope: InstituteScope<never>): Promise<number> =>
  (await count.one(db, scope.instituteId))?.count ?? 0

const take = statement(
  { name: 'products.take', row: {}, tries: [{ instituteId: someId, id: someId, quantity: 1 }] },
  ({ instituteId, id, quantity }: { instituteId: string; id: string; quantity: number }) =>
    sql`update products set stock = stock - ${quantity}::int where id = ${id} and institute_id = ${instituteId} and stock is not null`,
)
/** Off the shelf, or with a quantity below zero back on it; where nobody counts nothing changes. */
export const takeFromShelf = async (unit: Unit, id: string, quantity: number): Promise<void> =>
  void (await take.run(unit.db, { instituteId: unit.instituteId, id, quantity }))

const vat = statement(
  { name: 'products.vat', row: { vatBasisPoints: orNull(c.int), countryCode: c.text, currency: c.text }, tries: [someId] },
  (id: string) =>
    sql`select vat_basis_points as "vatBasisPoints", country_code as "countryCode", currency from institutes where id = ${id}`,
)
export const vatOfInstitute = (db: Db, scope: InstituteScope<never>) => vat.one(db, scope.instituteId)
