/** What is paid for before it is used: gift cards, and packages of sessions. Sold at the till, used in parts, gone at the end of their last day. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { visitSessions } from './fees.ts'
import { amountAboveZero, sale } from './sales.ts'
import { id, money, searchText, text } from './wire.ts'

/** Most years that a gift card is good for. */
export const mostGiftCardYears = 10

/** Good; with nothing left on it; or past its last day. */
export const voucherStates = ['valid', 'used', 'expired'] as const
const voucherState = z.enum(voucherStates)
export type VoucherState = z.output<typeof voucherState>

const giftCard = z.object({
  _id: z.string(),
  /** The end of its code, which tells cards apart and lets nobody use one. */
  ending: z.string(),
  /** What it was sold with, and what is left on it. */
  amount: money,
  left: money,
  /** Its last day. */
  validUntil: z.string(),
  state: voucherState,
  /** Whoever bought it; null where nobody said. */
  client: z.nullable(z.object({ _id: z.string(), name: z.string() })),
  saleId: z.string(),
})
export type GiftCard = z.output<typeof giftCard>

/** Most packages that one institute sells. */
export const mostPackages = 100
const packageFields = {
  name: text(80),
  /** How many there are in it, and how many months one is good for. */
  sessions: z.int().check(z.gte(2), z.lte(100)),
  months: z.int().check(z.gte(1), z.lte(60)),
}
const servicePackage = z.object({
  _id: z.string(),
  ...packageFields,
  price: money,
  /** A session is one of these. */
  services: z.array(z.object({ _id: z.string(), name: z.string() })),
})
export type ServicePackage = z.output<typeof servicePackage>

const clientPackage = z.object({
  _id: z.string(),
  name: z.string(),
  /** How many there were, and how many are left. */
  sessions: z.int(),
  left: z.int(),
  price: money,
  validUntil: z.string(),
  state: voucherState,
  services: z.array(z.object({ _id: z.string(), name: z.string() })),
  saleId: z.string(),
})
export type ClientPackage = z.output<typeof clientPackage>
const ownPackage = z.extend(z.omit(clientPackage, { saleId: true, price: true }), {
  institute: z.object({ slug: z.string(), name: z.string() }),
})
export type OwnPackage = z.output<typeof ownPackage>

/** Sessions that pay for a visit, by package: `used` until it is over, `back` on their package, or `gone` with a visit that was missed or cancelled late. */
export type VisitSessions = z.output<typeof visitSessions>
const settledBySession = z.object({
  /** Packages of its client that hold sessions for a visit that was missed or cancelled late, and how many would be taken; none while anything else was taken for it. */
  offers: z.array(z.object({ _id: z.string(), name: z.string(), count: z.int(), left: z.int() })),
  sessions: visitSessions,
})
export type SettledBySession = z.output<typeof settledBySession>

const rule = z.object({
  /** How long gift cards are good for that are sold from now on. */
  years: z.int().check(z.gte(1), z.lte(mostGiftCardYears)),
})

const base = '/api/v1/secure/mysalon'
/** Gift cards as the institute finds, prints and rules them. */
export const giftCardCalls = defineCalls({
  giftCards: {
    method: 'GET',
    path: `${base}/gift-cards`,
    access: { of: 'institute', may: 'sales.take' },
    tag: 'sales',
    summary: 'Gift cards by their whole code, as it is read from the card, or those a client bought, the last first',
    query: z.object({ code: z._default(searchText(40), ''), customer: z.optional(id) }),
    answer: z.object({ items: z.array(giftCard) }),
  },
  giftCardPdf: {
    method: 'GET',
    path: `${base}/gift-cards/:id/card.pdf`,
    access: { of: 'institute', may: 'sales.take' },
    tag: 'sales',
    summary: 'A gift card with its code as PDF, for whoever gets it',
    params: z.object({ id }),
    answer: 'application/pdf',
  },
  giftCardRule: {
    method: 'GET',
    path: `${base}/gift-cards/rule`,
    access: { of: 'institute', may: 'sales.take' },
    tag: 'sales',
    summary: 'How long gift cards are good for',
    answer: rule,
  },
  changeGiftCardRule: {
    method: 'PUT',
    path: `${base}/gift-cards/rule`,
    access: { of: 'institute', may: 'institute.change' },
    tag: 'sales',
    summary: 'Say how long gift cards are good for that are sold from now on; those that were sold keep their last day',
    body: rule,
    answer: rule,
  },
})

const packageList = z.object({ items: z.array(servicePackage) })
/** Packages that an institute sells, and those its clients have. */
export const packageCalls = defineCalls({
  packages: {
    method: 'GET',
    path: `${base}/packages`,
    access: { of: 'institute', may: 'sales.take' },
    tag: 'sales',
    summary: 'Packages of sessions that are sold, by name',
    answer: packageList,
  },
  addPackage: {
    method: 'POST',
    path: `${base}/packages`,
    access: { of: 'institute', may: 'services.change' },
    tag: 'sales',
    summary: 'Sell one more package',
    body: z.object({ ...packageFields, price: amountAboveZero, serviceIds: z.array(id).check(z.minLength(1), z.maxLength(40)) }),
    idempotent: true,
    status: 201,
    answer: servicePackage,
    refusals: ['menu_full'],
  },
  removePackage: {
    method: 'DELETE',
    path: `${base}/packages/:id`,
    access: { of: 'institute', may: 'services.change' },
    tag: 'sales',
    summary: 'Sell a package no more; whoever has one uses it up',
    params: z.object({ id }),
    answer: packageList,
  },
  clientPackages: {
    method: 'GET',
    path: `${base}/customers/:id/packages`,
    access: { of: 'institute', may: 'sales.take' },
    tag: 'sales',
    summary: 'Packages of a client with what is left of each, the last first',
    params: z.object({ id }),
    answer: z.object({ items: z.array(clientPackage) }),
  },
  ownPackages: {
    method: 'GET',
    path: '/api/v1/secure/client/packages',
    access: { of: 'self' },
    tag: 'appointments',
    summary: 'Packages of one’s own that are still good, with what is left of each',
    answer: z.object({ items: z.array(ownPackage) }),
  },
})

/** Sessions of packages and visits that were missed or cancelled. */
export const visitSessionCalls = defineCalls({
  sessionsOfVisit: {
    method: 'GET',
    path: `${base}/appointments/:id/session`,
    access: { of: 'institute', may: 'sales.take' },
    tag: 'sales',
    summary: 'Sessions of packages that pay for a visit, and packages one could be taken from where it was missed or cancelled late',
    params: z.object({ id }),
    answer: settledBySession,
  },
  takeSessionForVisit: {
    method: 'POST',
    path: `${base}/appointments/:id/session`,
    access: { of: 'institute', may: 'sales.take' },
    tag: 'sales',
    summary: 'Take sessions of a package of its client for a visit that was missed or cancelled late; a credit note gives them back',
    params: z.object({ id }),
    body: z.object({ clientPackageId: id }),
    idempotent: true,
    status: 201,
    answer: sale,
    refusals: ['wrong_state', 'more_than_left', 'voucher_expired'],
  },
})
