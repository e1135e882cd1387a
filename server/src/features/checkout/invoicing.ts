/** The invoice of a visit that is paid online: its services as they were agreed, as the till would write them. */
import { issueDocument, type Movement, vatWithin } from '#/features/ledger/service.ts'
import { rateOf, visitToPay } from '#/features/sales/service.ts'
import type { AppointmentRow } from '#/features/visits/service.ts'
import { systemScope } from '#/platform/access.ts'

const system = systemScope('invoice what was paid online')

export async function invoiceVisit(movement: Movement, { id, customerName }: Pick<AppointmentRow, 'id' | 'customerName'>): Promise<void> {
  const { unit, seller } = movement
  const { instituteId } = unit
  const visit = await visitToPay(unit.db, system.institute(instituteId), { instituteId, id })
  if (!visit) throw new Error('a visit that was paid is gone')
  const vatBasisPoints = rateOf(seller)
  const lines = visit.segments.map(({ name, serviceId, memberId, memberName, amount }) => ({
    kind: 'service' as const,
    name,
    serviceId,
    productId: null,
    memberId,
    memberName,
    quantity: 1,
    amount: amount ?? 0,
    vatBasisPoints,
    vat: vatWithin(amount ?? 0, vatBasisPoints),
    corrects: null,
  }))
  await issueDocument(movement, { kind: 'invoice', corrects: null, reason: null, client: customerName || null, lines })
}
