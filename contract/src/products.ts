/** Products that an institute sells over the counter. Amounts are whole minor units and include VAT. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { amount } from './sales.ts'
import { id, money, text } from './wire.ts'

/** Most products that are sold over the counter. */
export const mostProducts = 500

const product = z.object({
  _id: z.string(),
  name: z.string(),
  price: money,
  /** Hundredths of a percent; the institute's rate where it has none of its own. */
  vatBasisPoints: z.int(),
  /** Left on the shelf; null where nobody counts. */
  stock: z.nullable(z.int()),
})
export type Product = z.output<typeof product>
const productBody = z.object({
  name: text(80),
  price: amount,
  vatBasisPoints: z.optional(z.nullable(z.int().check(z.gte(0), z.lte(5000)))),
  stock: z.optional(z.nullable(z.int().check(z.gte(-100_000), z.lte(100_000)))),
})

const ofProduct = z.object({ id })
/** The list of products, and changes of it. */
export const productCalls = defineCalls({
  products: {
    method: 'GET',
    path: '/api/v1/secure/mysalon/products',
    access: { of: 'institute', may: 'sales.take' },
    tag: 'sales',
    summary: 'Products sold over the counter, by name',
    answer: z.object({ items: z.array(product) }),
  },
  addProduct: {
    method: 'POST',
    path: '/api/v1/secure/mysalon/products',
    access: { of: 'institute', may: 'services.change' },
    tag: 'sales',
    summary: 'Sell one more product',
    body: productBody,
    idempotent: true,
    status: 201,
    answer: product,
    refusals: ['menu_full'],
  },
  changeProduct: {
    method: 'PUT',
    path: '/api/v1/secure/mysalon/products/:id',
    access: { of: 'institute', may: 'services.change' },
    tag: 'sales',
    summary: 'Change a product; what was sold keeps its name and price',
    params: ofProduct,
    body: productBody,
    answer: product,
  },
  removeProduct: {
    method: 'DELETE',
    path: '/api/v1/secure/mysalon/products/:id',
    access: { of: 'institute', may: 'services.change' },
    tag: 'sales',
    summary: 'Sell a product no more; documents keep it',
    params: ofProduct,
    answer: z.object({ items: z.array(product) }),
  },
})
