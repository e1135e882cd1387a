/** What a provider moved beside what stands here: every sum that is not the same, by its reason. */
import type { ProviderMove } from '#/features/payments/service.ts'

interface Ours {
  instituteId: string
  checkoutId: string
  /** How the provider calls it, where it was told. */
  reference: string | null
  amount: number
  currency: string
  /** When it was asked for. */
  at: string
  /** The provider has to know it: it was asked for in the time that is compared. */
  isDue: boolean
}
export interface OurPayment extends Ours {
  /** The money came: to stay, or to go back by itself. */
  isPaid: boolean
}
export interface OurRefund extends Ours {
  refundId: string
  isDone: boolean
}

export const differenceKinds = [
  'unheard_payment',
  'missing_payment',
  'other_amount',
  'unheard_refund',
  'missing_refund',
  'foreign_refund',
] as const

/** `unheard`: the provider did it, and here it is not known. `missing`: it is known here, and the provider has none. `foreign`: given back at the provider, by somebody else. */
export interface Difference {
  kind: (typeof differenceKinds)[number]
  instituteId: string
  checkoutId: string
  refundId: string | null
  reference: string
  /** What came here and there; what went back is below zero. */
  ours: number
  theirs: number
  currency: string
  at: string
}

export interface Compared {
  payments: number
  refunds: number
  /** Of the owner of the account, not of this site. */
  foreign: number
  differences: Difference[]
}

const aboutOurs = ({ instituteId, checkoutId, currency, at }: Ours) => ({ instituteId, checkoutId, currency, at })

function findOurs<Own extends Ours>(ours: readonly Own[], idOf: (one: Own) => string): (move: ProviderMove) => Own | undefined {
  const byReference = new Map(ours.flatMap((one) => (one.reference === null ? [] : [[one.reference, one] as const])))
  const byId = new Map(ours.map((one) => [idOf(one), one]))
  return (move) => byReference.get(move.reference) ?? (move.ownId === null ? undefined : byId.get(move.ownId))
}

function comparePayments(theirs: readonly ProviderMove[], ours: readonly OurPayment[]): Compared {
  const differences: Difference[] = []
  const find = findOurs(ours, ({ checkoutId }) => checkoutId)
  const seen = new Set<OurPayment>()
  let foreign = 0
  for (const move of theirs) {
    const own = find(move)
    if (!own) {
      foreign++
      continue
    }
    const about = { ...aboutOurs(own), refundId: null, reference: move.reference, theirs: move.amount }
    // Paid twice over: what is here is only one of them.
    const isKnown = own.isPaid && (own.reference === null || own.reference === move.reference)
    if (isKnown) seen.add(own)
    if (!isKnown) differences.push({ ...about, kind: 'unheard_payment', ours: 0 })
    else if (own.amount !== move.amount || own.currency !== move.currency)
      differences.push({ ...about, kind: 'other_amount', ours: own.amount })
  }
  for (const own of ours)
    if (own.isPaid && own.isDue && !seen.has(own))
      differences.push({
        ...aboutOurs(own),
        kind: 'missing_payment',
        refundId: null,
        reference: own.reference ?? own.checkoutId,
        ours: own.amount,
        theirs: 0,
      })
  return { payments: theirs.length - foreign, refunds: 0, foreign, differences }
}

function compareRefunds(theirs: readonly ProviderMove[], ours: readonly OurRefund[], paid: readonly OurPayment[]): Compared {
  const differences: Difference[] = []
  const find = findOurs(ours, ({ refundId }) => refundId)
  const ofPayment = new Map(paid.flatMap((one) => (one.reference === null ? [] : [[one.reference, one] as const])))
  const seen = new Set<OurRefund>()
  let foreign = 0
  for (const move of theirs) {
    const own = find(move)
    const payment = ofPayment.get(move.paymentReference)
    if (own) {
      const about = { ...aboutOurs(own), refundId: own.refundId, reference: move.reference, theirs: -move.amount }
      if (own.isDone) seen.add(own)
      if (!own.isDone) differences.push({ ...about, kind: 'unheard_refund', ours: 0 })
      else if (own.amount !== move.amount || own.currency !== move.currency)
        differences.push({ ...about, kind: 'other_amount', ours: -own.amount })
    } else if (payment)
      differences.push({
        ...aboutOurs(payment),
        kind: 'foreign_refund',
        refundId: null,
        reference: move.reference,
        ours: 0,
        theirs: -move.amount,
      })
    else foreign++
  }
  for (const own of ours)
    if (own.isDone && own.isDue && !seen.has(own))
      differences.push({
        ...aboutOurs(own),
        kind: 'missing_refund',
        refundId: own.refundId,
        reference: own.reference ?? own.refundId,
        ours: -own.amount,
        theirs: 0,
      })
  return { payments: 0, refunds: theirs.length - foreign, foreign, differences }
}

export function compare(theirs: readonly ProviderMove[], payments: readonly OurPayment[], refunds: readonly OurRefund[]): Compared {
  const [came, went] = [
    comparePayments(
      theirs.filter(({ kind }) => kind === 'payment'),
      payments,
    ),
    compareRefunds(
      theirs.filter(({ kind }) => kind === 'refund'),
      refunds,
      payments,
    ),
  ]
  return {
    payments: came.payments,
    refunds: went.refunds,
    foreign: came.foreign + went.foreign,
    differences: [...came.differences, ...went.differences],
  }
}
