import { describe, expect, it } from 'vitest'
import { type Random, randomFrom } from './random.ts'

const five = (random: Random): number[] => Array.from({ length: 5 }, () => random.next())

describe('the random source', () => {
  it('tells the same story for the same seed, and another for another', () => {
    expect(five(randomFrom('7'))).toEqual(five(randomFrom('7')))
    expect(five(randomFrom('7'))).not.toEqual(five(randomFrom('8')))
  })

  it('forks into sources that do not depend on how far it has come', () => {
    const random = randomFrom('7')
    const early = five(random.fork('mix'))
    five(random)
    expect(five(random.fork('mix'))).toEqual(early)
    expect(five(random.fork('slot'))).not.toEqual(early)
  })

  it('reaches both ends of a range and stays within, each about equally often', () => {
    const random = randomFrom('ranges')
    const counts = [0, 0, 0, 0, 0]
    for (let n = 0; n < 50_000; n++) {
      counts[random.between(1, 5) - 1]! += 1
      expect(random.whole(3)).toBeLessThan(3)
    }
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500)
  })

  it('makes ids of version 7 that carry their instant, none twice', () => {
    const at = Date.parse('2026-11-20T11:00:00Z')
    const random = randomFrom('ids')
    const ids = Array.from({ length: 10_000 }, () => random.uuid(at))
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(Number.parseInt(ids[0]?.replace('-', '').slice(0, 12) ?? '', 16)).toBe(at)
  })

  it('picks nothing from nothing', () => {
    expect(() => randomFrom('7').pick([])).toThrow('nothing to pick from')
  })
})
