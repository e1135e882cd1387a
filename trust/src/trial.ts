/** What a trial is given and what it gives back. */
import type { Random } from '@soigne/demo/random'

export interface TrialOptions {
  random: Random
  /** How often the server, and how often Postgres is killed. */
  kills: number
  /** Minutes of the mix, and of the desk. */
  minutes: number
  say(words: string): void
}

export interface TrialResult {
  figures: Record<string, number | string>
  /** Words for everything that must not be; none is good. */
  violations: string[]
}

export type Trial = (options: TrialOptions) => Promise<TrialResult>

/** A value at a share of the way through, 0…1, rounded to whole numbers. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
}
export const largest = (values: readonly number[]): number => Math.round(values.reduce((most, value) => Math.max(most, value), 0))
