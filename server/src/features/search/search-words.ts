// The asked words as typed, and as they were probably meant.
import type { Db } from '#/platform/database.ts'
import { foldedWords } from '#/platform/fold-text.ts'
import { fitting } from './asked-words.ts'
import categoryWords from './category-words.json' with { type: 'json' }
import { alikeInVocabulary, type WordQuery } from './words-store.ts'

/** What the fourteen categories are called in the three languages, with the words people use instead. */
const categoryNames: Readonly<Record<string, readonly string[]>> = categoryWords
/** Likeness from which a category is meant: by its word or the beginning of one, and with a letter of a longer word mistaken. */
const meant = { as_typed: 0.95, alike: 0.8, mistyped: 0.8 } as const

/** The categories one folded word may stand for, as strictly as words are matched. */
export function categoriesNamed(word: string, matching: keyof typeof meant): string[] {
  const fit = fitting([word])
  return Object.entries(categoryNames)
    .filter(([, names]) => fit(names.map((text) => ({ text, weight: 1 }))) >= meant[matching])
    .map(([category]) => category)
}

/** The categories that have a word beginning with the folded one. */
export const categoriesBeginning = (word: string): string[] =>
  Object.entries(categoryNames)
    .filter(([, names]) => names.some((name) => foldedWords(name).some((one) => one.startsWith(word))))
    .map(([category]) => category)

/** Of the words that one may have meant only those about as like as the likest. */
const nearlyLike = 0.12
const mostMeant = 60

/** The word or one that begins with it, and its singular; words of one or two letters only whole. */
function typedForms(word: string): string[] {
  if (word.length < 3) return [`'${word}'`]
  const singular = word.length > 4 && /[sx]$/.test(word) ? [`'${word.slice(0, -1)}'`] : []
  return [`'${word}':*`, ...singular]
}

export const wordsAsTyped = (words: readonly string[]): WordQuery[] =>
  words.map((word) => {
    const typed = typedForms(word)
    return { typed, meant: typed, categories: categoriesNamed(word, 'as_typed') }
  })

/** The words with one or two letters wrong, missing, too many or swapped; null when nothing is like them. */
export async function wordsAsMeant(db: Db, words: readonly string[]): Promise<WordQuery[] | null> {
  const queries: WordQuery[] = []
  let hasNew = false
  for (const word of words) {
    const fit = fitting([word])
    const known = (await alikeInVocabulary(db, word)).map((text) => ({ text, fit: fit([{ text, weight: 1 }]) }))
    const best = Math.max(0, ...known.map((one) => one.fit))
    const meant = known
      .filter((one) => one.fit > 0 && one.fit >= best - nearlyLike)
      .sort((a, b) => b.fit - a.fit || (a.text < b.text ? -1 : 1))
      .slice(0, mostMeant)
    const typed = typedForms(word)
    const categories = categoriesNamed(word, 'mistyped')
    hasNew ||= meant.length > 0 || categories.length > 0
    queries.push({ typed, meant: [...typed, ...meant.map(({ text }) => `'${text}'`)], categories })
  }
  return hasNew ? queries : null
}
