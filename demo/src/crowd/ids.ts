/** Every id of the crowd was made in these milliseconds, before there was a product: that is how the crowd is told from what people made. */
export const crowdFrom = Date.UTC(2025, 0, 1)
/** More institutes than this nobody makes: each has a millisecond of its own. */
export const mostInstitutes = 1_000_000
export const usualSeedNumber = 1

const idAt = (ms: number, rest: string): string => {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-${rest}`
}

/** Ids of institutes of any crowd, both ends included. */
export const crowdIds: readonly [first: string, last: string] = [
  idAt(crowdFrom, '0000-0000-000000000000'),
  idAt(crowdFrom + mostInstitutes, 'ffff-ffff-ffffffffffff'),
]
