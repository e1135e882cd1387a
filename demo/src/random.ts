// The random source of everything made up, in the demo and in tests: the same seed always tells the same story.

export interface Random {
  /** 0 ≤ value < 1. */
  next(): number
  /** A whole number, both ends included. */
  between(low: number, high: number): number
  /** A whole number from 0, less than `below`. */
  whole(below: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** A UUIDv7 made at the given instant (milliseconds since the epoch). */
  uuid(at: number): string
  /** Another source of the same seed, which does not depend on how far this one has come. */
  fork(name: string): Random
}

function hashSeed(seed: string): () => number {
  let hash = 1_779_033_703 ^ seed.length
  for (let at = 0; at < seed.length; at++) {
    hash = Math.imul(hash ^ seed.charCodeAt(at), 3_432_918_353)
    hash = (hash << 13) | (hash >>> 19)
  }
  return () => {
    hash = Math.imul(hash ^ (hash >>> 16), 2_246_822_507)
    hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909)
    return (hash ^= hash >>> 16) >>> 0
  }
}

const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
/** The last eight bits as two digits; crowds need millions of ids. */
const pair = (value: number): string => hexPairs[value & 255]!
const digit = (value: number): string => (value & 15).toString(16)

/** A source whose whole sequence follows from the seed (xmur3 into sfc32). */
export function randomFrom(seed: string): Random {
  const word = hashSeed(seed)
  let [a, b, c, d] = [word(), word(), word(), word()]
  const next32 = (): number => {
    const sum = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }
  for (let warm = 0; warm < 12; warm++) next32()
  const next = (): number => next32() / 4_294_967_296
  return {
    next,
    whole: (below) => Math.floor(next() * below),
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (probability) => next() < probability,
    pick: (list) => {
      const found = list[Math.floor(next() * list.length)]
      if (found === undefined) throw new Error('nothing to pick from')
      return found
    },
    fork: (name) => randomFrom(`${seed} ${name}`),
    uuid: (at) => {
      const time = at.toString(16).padStart(12, '0')
      const variant = digit(0x8 | (next32() & 0x3))
      const [one, two, three, four] = [next32(), next32(), next32(), next32()]
      const node = pair(three >>> 24) + pair(three >>> 16) + pair(three >>> 8) + pair(three) + pair(four >>> 8) + pair(four)
      return `${time.slice(0, 8)}-${time.slice(8)}-7${digit(one >>> 8)}${pair(one)}-${variant}${digit(two >>> 8)}${pair(two)}-${node}`
    },
  }
}
