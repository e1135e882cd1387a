/** What has not begun of a visit is let go while the rest of it is under way: nothing is planned anew, and who works with the client keeps their time. */
import type { Locale } from '@soigne/contract/wire'
import type { Instant } from '@soigne/contract/time'
import { type DocumentLine, issueDocument, moveMoney } from '#/features/ledger/service.ts'
import { depositLeft, ifCancelledNow, refundForNote, returnShare } from '#/features/payments/service.ts'
import type { Unit } from '#/features/unit-of-work/service.ts'
import { type AppointmentRow, isAtHome, type SegmentRow, stateOf, stepFrom, type VisitScope } from '#/features/visits/service.ts'
import type { SelfScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { instantText, parseInstant } from '#/platform/instants.ts'
import { refuse } from '#/platform/refuse.ts'
import { translate } from '#/texts/translate.ts'
import { dropRest, type InvoiceOfVisit, invoiceOfVisit, waysOfVisit } from './rest-store.ts'
import { markShortened, sharesOf } from './store.ts'

type Shares = Awaited<ReturnType<typeof sharesOf>>
type Line = InvoiceOfVisit['lines'][number]

/** What goes, and what it is of what was paid, asked for and agreed. */
interface Rest {
  gone: { segment: SegmentRow; shares: Shares; line: Line | null }[]
  refunded: number
  totalAmount: number
}

const lineOf = ({ snapshot, position }: SegmentRow): number => snapshot.line ?? position

/** The services from an instant on, of a visit of which something begins sooner; none where they may not be let go. */
export function restOf(row: AppointmentRow, segments: readonly SegmentRow[], from: string): SegmentRow[] {
  const isPayable = row.payment === 'paid' || stepFrom('remove_service', stateOf(row), 'client') !== null
  if (row.life !== 'booked' || !isPayable || isAtHome(row)) return []
  const rest = segments.filter(({ startsAt }) => parseInstant(startsAt) >= parseInstant(from))
  return rest.length < segments.length ? rest : []
}

/** Minor units that go back when the institute cancels, or its client because of it: everything that was paid online, whatever the windows. */
export const backOf = async (db: Db, row: AppointmentRow, now: Instant): Promise<number> =>
  (await ifCancelledNow(db, { ...row, terms: { ...row.terms, openUntil: instantText(now) } }, now)).refunded

/** The lines of its invoice, where it is paid in full; null where the desk has to see to it. */
async function linesOf(db: Db, scope: VisitScope, row: AppointmentRow, rest: readonly SegmentRow[], now: Instant): Promise<Line[] | null> {
  if (row.payment !== 'paid') return []
  const left = [...((await invoiceOfVisit(db, scope, { id: row.id, instituteId: row.instituteId }))?.lines ?? [])]
  const lines: Line[] = []
  for (const { serviceId, memberId, priceAmount } of rest) {
    if (!priceAmount) continue
    const place = left.findIndex((one) => one.serviceId === serviceId && one.memberId === memberId && one.quantity === 1)
    const [line] = place < 0 ? [] : left.splice(place, 1)
    if (line?.amount !== priceAmount) return null
    lines.push(line)
  }
  const price = lines.reduce((sum, { amount }) => sum + amount, 0)
  return price <= (await backOf(db, row, now)) ? lines : null
}

/** One after the other, as they would go alone: to the minor unit, however many go. */
async function reckon(db: Db, scope: VisitScope, row: AppointmentRow, rest: readonly SegmentRow[], now: Instant): Promise<Rest | null> {
  const lines = await linesOf(db, scope, row, rest, now)
  if (!lines) return null
  let [total, paid] = [row.totalAmount, await depositLeft(db, row)]
  let [deposit, late, noShow] = [row.depositAmount ?? 0, row.fees?.late ?? 0, row.fees?.noShow ?? 0]
  const gone: Rest['gone'] = []
  for (const segment of rest) {
    const price = Math.min(segment.priceAmount ?? 0, total)
    const shares = await sharesOf(db, { price, total, currency: row.currency, paid, deposit, late, noShow })
    const line = row.payment === 'paid' && price > 0 ? (lines.shift() ?? null) : null
    gone.push({ segment, shares, line })
    total -= price
    paid -= shares.paid
    deposit -= shares.deposit
    late -= shares.late
    noShow -= shares.noShow
  }
  const refunded = gone.reduce((sum, { shares, line }) => sum + (line?.amount ?? shares.paid), 0)
  return { gone, refunded, totalAmount: total }
}

/** What goes back, and what the visit costs then; null where it cannot be let go. */
export async function ifRestLeft(
  db: Db,
  scope: VisitScope,
  row: AppointmentRow,
  rest: readonly SegmentRow[],
  now: Instant,
): Promise<Pick<Rest, 'refunded' | 'totalAmount'> | null> {
  return rest.length === 0 ? null : reckon(db, scope, row, rest, now)
}

/** By a credit note, the ways it was paid, the last first. */
async function credit(unit: Unit, scope: SelfScope, row: AppointmentRow, gone: Rest['gone'], locale: Locale): Promise<void> {
  const lines = gone.flatMap(({ line }): DocumentLine[] => {
    if (!line) return []
    const { id, amount, vat, ...same } = line
    return [{ ...same, kind: 'service', productId: null, amount: -amount, vat: -vat, corrects: id }]
  })
  if (lines.length === 0) return
  const invoice = await invoiceOfVisit(unit.db, scope, { id: row.id, instituteId: unit.instituteId })
  if (!invoice) throw refuse('wrong_state')
  const movement = await moveMoney(unit, scope.actor, { id: row.id, appointmentId: row.id, customerId: row.customerId })
  const reason = translate(locale, 'mails', 'visitShortened')
  const note = await issueDocument(movement, { kind: 'credit_note', corrects: invoice.id, reason, client: invoice.client, lines })
  let rest = -note.total
  for (const { method, left } of await waysOfVisit(unit, row.id)) {
    const amount = Math.min(rest, left)
    if (amount > 0) await refundForNote(movement, { method, amount, documentId: note.id })
    rest -= amount
  }
  if (rest > 0) throw refuse('wrong_state')
}

async function write(unit: Unit, row: AppointmentRow, segments: readonly SegmentRow[], { gone, totalAmount }: Rest) {
  const isGone = new Set(gone.map(({ segment }) => segment))
  const kept = segments.filter((one) => !isGone.has(one)).toSorted((one, other) => one.position - other.position)
  const lines = kept.map(lineOf).toSorted((one, other) => one - other)
  const endsAt = Math.max(...kept.map((one) => parseInstant(one.endsAt)))
  await dropRest(unit, row.id, {
    gone: gone.map(({ segment }) => segment.position),
    kept: kept.map((one) => ({ position: one.position, line: lines.indexOf(lineOf(one)) })),
  })
  const sum = (of: keyof Shares): number => gone.reduce((all, { shares }) => all + shares[of], 0)
  await markShortened(unit, {
    id: row.id,
    startsAt: new Date(row.startsAt),
    endsAt: new Date(endsAt),
    terms: row.terms,
    cart: row.cart.filter((_entry, line) => lines.includes(line)),
    totalAmount,
    depositAmount: row.depositAmount === null ? null : row.depositAmount - sum('deposit'),
    fees: row.fees && { late: row.fees.late - sum('late'), noShow: row.fees.noShow - sum('noShow') },
  })
  return { startsAt: row.startsAt, endsAt: instantText(endsAt) }
}

/** Free of charge: what was paid for it goes back. The visit is locked. @throws wrong_state */
export async function leaveRest(
  unit: Unit,
  { scope, locale }: { scope: SelfScope; locale: Locale },
  row: AppointmentRow,
  segments: readonly SegmentRow[],
  rest: readonly SegmentRow[],
): Promise<void> {
  const reckoned = rest.length === 0 ? null : await reckon(unit.db, scope, row, rest, unit.now)
  if (!reckoned) throw refuse('wrong_state')
  const after = await write(unit, row, segments, reckoned)
  await credit(unit, scope, row, reckoned.gone, locale)
  const before = { startsAt: row.startsAt, endsAt: row.endsAt }
  for (const { segment, shares, line } of reckoned.gone) {
    await returnShare(unit, scope.actor, row, shares.paid)
    unit.record('visit.shortened', row.id, { ...after, before, service: segment.snapshot.name, refunded: line?.amount ?? shares.paid })
  }
}
