/** Packages of clients: sold at the till, a session for each visit, and what was not used goes back. Each moves under its own lock. */
import { randomUUIDv7 } from 'node:crypto'
import { type Movement, packageUsed, partOf, postFor } from '#/features/ledger/service.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import {
  insertClientPackage,
  insertPackageMove,
  lockClientPackages,
  type LockedPackage,
  packagesSoldBy,
  type StoredPackage,
  usesBySale,
} from './package-store.ts'

/** The price of the next session with the VAT in it: its part of what is left, in whole minor units, so that the last one takes the rest. */
export const nextSession = ({ left, leftAmount, leftVat }: { left: number; leftAmount: number; leftVat: number }) => ({
  amount: partOf({ amount: left, vat: leftAmount }, { amount: 0, vat: 0 }, 1),
  vat: partOf({ amount: left, vat: leftVat }, { amount: 0, vat: 0 }, 1),
})

/** A package for a line that was invoiced. @throws bad_input where nobody knows for whom */
export async function sellPackage(
  { unit, sale, day }: Movement,
  sold: StoredPackage,
  line: { id: string; amount: number; vat: number },
): Promise<void> {
  if (sale.customerId === null) throw refuseField('customerId', 'required')
  const id = randomUUIDv7()
  const validUntil = Temporal.PlainDate.from(day).add({ months: sold.months }).toString()
  const { name, serviceIds, sessions } = sold
  const { currency, id: saleId } = sale
  await insertClientPackage(unit, { id, packageId: sold.id, saleId, lineId: line.id, name, serviceIds, currency, validUntil })
  const { amount, vat } = line
  await insertPackageMove(unit, { clientPackageId: id, kind: 'sold', sessions, amount, vat, saleId, lineId: null })
}

/** A session pays for a service of its client. @throws bad_input, voucher_expired, more_than_left */
export async function takeSession(
  { unit, sale, day }: Movement,
  use: { clientPackageId: string; lineId: string; serviceId: string | null; place: number },
): Promise<void> {
  const { clientPackageId, lineId, serviceId, place } = use
  const [held] = await lockClientPackages(unit, [clientPackageId])
  if (!held) throw refuse('not_found')
  if (held.customerId !== sale.customerId || serviceId === null || !held.serviceIds.includes(serviceId))
    throw refuseField(`lines.${place}.fromPackage`, 'invalid')
  if (held.validUntil < day) throw refuse('voucher_expired', { validUntil: held.validUntil })
  if (held.left === 0) throw refuse('more_than_left', { left: 0 })
  const { amount, vat } = nextSession(held)
  await insertPackageMove(unit, { clientPackageId, kind: 'used', sessions: -1, amount: -amount, vat: -vat, saleId: sale.id, lineId })
  await postFor(unit, sale.id, sale.currency, packageUsed(amount - vat))
}

export interface Returning {
  /** Lines that sessions pay for. */
  used: readonly string[]
  /** What a credit note takes back of a package: all sessions that are left. */
  giveBack(back: { lineId: string; amount: number; vat: number }): Promise<void>
  /** The session that paid for a line goes back into its package. */
  undo(lineId: string): Promise<void>
}
/** Locks the packages that a sale sold or used, before its lines are read. */
export async function lockPackagesOf({ unit, sale }: Movement): Promise<Returning> {
  const { id: saleId, currency } = sale
  const sold = await packagesSoldBy(unit, saleId)
  const uses = await usesBySale(unit, saleId)
  const ids = [...new Set([...sold.map(({ id }) => id), ...uses.map(({ clientPackageId }) => clientPackageId)])]
  const held = new Map<string, LockedPackage>((ids.length > 0 ? await lockClientPackages(unit, ids) : []).map((one) => [one.id, one]))
  return {
    used: uses.map(({ lineId }) => lineId),
    async giveBack({ lineId, amount, vat }) {
      const clientPackageId = sold.find((one) => one.lineId === lineId)?.id ?? ''
      const left = held.get(clientPackageId)?.left ?? 0
      await insertPackageMove(unit, {
        clientPackageId,
        kind: 'given_back',
        sessions: -left,
        amount: -amount,
        vat: -vat,
        saleId,
        lineId: null,
      })
    },
    async undo(lineId) {
      const use = uses.find((one) => one.lineId === lineId)
      if (!use) throw new Error('a session that goes back was not used')
      const { clientPackageId, amount, vat } = use
      await insertPackageMove(unit, { clientPackageId, kind: 'undone', sessions: 1, amount, vat, saleId, lineId })
      await postFor(unit, saleId, currency, packageUsed(vat - amount))
    },
  }
}
