/** What the sales of a stretch come to, so that several stretches can be added up. */
import { saleMethods } from '@soigne/contract/sales'
import * as z from 'zod/mini'
import type { Countable } from '#/features/monthly-totals/service.ts'
import { invoicedOn } from './export-store.ts'
import { totalsBetween } from './list-store.ts'

const amount = z.int()
const sums = {
  /** Sales, and visits without one. */
  count: amount,
  taken: amount,
  payments: amount,
  refunded: amount,
  tips: amount,
  due: amount,
  cancelledAmount: amount,
  cancelledVisits: amount,
}
const invoicedSums = { invoices: amount, creditNotes: amount, gross: amount, vat: amount }
const schema = z.object({
  ...sums,
  methods: z.array(z.object({ method: z.enum(saleMethods), amount })),
  invoiced: z.object(invoicedSums),
})
export type SalesTotals = z.output<typeof schema>

const namesOf = <Shape extends object>(shape: Shape): (keyof Shape & string)[] =>
  Object.keys(shape).filter((name): name is keyof Shape & string => name in shape)
const added = <Name extends string>(names: readonly Name[], rows: readonly Readonly<Record<Name, number>>[]): Record<Name, number> =>
  Object.fromEntries(names.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)])) as Record<Name, number>

export function sumOfSales(parts: readonly SalesTotals[]): SalesTotals {
  const methods = new Map<SalesTotals['methods'][number]['method'], number>()
  for (const one of parts.flatMap((part) => part.methods)) methods.set(one.method, (methods.get(one.method) ?? 0) + one.amount)
  return {
    ...added(namesOf(sums), parts),
    methods: [...methods]
      .map(([method, total]) => ({ method, amount: total }))
      .toSorted((a, b) => b.amount - a.amount || (a.method < b.method ? -1 : 1)),
    invoiced: added(
      namesOf(invoicedSums),
      parts.map((part) => part.invoiced),
    ),
  }
}

export const salesOfMonth: Countable<SalesTotals> = {
  kind: 'sales',
  schema,
  async count(db, scope, { instituteId, from, to, fromDay, toDay }) {
    return {
      ...(await totalsBetween(db, scope, { instituteId, from, to })),
      invoiced: await invoicedOn(db, scope, { instituteId, fromDay, toDay }),
    }
  },
}
