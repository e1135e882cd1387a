/** Sums of money against a reckoning of whole fractions that never rounds on the way, and entries that leave nothing behind. */
import { saleMethods } from '@soigne/contract/sales'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { invoiced, paid, paidBack, type Posting, tipped } from './postings.ts'
import { partOf, percentOf, sumOf, usualVat, vatWithin } from './reckoning.ts'

/** The whole number nearest to a fraction, half a unit away from zero: found by comparing distances, not by a formula of rounding. */
function nearest(above: bigint, below: bigint): number {
  const toZero = above / below
  const rest = above - toZero * below
  const isFar = 2n * (rest < 0n ? -rest : rest) >= below
  return Number(isFar ? toZero + (above < 0n ? -1n : 1n) : toZero)
}
const countries = 'AE AT AU BE CH CZ DE DK DZ EG ES FI FR GB GR IE IT JP LU MA NL NO PL PT RO SA SE SN TN TR'.split(' ')
const most = 100_000_000

describe('VAT within an amount', () => {
  it.each([0, 1, 210, 550, 1000, 5000, ...new Set(countries.map(usualVat))])(
    'at %i hundredths of a percent is the nearest unit, above and below zero',
    (rate) => {
      for (let amount = -1300; amount <= 1300; amount++)
        expect(vatWithin(amount, rate) + 0, `of ${amount}`).toBe(nearest(BigInt(amount) * BigInt(rate), BigInt(10_000 + rate)))
      fc.assert(
        fc.property(fc.integer({ min: -99 * most, max: 99 * most }), (amount) => {
          expect(vatWithin(amount, rate) + 0).toBe(nearest(BigInt(amount) * BigInt(rate), BigInt(10_000 + rate)))
        }),
      )
    },
  )

  it.each([
    [3, 2000, 1],
    [9, 2000, 2],
    [-3, 2000, -1],
    [-9, 2000, -2],
    [2, 2000, 0],
    [-2, 2000, 0],
    [21, 500, 1],
    [119, 1900, 19],
    [4200, 2000, 700],
    [107_000, 700, 7000],
    [most, 2550, 20_318_725],
  ])('of %i at %i is %i', (amount, rate, vat) => {
    expect(vatWithin(amount, rate) + 0).toBe(vat)
  })

  it('is as much of what is taken as of what is given back, and never more for less', () => {
    fc.assert(
      fc.property(fc.nat(most), fc.nat(5000), (amount, rate) => {
        expect(vatWithin(-amount, rate) + 0).toBe(0 - vatWithin(amount, rate))
        expect(vatWithin(amount + 1, rate)).toBeGreaterThanOrEqual(vatWithin(amount, rate))
        expect(vatWithin(amount, rate + 1)).toBeGreaterThanOrEqual(vatWithin(amount, rate))
      }),
    )
  })

  it.each([
    ['FR', 2000],
    ['CH', 810],
    ['FI', 2550],
    ['TN', 1900],
    ['MA', 2000],
    ['GB', 2000],
    ['JP', 1000],
    ['US', 0],
    ['fr', 0],
    ['', 0],
  ])('in %s is usually %i', (country, rate) => {
    expect(usualVat(country)).toBe(rate)
  })
})

describe('percent', () => {
  it('of an amount is the nearest unit, all of it at 100, half a unit up', () => {
    expect([percentOf(1, 50), percentOf(3, 50), percentOf(-1, 50), percentOf(149, 1), percentOf(150, 1)]).toEqual([1, 2, -1, 1, 2])
    fc.assert(
      fc.property(fc.integer({ min: -40 * most, max: 40 * most }), fc.integer({ min: 0, max: 100 }), (amount, percent) => {
        expect(percentOf(amount, percent) + 0).toBe(nearest(BigInt(amount) * BigInt(percent), 100n))
        expect(percentOf(amount, 100)).toBe(amount)
      }),
    )
  })
})

describe('parts of a line', () => {
  it('have among them exactly its amount and its VAT, in however many parts and whatever order it goes back', () => {
    const parts = fc.array(fc.integer({ min: 1, max: most }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(parts, fc.constantFrom(0, 550, 1900, 2000, 2550), (amounts, rate) => {
        const amount = amounts.reduce((sum, one) => sum + one, 0)
        const line = { amount, vat: vatWithin(amount, rate) }
        const taken = { amount: 0, vat: 0 }
        for (const one of amounts) {
          const vat = partOf(line, taken, one)
          // Each is within a unit of its share, the last one too.
          expect(Math.abs(vat - (line.vat * one) / amount)).toBeLessThanOrEqual(1.000_001)
          taken.amount += one
          taken.vat += vat
        }
        expect(taken).toEqual(line)
      }),
    )
  })

  it('never have less than nothing, nor more than there is', () => {
    const vatOf = (line: { amount: number; vat: number }, part: number): number[] => {
      const taken = { amount: 0, vat: 0 }
      return Array.from({ length: line.amount / part }, () => {
        const vat = partOf(line, taken, part)
        taken.amount += part
        taken.vat += vat
        return vat
      })
    }
    expect(vatOf({ amount: 12, vat: 2 }, 3)).toEqual([1, 0, 1, 0])
    expect(vatOf({ amount: 29, vat: 2 }, 1).every((vat) => vat === 0 || vat === 1)).toBe(true)
  })

  it('are of a line below zero what they are of one above', () => {
    const line = { amount: -980, vat: -163 }
    const first = partOf(line, { amount: 0, vat: 0 }, -98)
    expect([first, partOf(line, { amount: -98, vat: first }, -882)]).toEqual([-16, -147])
  })
})

describe('entries', () => {
  const into = (book: Map<string, number>, postings: readonly Posting[]): void => {
    expect(sumOf(postings)).toBe(0)
    for (const { account, amount } of postings) book.set(account, (book.get(account) ?? 0) + amount)
  }

  it.each(saleMethods)('put what is paid by %s where such money is, and take it out of there again', (method) => {
    const account = method === 'cash' || method === 'terminal' ? method : method === 'gift_card' ? 'gift_cards' : 'online'
    expect(paid(method, 4200)).toEqual([
      { account, amount: 4200 },
      { account: 'prepayments', amount: -4200 },
    ])
    const book = new Map<string, number>()
    into(book, paid(method, 4200))
    into(book, paidBack(method, 4200))
    expect([...book.values()]).toEqual([0, 0])
  })

  it('of a deposit, an invoice, a tip and a credit note leave no prepayment, and the VAT and the revenue that are left', () => {
    const book = new Map<string, number>()
    into(book, paid('card', 1500))
    expect(book.get('prepayments')).toBe(-1500)
    into(book, paid('cash', 3200))
    into(book, tipped(500))
    into(book, invoiced({ total: 4200, vat: 700 }))
    expect(book.get('prepayments')).toBe(0)
    into(book, invoiced({ total: -1200, vat: -200 }))
    into(book, paidBack('cash', 1200))
    expect(Object.fromEntries(book)).toEqual({ online: 1500, cash: 2000, prepayments: 0, tips: -500, revenue: -2500, vat: -500 })
  })

  it('have no posting of nothing: without VAT there is no line of VAT, and a free visit has none at all', () => {
    expect(invoiced({ total: 100, vat: 0 }).map(({ account }) => account)).toEqual(['prepayments', 'revenue'])
    expect([invoiced({ total: 0, vat: 0 }), tipped(0)]).toEqual([[], []])
  })
})
