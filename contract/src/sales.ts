/**
 * Sales of an institute: what is sold and paid for, its invoices and credit notes. A sale is a visit, or what was sold over the counter alone.
 * Amounts are whole minor units and include VAT; days are those of the institute's zone.
 */
import * as z from 'zod/mini'
import { attendance, status } from './appointments.ts'
import { period } from './dashboard.ts'
import { defineCalls } from './define.ts'
import { dispute, refusedRefund } from './payments.ts'
import { feeOfSale, feesOfVisit } from './fees.ts'
import { day, id, money, pageOf, pageQuery, paymentMethod, paymentMethods, searchText, text } from './wire.ts'

/** How money is taken at the counter. */
export const counterMethods = ['cash', 'terminal'] as const
/** One of them. */
export type CounterMethod = (typeof counterMethods)[number]
/** How a sale was paid: online, at the counter, or with a gift card that was paid for before. */
export const saleMethods = [...paymentMethods, ...counterMethods, 'gift_card'] as const
/** Schema of a way to pay. */
export const saleMethod = z.enum(saleMethods)
export type SaleMethod = z.output<typeof saleMethod>

/** Most lines of one sale, beyond the services of its visit. */
export const mostSaleLines = 40
/** Most payments that one sale is split into at once. */
export const mostPayments = 6
/** Largest amount of one line, payment or tip, minor units. */
export const mostAmount = 100_000_000

/** An amount, minor units. */
export const amount = z.int().check(z.gte(0), z.lte(mostAmount))
/** One that is not nothing. */
export const amountAboveZero = z.int().check(z.gte(1), z.lte(mostAmount))

const person = z.object({ _id: z.nullable(z.string()), name: z.string() })
/** A name; null for the client or the product itself. */
const byWhom = z.nullable(z.string())

/** One line of the list. */
const saleRow = z.object({
  /** The visit's, where it is one. */
  _id: z.string(),
  appointmentId: z.nullable(z.string()),
  /** Of its invoice, such as F-2026-0412; null before there is one. */
  number: z.nullable(z.string()),
  /** When something last happened to its money; before that when the visit begins. */
  at: z.string(),
  client: z.nullable(person),
  /** In the caller's language. */
  services: z.array(z.string()),
  staff: z.array(z.string()),
  /** In the order they were used. */
  methods: z.array(saleMethod),
  status,
  total: money,
  /** Taken for it, tips left out, less what went back. */
  paid: money,
  refunded: money,
})
export type SaleRow = z.output<typeof saleRow>
/** What a period comes to. */
const saleTotals = z.object({
  fromDay: z.string(),
  toDay: z.string(),
  /** Money that came in the period less what went back, tips included, and how many times it came; what was paid with gift cards came before. */
  taken: money,
  payments: z.int(),
  refunded: money,
  tips: money,
  /** By way of paying, those used alone. */
  methods: z.array(z.object({ method: saleMethod, amount: z.int() })),
  /** Taken in the stretch before that is as long; null where the period has none. */
  before: z.nullable(money),
  /** Of visits of the period that nobody has paid in full: what is left to pay. */
  due: money,
  cancelled: z.object({ amount: z.int(), visits: z.int() }),
  /** What was invoiced on its days less what credit notes took back, and the VAT in it: the sums of the lines of the file of the period. Absent from answers of releases before it was told. */
  invoiced: z.optional(z.object({ invoices: z.int(), creditNotes: z.int(), gross: z.int(), vat: z.int() })),
})

/** What a line of a document is for. */
export const lineKinds = ['service', 'product', 'discount', 'gift_card', 'package'] as const
/** One of them. */
export type LineKind = (typeof lineKinds)[number]
const saleLine = z.object({
  _id: z.string(),
  kind: z.enum(lineKinds),
  name: z.string(),
  staffName: z.nullable(z.string()),
  quantity: z.int(),
  /** With VAT; below zero for a discount. */
  amount: z.int(),
  /** The VAT in it, and its rate in hundredths of a percent. */
  vat: z.int(),
  vatBasisPoints: z.int(),
  /** What of it went back. */
  refunded: z.int(),
  /** What of a gift card or a package was used or has expired, and cannot go back. */
  spent: z.int(),
  /** The gift card that was sold by it. */
  giftCardId: z.nullable(z.string()),
  /** A session of a package pays for it, which goes back with it. */
  fromPackage: z.boolean(),
})

const saleDocument = z.object({
  _id: z.string(),
  kind: z.enum(['invoice', 'credit_note']),
  number: z.string(),
  issuedAt: z.string(),
  total: z.int(),
  vat: z.int(),
  reason: z.nullable(z.string()),
  by: byWhom,
  lines: z.array(saleLine),
})

const payment = z.object({
  _id: z.string(),
  kind: z.enum(['deposit', 'payment', 'refund']),
  method: saleMethod,
  amount: z.int(),
  at: z.string(),
  by: byWhom,
})

/** A sale with everything that happened to its money. */
export const sale = z.extend(saleRow, {
  /** When the visit is; null for a sale over the counter. */
  startsAt: z.nullable(z.string()),
  endsAt: z.nullable(z.string()),
  attendance: z.nullable(attendance),
  currency: z.string(),
  /** Of the invoice; before there is one what the visit's services cost, each at the price agreed. */
  lines: z.array(saleLine),
  vat: money,
  tips: z.array(z.object({ staffId: z.string(), staffName: z.string(), amount: z.int() })),
  due: money,
  /** The invoice first, then its credit notes. */
  documents: z.array(saleDocument),
  payments: z.array(payment),
  refusedRefunds: z.array(refusedRefund),
  disputes: z.array(dispute),
  fee: feeOfSale,
  /** Whether its documents are as they were issued: every hash of theirs holds. Null before there is one. */
  sealed: z.nullable(z.boolean()),
  timeZone: z.string(),
  /** What the caller may do now. */
  can: z.object({ take: z.boolean(), refund: z.boolean() }),
})
export type Sale = z.output<typeof sale>

/**
 * What is sold, exactly one of these: a service of the visit by its place, one more of the menu with whoever did it, a product, a package, or a gift card.
 * `amount`: where another price was agreed, for all of the quantity; of a gift card what is on it.
 * `fromPackage`: a session of this package of the client pays for the service.
 */
const soldLine = z.object({
  segment: z.optional(z.int().check(z.gte(0), z.lte(50))),
  serviceId: z.optional(id),
  staffId: z.optional(id),
  productId: z.optional(id),
  packageId: z.optional(id),
  giftCard: z.optional(z.literal(true)),
  fromPackage: z.optional(id),
  quantity: z._default(z.int().check(z.gte(1), z.lte(99)), 1),
  amount: z.optional(amount),
})

/** What the client gave: money, or something of a gift card, which is named then. */
const taken = z.object({ method: z.enum([...counterMethods, 'gift_card']), giftCardId: z.optional(id), amount: amountAboveZero })

/** What was agreed at the counter, and what the client gave. */
const till = z.object({
  lines: z.array(soldLine).check(z.minLength(1), z.maxLength(mostSaleLines)),
  /** On services alone: a part of their price in whole percent, or an amount. */
  discount: z.optional(
    z.union([
      z.object({ percent: z.int().check(z.gte(1), z.lte(100)), reason: z.optional(text(80)) }),
      z.object({ amount: amountAboveZero, reason: z.optional(text(80)) }),
    ]),
  ),
  tips: z._default(z.array(z.object({ staffId: id, amount: amountAboveZero })).check(z.maxLength(20)), []),
  /** What is taken now, tips included: together with what was paid before exactly the whole. */
  payments: z.array(taken).check(z.maxLength(mostPayments)),
})
/** What is sent to take money at the counter. */
export type Till = z.input<typeof till>
const creditNote = z.object({
  /** What of which line of the invoice goes back; all that is left of it when no amount is said. */
  lines: z.array(z.object({ _id: id, amount: z.optional(amountAboveZero) })).check(z.minLength(1), z.maxLength(mostSaleLines + 20)),
  reason: text(300),
  /** What was paid with a gift card goes back onto it first, this is how the rest goes. */
  method: saleMethod,
})

const tillDay = z.object({
  day: z.string(),
  currency: z.string(),
  /** Taken less given back, by way of paying; tips are in it and told apart. */
  cash: z.int(),
  terminal: z.int(),
  online: z.int(),
  /** Paid with gift cards: money that came when they were sold. */
  giftCards: z.int(),
  tips: z.int(),
  /** Invoices of the day, what they come to, and credit notes. */
  invoices: z.int(),
  invoiced: z.int(),
  vat: z.int(),
  credited: z.int(),
  /** Of deposits what stays, of who cancelled late or did not come, without what was taken back of that; and what went back by any way, which is taken off above. */
  kept: z.int(),
  refunded: z.int(),
  closing: z.nullable(
    z.object({ float: z.int(), counted: z.int(), difference: z.int(), reason: z.nullable(z.string()), closedAt: z.string(), by: byWhom }),
  ),
})
export type TillDay = z.output<typeof tillDay>

const base = '/api/v1/secure/mysalon'
const filters = {
  period: z._default(period, 'today'),
  status: z.optional(status),
  method: z.optional(saleMethod),
  /** Visits of the period that are over and not paid in full, alone; those who did not come are none. */
  due: z.optional(z.literal('true')),
  /** A team member who did something of it. */
  staff: z.optional(id),
  /** Part of a client's name, a service or the number of an invoice. */
  what: z._default(searchText(80), ''),
}
const ofSale = z.object({ id })
/** Reading sales, and their documents. */
export const saleCalls = defineCalls({
  sales: {
    method: 'GET',
    path: `${base}/sales`,
    access: { of: 'institute', may: 'sales.read' },
    tag: 'sales',
    summary: 'Sales of a period, the last first, with what the period comes to',
    query: z.object({ ...filters, ...pageQuery }),
    answer: z.extend(pageOf(saleRow), { totals: saleTotals, timeZone: z.string() }),
  },
  exportSales: {
    method: 'GET',
    path: `${base}/sales/export.csv`,
    access: { of: 'institute', may: 'sales.read' },
    tag: 'sales',
    summary: 'Lines of all invoices and credit notes of a period as a CSV file in UTF-8; cells are texts, none is a formula',
    query: z.object({ period: filters.period }),
    answer: 'text/csv',
  },
  sale: {
    method: 'GET',
    path: `${base}/sales/:id`,
    access: { of: 'institute', may: 'sales.read' },
    tag: 'sales',
    summary: 'A sale with its lines, documents and everything that happened to its money',
    params: ofSale,
    answer: sale,
  },
  saleInvoice: {
    method: 'GET',
    path: `${base}/sales/:id/invoice.pdf`,
    access: { of: 'institute', may: 'sales.read' },
    tag: 'sales',
    summary: 'The invoice of a sale as PDF, or one of its credit notes, in the language of the caller',
    params: ofSale,
    query: z.object({ document: z.optional(id) }),
    answer: 'application/pdf',
  },
  appointmentPayments: {
    method: 'GET',
    path: '/api/v1/secure/appointments/:id/payments',
    access: { of: 'self' },
    tag: 'appointments',
    summary: 'What was paid for a visit of one’s own, given back and is left to pay, with its documents',
    params: ofSale,
    answer: z.object({
      total: money,
      due: money,
      /** Whether what is due can be paid online now. */
      payOnline: z.boolean(),
      /** Ways to pay it so, in the institute's order; none where it cannot. */
      methods: z.array(paymentMethod),
      ...feesOfVisit,
      /** Of a visit that is cancelled, what of that was paid did not go back: kept since that was no longer free, and what its institute settles at the salon. */
      stays: z.optional(z.object({ kept: money, atSalon: money })),
      payments: z.array(z.omit(payment, { by: true })),
      /** Money that goes back and that the provider refused: the institute owes it until it has noted that it paid it back otherwise. Absent from answers of releases before it was told. */
      refused: z.optional(
        z.array(
          z.object({
            _id: z.string(),
            amount: money,
            settledAt: z.nullable(z.string()),
            /** The bank of its client took it back when they disputed the payment: nobody owes it. */
            isAtBank: z.optional(z.literal(true)),
          }),
        ),
      ),
      documents: z.array(z.pick(saleDocument, { _id: true, kind: true, number: true, issuedAt: true, total: true })),
    }),
  },
  appointmentInvoice: {
    method: 'GET',
    path: '/api/v1/secure/appointments/:id/invoice.pdf',
    access: { of: 'self' },
    tag: 'appointments',
    summary: 'The invoice of a visit of one’s own as PDF, or one of its credit notes',
    params: ofSale,
    query: z.object({ document: z.optional(id) }),
    answer: 'application/pdf',
  },
})

/** Taking money at the counter, giving it back, products, and closing the till. */
export const tillCalls = defineCalls({
  tillDay: {
    method: 'GET',
    path: `${base}/sales/till`,
    access: { of: 'institute', may: 'sales.take' },
    tag: 'sales',
    summary: 'What was taken on a day, and its closing (today when absent)',
    query: z.object({ day: z.optional(day) }),
    answer: tillDay,
  },
  closeTill: {
    method: 'POST',
    path: `${base}/sales/till`,
    access: { of: 'institute', may: 'sales.take' },
    tag: 'sales',
    summary: 'Close the till of a day; nothing is taken or given back at the counter on it afterwards',
    body: z.object({ day, float: amount, counted: amount, reason: z.optional(text(300)) }),
    idempotent: true,
    status: 201,
    answer: tillDay,
    refusals: ['till_closed', 'reason_needed', 'wrong_state'],
  },
  visitTill: {
    method: 'GET',
    path: `${base}/appointments/:id/till`,
    access: { of: 'institute', may: 'sales.take' },
    tag: 'sales',
    summary: 'What a visit is to pay: its lines as agreed, what was paid before and what is due',
    params: ofSale,
    answer: sale,
  },
  takeForVisit: {
    method: 'POST',
    path: `${base}/appointments/:id/till`,
    access: { of: 'institute', may: 'sales.take' },
    tag: 'sales',
    summary: 'Take what is due for a visit at the counter; it is Paid and has its invoice afterwards',
    params: ofSale,
    body: till,
    idempotent: true,
    status: 201,
    answer: sale,
    refusals: ['amount_differs', 'till_closed', 'wrong_state', 'more_than_left', 'voucher_expired'],
  },
  sellOverCounter: {
    method: 'POST',
    path: `${base}/sales`,
    access: { of: 'institute', may: 'sales.take' },
    tag: 'sales',
    summary: 'Sell services or products over the counter without a visit: taken, invoiced and closed at once',
    body: z.extend(till, { customerId: z.optional(id) }),
    idempotent: true,
    status: 201,
    answer: sale,
    refusals: ['amount_differs', 'till_closed', 'more_than_left', 'voucher_expired'],
  },
  refundSale: {
    method: 'POST',
    path: `${base}/sales/:id/credit-notes`,
    access: { of: 'institute', may: 'sales.refund' },
    tag: 'sales',
    summary: 'Give money back for lines of an invoice, by a credit note; the invoice itself never changes',
    params: ofSale,
    body: creditNote,
    idempotent: true,
    status: 201,
    answer: sale,
    refusals: ['more_than_left', 'till_closed', 'wrong_state'],
  },
})
