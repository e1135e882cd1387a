/** Chance of the journeys: each test has its own, from a seed that the start prints, so that a run can be had again. */
import { type TestInfo, test } from '@playwright/test'
import { type Random, randomFrom } from '@soigne/demo/random'

const sources = new WeakMap<TestInfo, Random>()

/** The random source of the running test; a retry takes other times than the try before it. */
export function chance(): Random {
  const info = test.info()
  const known = sources.get(info)
  if (known) return known
  const random = randomFrom(`${process.env['E2E_SEED'] ?? ''} ${info.project.name} ${info.titlePath.join(' > ')} ${info.retry}`)
  sources.set(info, random)
  return random
}
