// What somebody who types may want: categories, services that can be booked and institutes, by the words of the search.
import { type Category, categories, type Locale } from '@soigne/contract/wire'
import { mostSuggestions, type Suggestion } from '@soigne/contract/suggestions'
import { askedWords, categoriesBeginning, wordsAsMeant } from '#/features/search/service.ts'
import type { Db } from '#/platform/database.ts'
import { foldedWords, foldText } from '#/platform/fold-text.ts'
import { localised } from '#/texts/translate.ts'
import { answering } from './store.ts'

/** One letter begins too much. */
const fewestLetters = 2
const mostCategories = 2
/** So many institutes have room beside services. */
const roomForInstitutes = 3

/** What each word stands for: categories, and lexemes as texts of a tsquery. */
interface Meaning {
  categories: string[]
  lexemes: string[]
}

const says = (lexeme: string, text: string): boolean => {
  const word = lexeme.slice(1, lexeme.lastIndexOf("'"))
  return foldedWords(text).some((one) => (lexeme.endsWith(':*') ? one.startsWith(word) : one === word))
}

/** What was typed, and what its words stand for. */
interface Asked {
  folded: string
  words: readonly Meaning[]
}

/** The name in the language that was typed: the caller's where that has the words. */
function nameOf(names: Readonly<Record<string, string>>, { folded, words }: Asked, locale: Locale): string | null {
  const own = localised(names, locale)
  const having = [own, ...Object.values(names)].filter(
    (text) => text !== null && words.every(({ lexemes }) => lexemes.some((lexeme) => says(lexeme, text))),
  )
  return having.find((text) => text !== null && foldText(text).includes(folded)) ?? having[0] ?? own
}

async function answersTo(db: Db, asked: Asked, locale: Locale): Promise<Suggestion[]> {
  const { words } = asked
  const ofCategories = categories.filter((one) => words.every((word) => word.categories.includes(one))).slice(0, mostCategories)
  const found = await answering.one(
    db,
    words.map(({ lexemes }) => lexemes),
  )
  const names = new Map<string, string>()
  for (const texts of found?.services ?? []) {
    const name = nameOf(texts, asked, locale)
    if (name !== null && !names.has(foldText(name))) names.set(foldText(name), name)
  }
  const institutes = found?.institutes ?? []
  const room = mostSuggestions - ofCategories.length
  const services = [...names.values()].slice(0, room - Math.min(institutes.length, roomForInstitutes))
  return [
    ...ofCategories.map((category: Category) => ({ kind: 'category' as const, category })),
    ...services.map((name) => ({ kind: 'service' as const, name })),
    ...institutes.slice(0, room - services.length).map((one) => ({ kind: 'institute' as const, ...one })),
  ]
}

/** What begins with all of these words, else what resembles them. */
async function answersToAll(db: Db, words: readonly string[], folded: string, locale: Locale): Promise<Suggestion[]> {
  const typed = words.map((word) => ({ categories: categoriesBeginning(word), lexemes: [`'${word}':*`] }))
  const found = await answersTo(db, { folded, words: typed }, locale)
  if (found.length > 0) return found
  const meant = await wordsAsMeant(db, words)
  if (!meant) return []
  return answersTo(db, { folded, words: meant.map((one) => ({ categories: one.categories, lexemes: one.meant })) }, locale)
}

/** Words that nothing answers are left out, as the search leaves them out. */
async function answeredWords(db: Db, words: readonly string[], locale: Locale): Promise<string[]> {
  const answered = await Promise.all(words.map(async (word) => (await answersToAll(db, [word], word, locale)).length > 0))
  return words.filter((_, at) => answered[at])
}

/** Suggestions for a text in any of the three languages, by its words that something answers. */
export async function suggest(db: Db, text: string, locale: Locale): Promise<Suggestion[]> {
  const words = askedWords(text)
  if (words.join('').length < fewestLetters) return []
  const found = await answersToAll(db, words, foldText(text), locale)
  if (found.length > 0 || words.length < 2) return found
  const known = (await answeredWords(db, words, locale)).filter((word) => word.length >= fewestLetters)
  if (known.length === 0 || known.length === words.length) return []
  return answersToAll(db, known, known.join(' '), locale)
}
