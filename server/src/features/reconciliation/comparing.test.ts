import { expect, it } from 'vitest'
import type { ProviderMove } from '#/features/payments/service.ts'
import { compare, type OurPayment, type OurRefund } from './comparing.ts'

/** The same for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

interface Round {
  theirs: ProviderMove[]
  payments: OurPayment[]
  refunds: OurRefund[]
}

/** Payments with refunds, each of which either side may not know, or know otherwise. */
function roundOf(random: (below: number) => number): Round {
  const round: Round = { theirs: [], payments: [], refunds: [] }
  for (let at = 0; at < 1 + random(12); at++) {
    const own = { instituteId: 'i', checkoutId: `c${at}`, currency: 'EUR', at: '2026-11-20T10:00:00.000Z', isDue: true }
    const amount = 100 + random(9000)
    const isPaid = random(4) > 0
    round.payments.push({ ...own, reference: isPaid ? `p${at}` : null, amount, isPaid })
    const there = random(5) > 0
    const move = { paymentReference: `p${at}`, currency: 'EUR', at: 0 }
    if (there)
      round.theirs.push({
        ...move,
        kind: 'payment',
        reference: `p${at}`,
        ownId: random(2) ? `c${at}` : null,
        amount: random(6) ? amount : amount + 1,
      })
    if (random(2)) {
      const back = 1 + random(amount)
      const isDone = random(3) > 0
      if (random(4)) round.refunds.push({ ...own, refundId: `r${at}`, reference: isDone ? `re${at}` : null, amount: back, isDone })
      if (there && random(3)) round.theirs.push({ ...move, kind: 'refund', reference: `re${at}`, ownId: `r${at}`, amount: back })
    }
  }
  return round
}

const signed = ({ kind, amount }: ProviderMove): number => (kind === 'payment' ? amount : -amount)

it('every sum that is not the same is explained, to the minor unit: a thousand rounds', () => {
  let found = 0
  for (let seed = 1; seed <= 1000; seed++) {
    const { theirs, payments, refunds } = roundOf(randomOf(seed))
    const { differences } = compare(theirs, payments, refunds)
    found += differences.length
    // What is no business of this site is in no sum of it.
    const names = new Set([...payments.map(({ checkoutId }) => checkoutId), ...payments.flatMap(({ reference }) => reference ?? [])])
    const known = new Set([...refunds.map(({ refundId }) => refundId), ...refunds.flatMap(({ reference }) => reference ?? [])])
    const isOurs = (move: ProviderMove): boolean =>
      [move.reference, move.paymentReference, move.ownId ?? ''].some((name) => names.has(name)) ||
      (move.kind === 'refund' && (known.has(move.reference) || known.has(move.ownId ?? '')))
    const there = theirs.filter(isOurs).reduce((sum, move) => sum + signed(move), 0)
    const here =
      payments.reduce((sum, { isPaid, amount }) => sum + (isPaid ? amount : 0), 0) -
      refunds.reduce((sum, { isDone, amount }) => sum + (isDone ? amount : 0), 0)
    const explained = differences.reduce((sum, one) => sum + one.theirs - one.ours, 0)
    expect({ seed, sum: there - here }).toEqual({ seed, sum: explained })
  }
  expect(found).toBeGreaterThan(1000)
})

it('what was asked for before the time that is compared is not missed in it', () => {
  const own = { instituteId: 'i', checkoutId: 'c', reference: 'p', amount: 100, currency: 'EUR', at: '2026-11-10T10:00:00.000Z' }
  expect(compare([], [{ ...own, isPaid: true, isDue: false }], []).differences).toEqual([])
  expect(compare([], [{ ...own, isPaid: true, isDue: true }], []).differences).toMatchObject([{ kind: 'missing_payment' }])
})

it('the same sum of another currency is another sum', () => {
  const own = {
    instituteId: 'i',
    checkoutId: 'c',
    reference: 'p',
    amount: 100,
    currency: 'EUR',
    at: '2026-11-20T10:00:00.000Z',
    isDue: true,
    isPaid: true,
  }
  const move = { kind: 'payment', reference: 'p', paymentReference: 'p', ownId: 'c', amount: 100, currency: 'CHF', at: 0 } as const
  expect(compare([move], [own], []).differences).toMatchObject([{ kind: 'other_amount', ours: 100, theirs: 100 }])
})
