/** Chance that can be repeated: the same number gives the same course. */
export interface Chance {
  /** A whole number 0…below-1. */
  below(below: number): number
  pick<T>(list: readonly T[]): T
  /** True so often, 0…1. */
  often(share: number): boolean
}

/** Mulberry32 (public domain, Tommy Ettinger). */
export function chanceFrom(number: number): Chance {
  let state = number >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    pick: (list) => {
      const one = list[below(list.length)]
      if (one === undefined) throw new Error('nothing to pick from')
      return one
    },
    often: (share) => next() < share,
  }
}
