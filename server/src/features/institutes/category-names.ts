// What the fourteen categories are called in the three languages, with the words people use instead.
import { fitting } from './asked-words.ts'
import categoryWords from './category-words.json' with { type: 'json' }

const known: Readonly<Record<string, readonly string[]>> = categoryWords
/** A category is meant by its word or by a word that begins it or misses a letter of a longer one. */
const meant = 0.8

export const namesOfCategory = (category: string): readonly string[] => known[category] ?? []

/** The categories one folded word may stand for. */
export function categoriesNamed(word: string): string[] {
  const fit = fitting([word])
  return Object.entries(known).filter(([, names]) => fit(names.map((text) => ({ text, weight: 1 }))) >= meant).map(([category]) => category)
}
