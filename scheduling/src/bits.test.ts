import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addBits,
  addStretch,
  anySet,
  clearStretch,
  countSet,
  isSet,
  newBits,
  nextMissing,
  nextSet,
  previousSetEnd,
  setStretch,
} from './bits.ts'

const LENGTH = 200
const stretch = fc.tuple(fc.integer({ min: -20, max: 240 }), fc.integer({ min: -20, max: 240 }))
const asked = fc.tuple(fc.nat(LENGTH - 1), fc.nat(LENGTH - 1))

test('rows of bits answer as plain lists of minutes do', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), stretch), { maxLength: 8 }), asked, (steps, [from, to]) => {
      const bits = newBits(LENGTH)
      const plain = Array.from({ length: bits.length * 32 }, () => false)
      for (const [set, [begin, end]] of steps) {
        if (set) setStretch(bits, begin, end)
        else clearStretch(bits, begin, end)
        for (let at = Math.max(begin, 0); at < end && at < plain.length; at++) plain[at] = set
      }
      const within = plain.slice(from, Math.max(from, to))
      expect(anySet(bits, from, to)).toBe(within.includes(true))
      expect(countSet(bits, from, to)).toBe(within.filter(Boolean).length)
      expect(isSet(bits, from)).toBe(plain[from])
      expect(nextSet(bits, from, to)).toBe(from >= to || !within.includes(true) ? to : from + within.indexOf(true))
      const last = within.lastIndexOf(true)
      expect(previousSetEnd(bits, to, from)).toBe(from >= to || last < 0 ? from : from + last + 1)
      const both = newBits(LENGTH)
      setStretch(both, 0, 40)
      const missing = within.findIndex((one, at) => one && from + at >= 40)
      expect(nextMissing(bits, both, from, to)).toBe(from >= to || missing < 0 ? to : from + missing)
      addBits(both, bits)
      expect(countSet(both, 0, LENGTH)).toBe(plain.slice(0, LENGTH).filter((one, at) => one || at < 40).length)
      const part = newBits(LENGTH)
      setStretch(part, 0, 40)
      addStretch(part, bits, from, to)
      const added = plain.map((one, at) => at < 40 || (one && at >= from && at < to))
      expect(added.map((_, at) => isSet(part, at))).toEqual(added)
    }),
    { numRuns: 3000 },
  )
})
