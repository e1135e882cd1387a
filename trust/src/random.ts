/** Chance that can be had again: the same seed gives the same wishes. What the machine makes of them in time is its own. */

export interface Random {
  /** 0 ≤ n < 1 */
  next(): number
  /** 0 ≤ n < below, whole */
  whole(below: number): number
  pick<T>(list: readonly T[]): T
  chance(share: number): boolean
  /** Text that can name a key. */
  key(): string
  /** Another stream that does not depend on how far this one has come. */
  fork(name: string): Random
}

/** FNV-1a, to turn names into numbers. */
const numberOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  // Mulberry32: small, and good enough for wishes.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const whole = (below: number): number => Math.floor(next() * below)
  return {
    next,
    whole,
    pick: (list) => list[whole(list.length)] as (typeof list)[number],
    chance: (share) => next() < share,
    key: () => `${whole(2 ** 32).toString(36)}-${whole(2 ** 32).toString(36)}`,
    fork: (name) => randomFrom(seed ^ numberOf(name)),
  }
}
