/** What is asked for before a visit. */
import * as z from 'zod/mini'

/** What is asked for when somebody books: nothing, an amount, or a part of the price. */
export const depositKinds = ['none', 'fixed', 'percent'] as const

/** Schema of what is asked for. */
export const depositRule = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  /** Minor units of the institute's currency. */
  z.object({ kind: z.literal('fixed'), amount: z.int().check(z.gte(1), z.lte(100_000_000)) }),
  z.object({ kind: z.literal('percent'), percent: z.int().check(z.gte(1), z.lte(100)) }),
])
export type DepositRule = z.output<typeof depositRule>
