/** The clock of the process, handed to those who need the time so that tests can set it. */
import type { Instant } from '@soigne/contract/time'

export interface Clock {
  now(): Instant
}

export const systemClock: Clock = { now: () => Date.now() }

/** A clock that stands where it is put. */
export function standingClock(at: string | number): Clock & { set(at: string | number): void; advance(ms: number): void } {
  const read = (value: string | number): number => (typeof value === 'number' ? value : Temporal.Instant.from(value).epochMilliseconds)
  let now = read(at)
  return { now: () => now, set: (value) => void (now = read(value)), advance: (ms) => void (now += ms) }
}
