/** Products that are sold over the counter, with how many are left on the shelf. */
import { mostProducts, type Product } from '@soigne/contract/products'
import { rateOf } from '#/features/sales/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { refuse } from '#/platform/refuse.ts'
import {
  archiveProduct,
  changeProductRow,
  countProducts,
  insertProduct,
  type ProductFields,
  productsOf,
  type StoredProduct,
  vatOfInstitute,
} from './product-store.ts'

interface Asked {
  name: string
  price: number
  vatBasisPoints?: number | null | undefined
  stock?: number | null | undefined
}
const fieldsOf = ({ name, price, vatBasisPoints = null, stock = null }: Asked): ProductFields => ({
  name,
  priceAmount: price,
  vatBasisPoints,
  stock,
})

async function forWire(db: Db, scope: InstituteScope<never>, products: readonly StoredProduct[]): Promise<Product[]> {
  const institute = await vatOfInstitute(db, scope)
  if (!institute) throw refuse('not_found')
  return products.map(({ id: _id, name, priceAmount, vatBasisPoints, stock }) => ({
    _id,
    name,
    price: { amount: priceAmount, currency: institute.currency },
    vatBasisPoints: vatBasisPoints ?? rateOf(institute),
    stock,
  }))
}
const oneForWire = async (db: Db, scope: InstituteScope<never>, product: StoredProduct | null): Promise<Product> => {
  const [one] = product === null ? [] : await forWire(db, scope, [product])
  if (!one) throw refuse('not_found')
  return one
}

export const listProducts = async ({ database: { db } }: AppContext, scope: InstituteScope<never>): Promise<{ items: Product[] }> => ({
  items: await forWire(db, scope, await productsOf(db, scope)),
})

/** @throws menu_full */
export async function addProduct(
  { database: { db }, clock }: AppContext,
  scope: InstituteScope<'services.change'>,
  asked: Asked,
): Promise<Product> {
  if ((await countProducts(db, scope)) >= mostProducts) throw refuse('menu_full', { most: mostProducts })
  return oneForWire(db, scope, await insertProduct(db, scope, fieldsOf(asked), new Date(clock.now())))
}

export const changeProduct = async (
  { database: { db } }: AppContext,
  scope: InstituteScope<'services.change'>,
  id: string,
  asked: Asked,
): Promise<Product> => oneForWire(db, scope, await changeProductRow(db, scope, id, fieldsOf(asked)))

export async function removeProduct(
  context: AppContext,
  scope: InstituteScope<'services.change'>,
  id: string,
): Promise<{ items: Product[] }> {
  if (!(await archiveProduct(context.database.db, scope, id, new Date(context.clock.now())))) throw refuse('not_found')
  return listProducts(context, scope)
}
