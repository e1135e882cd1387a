// In which order a page of many trades is laid out: what many look for first, and no trade twice while another is left.
import type { categories } from '@soigne/contract/wire'

type Category = (typeof categories)[number]

/** What is bought by eye before what is needed. */
const appetite: readonly Category[] = [
  'massage',
  'hair',
  'nails',
  'skincare',
  'body',
  'barbering',
  'makeup',
  'eyebrows',
  'fitness',
  'tatto',
  'hair-removal',
  'counseling',
  'fillers',
  'medical',
]

const place = new Map<string, number>(appetite.map((category, index) => [category, index]))

/** The first of each trade, then the second of each; within a trade the order they came in. */
export function mixedByAppetite<Item extends { categories: readonly string[] }>(items: readonly Item[]): Item[] {
  const seen = new Map<string, number>()
  const placed = items.map((item) => {
    const [category = ''] = item.categories
    const round = seen.get(category) ?? 0
    seen.set(category, round + 1)
    return { item, round, appetite: place.get(category) ?? appetite.length }
  })
  return placed.toSorted((one, other) => one.round - other.round || one.appetite - other.appetite).map(({ item }) => item)
}
