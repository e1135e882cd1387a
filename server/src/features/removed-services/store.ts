/** A visit that loses a service, as it is written, and what that service's share of its sums is. */
import { type RawBuilder, sql } from 'kysely'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { CartEntry, Terms } from '#/features/visits/service.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, someId, statement } from '#/platform/statement.ts'

/** Minor units; `price` of `total`. */
interface Sums {
  price: number
  total: number
  currency: string
  /** Paid online, asked for as a deposit, and agreed for who cancels late or does not come. */
  paid: number
  deposit: number
  late: number
  noShow: number
}
/** In whole steps, half a step up: what a provider cannot move is nobody's share. */
const shareOf = (amount: number, { price, total }: Sums): RawBuilder<unknown> =>
  sql`coalesce((2 * ${amount}::bigint * ${price}::bigint + ${total}::bigint * s) / nullif(2 * ${total}::bigint * s, 0) * s, 0)::int`

const shares = statement(
  {
    name: 'removedServices.shares',
    row: { paid: known(c.int), deposit: known(c.int), late: known(c.int), noShow: known(c.int) },
    tries: [{ price: 1, total: 3, currency: 'EUR', paid: 1, deposit: 1, late: 1, noShow: 1 }],
  },
  (sums: Sums) => sql`select ${shareOf(sums.paid, sums)} as paid, ${shareOf(sums.deposit, sums)} as deposit,
    ${shareOf(sums.late, sums)} as late, ${shareOf(sums.noShow, sums)} as "noShow" from money_step(${sums.currency}) s`,
)
/** Reckoned from what is given; nobody's rows are read. */
export async function sharesOf(db: Db, sums: Sums): Promise<Pick<Sums, 'paid' | 'deposit' | 'late' | 'noShow'>> {
  const row = await shares.one(db, sums)
  if (!row) throw new Error('no share was reckoned')
  return row
}

export interface Shortened {
  id: string
  startsAt: Date
  endsAt: Date
  terms: Terms
  cart: readonly CartEntry[]
  totalAmount: number
  /** Null where none was asked for. */
  depositAmount: number | null
  fees: { late: number; noShow: number } | null
}
const mark = statement(
  {
    name: 'removedServices.mark',
    row: {},
    tries: [
      {
        id: someId,
        instituteId: someId,
        startsAt: new Date(0),
        endsAt: new Date(1),
        terms: { cancelWindowMinutes: null, rescheduleWindowMinutes: null, freeUntil: null },
        cart: [],
        totalAmount: 0,
        depositAmount: null,
        fees: null,
      } as Shortened & { instituteId: string },
    ],
  },
  (v: Shortened & { instituteId: string }) => sql`
    with agreed as (update fee_terms set late_amount = ${v.fees?.late ?? 0}, no_show_amount = ${v.fees?.noShow ?? 0}
      where appointment_id = ${v.id} and institute_id = ${v.instituteId})
    update appointments set starts_at = ${v.startsAt}, ends_at = ${v.endsAt}, terms = ${JSON.stringify(v.terms)}::jsonb, cart = ${JSON.stringify(v.cart)}::jsonb,
      total_amount = ${v.totalAmount}, deposit_amount = ${v.depositAmount}, revision = revision + 1
    where id = ${v.id} and institute_id = ${v.instituteId}`,
)
export const markShortened = (unit: Unit, visit: Shortened): Promise<number> =>
  mark.run(unit.db, { ...visit, instituteId: unit.instituteId })
