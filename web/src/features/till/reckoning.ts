// The sums of the till, in minor units, exactly as the server makes them. Pure: what was agreed goes in, amounts come out.
import type { CounterMethod, Till } from '@soigne/contract/sales'
import { percentOf } from '#/amounts.ts'

/** What is sold. `amount`: undefined at its price, else what was agreed instead; null while that is not an amount. */
export type Line = { key: string; amount?: number | null } & (
  | { kind: 'segment'; segment: number; fromPackage?: string }
  | { kind: 'service'; serviceId: string; staffId: string | null; fromPackage?: string }
  | { kind: 'product'; productId: string; quantity: number }
  | { kind: 'package'; packageId: string }
  | { kind: 'giftCard' }
)
/** A line with what is known of it: its price as the menu or the visit has it, null where that is on request. */
export type ShownLine = {
  line: Line
  name: string
  staffId: string | null
  detail: string | null
  price: number | null
  serviceId?: string
}

export type Discount = { kind: 'percent' | 'amount'; value: number | null; reason: string }
export type Tip = { kind: 'none' } | { kind: 'percent'; percent: number } | { kind: 'amount'; amount: number | null }
/** A gift card that is used, and what is left on it before. */
export type UsedCard = { _id: string; ending: string; left: number }
export type Payments = {
  /** Used first, one after the other. */
  cards: readonly UsedCard[]
  first: CounterMethod
  /** What the first one is for; the rest is the second's. */
  split: { amount: number | null; second: CounterMethod } | null
  /** What the client put on the counter. */
  given: number | null
}

/** A session of a package of the client pays for it. */
export const packageOf = (line: Line): string | undefined =>
  line.kind === 'segment' || line.kind === 'service' ? line.fromPackage : undefined

export function sumOf({ line, price }: ShownLine): number | null {
  if (packageOf(line) !== undefined) return 0
  return line.amount === undefined ? price : line.amount
}

const total = (lines: readonly ShownLine[]): number => lines.reduce((sum, line) => sum + (sumOf(line) ?? 0), 0)

/** On services alone, as one line. */
function discountOf(services: number, discount: Discount | null): number {
  if (!discount || discount.value === null) return 0
  return discount.kind === 'percent' ? percentOf(services, discount.value) : discount.value
}

const tipOf = (tip: Tip, of: number): number => {
  if (tip.kind === 'none') return 0
  return tip.kind === 'percent' ? percentOf(of, tip.percent) : (tip.amount ?? 0)
}

export type Sums = { goods: number; services: number; discount: number; total: number; tip: number; paid: number; due: number }

export function reckon(lines: readonly ShownLine[], discount: Discount | null, tip: Tip, paid: number): Sums {
  const goods = total(lines)
  const services = total(lines.filter(({ line }) => line.kind === 'segment' || line.kind === 'service'))
  const off = discountOf(services, discount)
  const all = goods - off
  const given = tipOf(tip, all)
  return { goods, services, discount: off, total: all, tip: given, paid, due: all + given - paid }
}

/** Twenty steps from one end of the slider to the other. */
export const tipSteps = 20

/** Who did how much of it, in the order they did it. */
export function workOf(lines: readonly ShownLine[]): { staffId: string; amount: number }[] {
  const sums = new Map<string, number>()
  for (const line of lines) if (line.staffId !== null) sums.set(line.staffId, (sums.get(line.staffId) ?? 0) + (sumOf(line) ?? 0))
  return [...sums].map(([staffId, amount]) => ({ staffId, amount }))
}

/** The tip by what each did, to the step; the last one takes the rest. */
export function sharesOf(tip: number, work: readonly { amount: number }[]): number[] {
  const all = work.reduce((sum, { amount }) => sum + amount, 0)
  const steps = work.map(({ amount }) => (all === 0 ? tipSteps / work.length : Math.round((amount / all) * tipSteps)))
  const parts = steps.slice(0, -1).map((step) => percentOf(tip, (step * 100) / tipSteps))
  return work.length === 0 ? [] : [...parts, tip - parts.reduce((sum, part) => sum + part, 0)]
}

/** What each gift card pays of what is due; no card buys another. */
export function cardPayments({ cards }: Payments, due: number, lines: readonly ShownLine[]): { card: UsedCard; amount: number }[] {
  let rest = Math.max(0, due - total(lines.filter(({ line }) => line.kind === 'giftCard')))
  return cards.map((card) => {
    const amount = Math.min(card.left, rest)
    rest -= amount
    return { card, amount }
  })
}

/** What is put on the counter, or goes through the terminal. */
export type HandPayment = { method: CounterMethod; amount: number }
/** How the rest of what is due is paid. Null while the first part is not one. */
export function paymentsOf({ first, split }: Omit<Payments, 'cards'>, due: number): HandPayment[] | null {
  if (due === 0) return []
  if (!split) return [{ method: first, amount: due }]
  if (split.amount === null || split.amount < 1 || split.amount >= due) return null
  return [
    { method: first, amount: split.amount },
    { method: split.second, amount: due - split.amount },
  ]
}

export const cashOf = (payments: readonly HandPayment[]): number =>
  payments.reduce((sum, { method, amount }) => (method === 'cash' ? sum + amount : sum), 0)

function sentLine(shown: ShownLine): Till['lines'][number] {
  const { line } = shown
  const fromPackage = packageOf(line)
  const priced = line.amount === undefined || line.amount === null ? {} : { amount: line.amount }
  const agreed = fromPackage === undefined ? priced : { fromPackage }
  switch (line.kind) {
    case 'segment':
      return { segment: line.segment, ...agreed }
    case 'service':
      // What it costs depends on who does it: said with it, so that what was shown is what is taken.
      return {
        serviceId: line.serviceId,
        ...(line.staffId !== null && { staffId: line.staffId }),
        ...(fromPackage === undefined ? { amount: sumOf(shown) ?? 0 } : { fromPackage }),
      }
    case 'product':
      return { productId: line.productId, quantity: line.quantity, ...agreed }
    case 'package':
      return { packageId: line.packageId, ...agreed }
    case 'giftCard':
      return { giftCard: true, amount: line.amount ?? 0 }
  }
}

function sentDiscount(discount: Discount | null): Pick<Till, 'discount'> {
  if (!discount?.value) return {}
  const reason = discount.reason.trim() === '' ? {} : { reason: discount.reason.trim() }
  return { discount: discount.kind === 'percent' ? { percent: discount.value, ...reason } : { amount: discount.value, ...reason } }
}

/** As the call wants it. */
export function tillOf(lines: readonly ShownLine[], discount: Discount | null, tips: Till['tips'], payments: Till['payments']): Till {
  const tipped = (tips ?? []).filter(({ amount }) => amount > 0)
  return { lines: lines.map(sentLine), ...sentDiscount(discount), tips: tipped, payments }
}

export type Problem =
  | 'noLines'
  | 'noPrice'
  | 'noClient'
  | 'discountWrong'
  | 'discountTooLarge'
  | 'tipWrong'
  | 'tipNobody'
  | 'tipSplit'
  | 'overpaid'
  | 'splitWrong'
  | 'givenShort'

type Agreed = { lines: readonly ShownLine[]; discount: Discount | null; tip: Tip; tips: Till['tips'] | null; sums: Sums; isKnown?: boolean }

function agreedProblem({ lines, discount, tip, tips, sums, isKnown = true }: Agreed): Problem | null {
  if (lines.length === 0) return 'noLines'
  if (lines.some((shown) => sumOf(shown) === null || (shown.line.kind === 'giftCard' && !shown.line.amount))) return 'noPrice'
  if (!isKnown && lines.some(({ line }) => line.kind === 'package')) return 'noClient'
  if (discount && (discount.value === null || discount.value < 1)) return 'discountWrong'
  if (discount && (sums.discount > sums.services || (discount.kind === 'percent' && (discount.value ?? 0) > 100))) return 'discountTooLarge'
  if (tip.kind === 'amount' && tip.amount === null) return 'tipWrong'
  if (sums.tip > 0 && tips === null) return 'tipNobody'
  if ((tips ?? []).reduce((sum, { amount }) => sum + amount, 0) !== sums.tip) return 'tipSplit'
  return null
}

/** The first thing that keeps it from being taken. */
export function problemOf(agreed: Agreed, pays: Omit<Payments, 'cards'>, due: number): Problem | null {
  const problem = agreedProblem(agreed)
  if (problem) return problem
  if (due < 0) return 'overpaid'
  const payments = paymentsOf(pays, due)
  if (!payments) return 'splitWrong'
  const cash = cashOf(payments)
  return cash > 0 && pays.given !== null && pays.given < cash ? 'givenShort' : null
}
