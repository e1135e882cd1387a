import { dayMs, hourMs } from '@soigne/contract/time'
import { describe, expect, it } from 'vitest'
import { instantText } from '#/platform/instants.ts'
import { payoutsOf, waitingOf } from './payouts.ts'
import type { HouseMove } from './store.ts'

const start = Date.parse('2026-11-02T00:00:00Z')
/** A small generator: the same seed gives the same moves. */
function chance(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % below
  }
}
/** What is left of a move when the house has kept its part of it. */
function netOf({ kind, method, amount }: HouseMove): number {
  const kept = { card: 150, paypal: 290, klarna: 390 }[method]
  return kind === 'payment' ? amount - Math.floor((amount * kept + 5000) / 10_000) : amount
}
let count = 0
function move(at: number, amount: number, more: Partial<HouseMove> = {}): HouseMove {
  const reference = `m${String(++count).padStart(6, '0')}`
  const kind = amount > 0 ? 'payment' : 'refund'
  return { kind, reference, paymentReference: reference, method: 'card', amount, currency: 'EUR', at: instantText(at), ...more }
}

describe('what the sandbox pays out', () => {
  it('is a day’s money less what it keeps of payments, two hours after the day, at the bank two days later', () => {
    const moves = [move(start + 9 * hourMs, 4550), move(start + 23.9 * hourMs, 1000, { method: 'paypal' }), move(start + 20 * hourMs, -550)]
    expect(payoutsOf(moves, start + 26 * hourMs - 1)).toEqual([])
    const [one, ...others] = payoutsOf(moves, start + 26 * hourMs)
    expect(others).toEqual([])
    expect(one?.payout).toMatchObject({ amount: 4550 - 68 + 1000 - 29 - 550, currency: 'EUR', state: 'coming', arrivesOn: '2026-11-05' })
    expect(one?.moves).toHaveLength(3)
    expect(payoutsOf(moves, Date.parse('2026-11-05T06:00:00Z'))[0]?.payout.state).toBe('paid')
  })

  it('waits where more went back than came, and goes with the next', () => {
    const moves = [move(start, 1000), move(start + hourMs, -1000), move(start + dayMs, 5000)]
    const all = payoutsOf(moves, start + 5 * dayMs)
    expect(all.map(({ payout, moves: parts }) => [payout.amount, parts.length])).toEqual([[5000 - 75 - 15, 3]])
  })

  it('is apart from what is in no payout yet, which each currency has for itself', () => {
    const moves = [
      move(start, 4550),
      move(start + dayMs, 1000),
      move(start, 2000, { currency: 'TND' }),
      move(start + hourMs, -3000, { currency: 'TND' }),
    ]
    expect(waitingOf(moves, start + 26 * hourMs - 1)).toEqual([
      { currency: 'EUR', amount: 4550 - 68 + 1000 - 15 },
      { currency: 'TND', amount: 2000 - 30 - 3000 },
    ])
    // What would take from the bank waits on.
    expect(waitingOf(moves, start + 26 * hourMs)).toEqual([
      { currency: 'EUR', amount: 1000 - 15 },
      { currency: 'TND', amount: 2000 - 30 - 3000 },
    ])
    expect(waitingOf(moves.slice(0, 2), start + 3 * dayMs)).toEqual([])
  })

  it('never changes once it is made, and all that came is in one payout or still waits, to the cent', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const next = chance(seed)
      const moves = Array.from({ length: 1 + next(40) }, () =>
        move(start + next(10 * 24) * hourMs, next(4) === 0 ? -1 - next(3000) : 1 + next(9000), {
          method: (['card', 'paypal', 'klarna'] as const)[next(3)] ?? 'card',
        }),
      ).toSorted((a, b) => (a.at < b.at ? -1 : 1))
      let before: ReturnType<typeof payoutsOf> = []
      for (let hour = 0; hour < 12 * 24; hour += 1 + next(30)) {
        const now = start + hour * hourMs
        // What is not done yet is not there yet.
        const known = moves.filter(({ at }) => Date.parse(at) <= now)
        const all = payoutsOf(known, now)
        expect(all.slice(0, before.length).map(({ payout, moves: parts }) => [payout.reference, payout.amount, parts])).toEqual(
          before.map(({ payout, moves: parts }) => [payout.reference, payout.amount, parts]),
        )
        before = all
        const [waits = 0, ...more] = waitingOf(known, now).map(({ amount }) => amount)
        expect(more).toEqual([])
        const sent = all.reduce((sum, { payout }) => sum + payout.amount, 0)
        expect(sent + waits, `seed ${seed}, hour ${hour}`).toBe(known.reduce((sum, one) => sum + netOf(one), 0))
      }
      const parts = before.flatMap((one) => one.moves)
      expect(new Set(parts.map(({ reference }) => reference)).size, `seed ${seed}`).toBe(parts.length)
      for (const { payout, moves: own } of before) {
        expect(payout.amount, `seed ${seed}`).toBeGreaterThan(0)
        expect(own.reduce((sum, { amount, fees }) => sum + amount - fees.provider - fees.site - fees.tax, 0)).toBe(payout.amount)
      }
      const left = moves.length - parts.length
      const last = before.at(-1)
      const lastDay = moves.at(-1)?.at.slice(0, 10)
      // Whatever is left adds up to nothing that could be sent.
      if (left > 0 && last) expect(parts.some(({ at }) => instantText(at).slice(0, 10) === lastDay)).toBe(false)
    }
  })
})
