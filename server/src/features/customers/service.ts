/** The clients of an institute, as its people find them. */
import type { CustomerRow } from '@soigne/contract/customers'
import { fileAddress } from '#/features/files/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { foldText } from '#/platform/fold-text.ts'
import { instantText } from '#/platform/instants.ts'
import { listTags } from './changes-store.ts'
import { type CustomerFilter, type CustomerSort, listCustomers, type ListedCustomer, readInstitute } from './list-store.ts'

export { writeCsv, writeCsvRows } from './csv.ts'
export { isSameName } from './import.ts'
export { isBlockedAt } from './record.ts'

type Reader = InstituteScope<'customers.read'>

/** Fewer digits are in every number. */
const leastDigits = 3
/** Faces of a list. */
const faceSize = 96

/** What was typed, as names, emails and numbers are compared with it; null for nothing. */
export function searchOf(typed: string): { words: string; email: string; digits: string } | null {
  if (typed === '') return null
  const digits = /\p{L}|@/u.test(typed) ? '' : typed.replaceAll('(0)', '').replaceAll(/\D/g, '').replace(/^0+/, '')
  return { words: foldText(typed), email: /\s/.test(typed) ? '' : typed, digits: digits.length < leastDigits ? '' : digits }
}

const rowForWire = (context: AppContext, { id, imageKey, spend, total: _, ...row }: ListedCustomer, currency: string): CustomerRow => ({
  _id: id,
  name: `${row.firstName} ${row.lastName}`.trim(),
  ...row,
  imageUrl: imageKey === null ? null : fileAddress(context, imageKey, faceSize),
  spend: { amount: spend, currency },
})

export interface AskedList {
  search: string
  sort: CustomerSort
  filter?: CustomerFilter | undefined
  tag?: string | undefined
  page: number
  pageSize: number
}
export async function customersOf(
  context: AppContext,
  scope: Reader,
  { search, sort, filter, tag, page, pageSize }: AskedList,
): Promise<{ items: CustomerRow[]; page: number; pageSize: number; total: number; tags: string[]; timeZone: string; now: string }> {
  const { db } = context.database
  const [{ timeZone, currency }, now] = [await readInstitute(db, scope), new Date(context.clock.now())]
  const asked = { search: searchOf(search), sort, filter: filter ?? null, tag: tag ?? null, now }
  const rows = await listCustomers(db, scope, { ...asked, offset: (page - 1) * pageSize, limit: pageSize })
  // Beyond the last page nothing says how many there are.
  const [first = null] = rows.length > 0 || page === 1 ? rows : await listCustomers(db, scope, { ...asked, offset: 0, limit: 1 })
  const items = rows.map((row) => rowForWire(context, row, currency))
  return {
    items,
    page,
    pageSize,
    total: first?.total ?? 0,
    tags: await listTags(db, scope),
    timeZone,
    now: instantText(context.clock.now()),
  }
}
