/** What Klarna would make of an amount: its parts add up, to the minor unit. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { instalmentsOf } from './pages.ts'

it('of 52.00 are 17.34, 17.33 and 17.33', () => {
  expect(instalmentsOf(5200, 3)).toEqual([1734, 1733, 1733])
})

it('add up to the amount, differ by one minor unit at most, and the first is never the smallest', () => {
  fc.assert(
    fc.property(fc.nat(10_000_000), fc.integer({ min: 1, max: 12 }), (amount, count) => {
      const parts = instalmentsOf(amount, count)
      expect(parts).toHaveLength(count)
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(amount)
      expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1)
      expect(parts[0]).toBe(Math.max(...parts))
    }),
  )
})
