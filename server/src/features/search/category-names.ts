// What the fourteen categories are called in the three languages, with the words people use instead.
import { fitting } from './asked-words.ts'
import categoryWords from './category-words.json' with { type: 'json' }

const known: Readonly<Record<string, readonly string[]>> = categoryWords
/** Likeness from which a category is meant: by its word or the beginning of one, and with a letter of a longer word mistaken. */
const meant = { as_typed: 0.95, alike: 0.8, mistyped: 0.8 } as const

/** The categories one folded word may stand for, as strictly as words are matched. */
export function categoriesNamed(word: string, matching: keyof typeof meant): string[] {
  const fit = fitting([word])
  return Object.entries(known)
    .filter(([, names]) => fit(names.map((text) => ({ text, weight: 1 }))) >= meant[matching])
    .map(([category]) => category)
}
