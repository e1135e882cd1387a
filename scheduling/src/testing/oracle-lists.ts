/** The two list questions of the oracle: all orders, and taken time joined. */
import type { Occupation } from '#/model.ts'

/** Every order of some numbers, sorted as in a dictionary. */
export function permutationsOf(numbers: readonly number[]): readonly (readonly number[])[] {
  let orders: (readonly number[])[] = [[]]
  for (let i = 0; i < numbers.length; i++) {
    orders = orders.flatMap((order) => numbers.filter((one) => !order.includes(one)).map((one) => [...order, one]))
  }
  return orders
}

/** The minutes taken from each subject, as the longest stretches without a hole. */
export function joinTaken(taken: readonly Occupation[]): readonly Occupation[] {
  const minutes = new Map<string, Set<number>>()
  for (const { subject, id, from, to } of taken) {
    const key = JSON.stringify([subject, id])
    const own = minutes.get(key) ?? new Set()
    minutes.set(key, own)
    for (let at = from; at < to; at++) own.add(at)
  }
  return [...minutes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, own]) => {
      const [subject, id] = JSON.parse(key) as ['member' | 'resource', string]
      const begins = [...own].filter((at) => !own.has(at - 1)).sort((a, b) => a - b)
      return begins.map((from) => {
        let to = from
        while (own.has(to)) to++
        return { subject, id, from, to }
      })
    })
}
