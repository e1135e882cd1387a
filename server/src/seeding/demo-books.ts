/** The money of an institute of the demo until now: its books, what was paid online, and what was paid out. */
import type { InstituteRows, TableRows, VisitRows } from '@soigne/demo/rows/tables'
import type { OnlineVisit } from '@soigne/demo/showcase/online'
import { booksOfVisits, type KeptVisit } from '#/features/ledger/service.ts'
import type { HouseMove } from '#/features/sandbox-payments/service.ts'
import { parseInstant } from '#/platform/instants.ts'
import { translate } from '#/texts/translate.ts'
import { localeOf, namedPayments, onlineRows, takenOf } from './demo-online.ts'
import { payoutRows } from './demo-payouts.ts'

const goodwill = { en: 'Goodwill', fr: 'Geste commercial' }

type Paid = ReturnType<typeof namedPayments>[number]

/** Visits of which money was taken, at the counter or before. */
function visitsWithMoney({ members }: InstituteRows, rows: VisitRows, online: readonly OnlineVisit[], paid: readonly Paid[]): KeptVisit[] {
  const names = new Map(members.map(({ id, name }) => [id, name]))
  const clients = new Map(rows.customers.map((row) => [row.id, [row.first_name, row.last_name].filter(Boolean).join(' ')]))
  const segments = Map.groupBy(rows.segments, ({ appointment_id: visit }) => visit)
  const paidOnline = Map.groupBy(paid, ({ visit }) => visit.id)
  const cancelled = new Map(online.map((one) => [one.id, one.cancelled]))
  return rows.appointments
    .filter(({ id, life, payment }) => (life === 'booked' && payment === 'paid') || paidOnline.has(id))
    .map((row) => ({
      id: row.id,
      customerId: row.customer_id,
      client: clients.get(row.customer_id) || null,
      endedAt: row.attendance === 'done' ? row.ends_at : null,
      lines: (segments.get(row.id) ?? []).map((segment) => ({
        serviceId: segment.service_id,
        name: segment.snapshot.name,
        memberId: segment.member_id,
        memberName: names.get(segment.member_id) ?? '',
        amount: segment.price_amount ?? 0,
      })),
      online: (paidOnline.get(row.id) ?? []).map(takenOf),
      cancelled: cancelled.get(row.id) ?? null,
    }))
}

/** What the sandbox moved, as it tells it itself: from the rows of its pages and refunds. */
function movesOf(paid: readonly Paid[], tables: readonly TableRows[]): HouseMove[] {
  const rowsOf = (table: string): readonly Record<string, unknown>[] =>
    (tables.find(([name]) => name === table)?.[1] ?? []) as readonly Record<string, unknown>[]
  const byPage = new Map(paid.map((one) => [one.pageId, one]))
  const moveOf = (page: string, row: Record<string, unknown>) => {
    const one = byPage.get(page)
    if (!one) throw new Error('a refund of no page')
    const { reference: paymentReference, payment, visit } = one
    return { paymentReference, method: payment.method, currency: visit.currency, at: String(row['created_at']) }
  }
  const payments = rowsOf('sandbox_pages').map((row) => {
    const about = moveOf(String(row['id']), row)
    return { ...about, kind: 'payment' as const, reference: about.paymentReference, amount: Number(row['amount']) }
  })
  const refunds = rowsOf('sandbox_refunds').map((row) => ({
    ...moveOf(String(row['page_id']), row),
    kind: 'refund' as const,
    reference: String(row['id']),
    amount: -Number(row['amount']),
  }))
  return [...payments, ...refunds].toSorted((a, b) => parseInstant(a.at) - parseInstant(b.at) || (a.reference < b.reference ? -1 : 1))
}

export function demoBooks(rows: InstituteRows, visits: VisitRows, online: readonly OnlineVisit[], now: number): TableRows[] {
  const { institute: row } = rows
  const locale = localeOf(rows)
  const address = [row.address_line, [row.postal_code, row.city].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  const paid = namedPayments(online, visits)
  const { tables, refunds } = booksOfVisits({
    instituteId: row.id,
    timeZone: row.time_zone,
    currency: row.currency,
    countryCode: row.country_code,
    seller: { name: row.name, legalName: null, vatNumber: null, address },
    reasons: { goodwill: goodwill[locale], cancelled: translate(locale, 'mails', 'visitCancelled') },
    visits: visitsWithMoney(rows, visits, online, paid),
    now,
  })
  const ofPages = onlineRows(rows, visits, paid, refunds)
  const checkouts = new Map(paid.map(({ reference, id }) => [reference, id]))
  return [...ofPages, ...tables, ...payoutRows({ instituteId: row.id, moves: movesOf(paid, ofPages), checkouts, now })]
}
