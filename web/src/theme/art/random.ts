// Chance that repeats: the same seed gives the same numbers on the server, in the browser and in tests.

/** Answers a number from 0 up to 1 at each call. */
export type Random = () => number

export function randomFrom(seed: string): Random {
  let state = 1779033703
  for (const character of seed) {
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 3432918353)
    state = (state << 13) | (state >>> 19)
  }
  return () => {
    state = Math.imul(state ^ (state >>> 16), 2246822507)
    state = Math.imul(state ^ (state >>> 13), 3266489909)
    state ^= state >>> 16
    return (state >>> 0) / 4294967296
  }
}

/** A whole number from 0 up to, not including, the count. */
export function pickIndex(random: Random, count: number): number {
  return Math.min(count - 1, Math.floor(random() * count))
}

export function pickFrom<Item>(random: Random, items: readonly [Item, ...Item[]]): Item {
  return items[pickIndex(random, items.length)] ?? items[0]
}
