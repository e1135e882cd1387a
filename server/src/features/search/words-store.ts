// The asked words as SQL: on the words of institutes, of services and of the vocabulary.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#/platform/database.ts'
import { c, statement } from '#/platform/statement.ts'
import { looseWord, nameShare } from './ranking.ts'

/** One asked word. The queries are texts of a tsquery for folded words, so letters and digits only. */
export interface WordQuery {
  /** Lexemes as they were typed. */
  typed: string[]
  /** The same with what was probably meant. */
  meant: string[]
  /** Categories it may stand for. */
  categories: string[]
}

const mostLooked = 300

const shortAlike = statement({ name: 'institutes.shortWordsAlike', row: { word: c.text }, tries: ['coup'] }, (word: string) => {
  const letters = [...new Set([word.charAt(0), word.charAt(1)])]
  return sql`select word from vocabulary where left(word, 1) = any(${letters}::text[]) and length(word) <= 6 and length(word) between ${word.length - 1} and ${word.length + 1}`
})
const longAlike = statement(
  { name: 'institutes.longWordsAlike', row: { word: c.text }, tries: ['massage'] },
  (word: string) => sql`select word from vocabulary where word % ${word} order by similarity(word, ${word}) desc, word limit ${mostLooked}`,
)
/** Words of the vocabulary that could be a mistyped one: a short word by its length and first letters, a longer one by its trigrams. */
export async function alikeInVocabulary(db: Db, word: string): Promise<string[]> {
  if (word.length < 3) return []
  const rows = await (word.length <= 5 ? shortAlike : longAlike).all(db, word)
  return rows.map((row) => row.word)
}

/** Lexemes as the text of a tsquery that any of them answers, in words of a weight if one is given. */
export const anyOf = (lexemes: readonly string[], weight = ''): string =>
  lexemes.map((lexeme) => (weight ? `${lexeme}${lexeme.includes(':') ? '' : ':'}${weight}` : lexeme)).join(' | ')

/** The institute has each of the words or is of one of the categories they stand for. */
export function answersWords(queries: readonly WordQuery[]): RawBuilder<unknown> {
  const text = queries
    .map(({ meant, categories }) => `(${anyOf([...meant, ...categories.map((category) => `'#${category}'`)])})`)
    .join(' & ')
  return sql`i.words @@ ${text}::tsquery`
}

/** How well an institute answers, 0…1, by the figures of the ranking. */
export function wordsFit(queries: readonly WordQuery[]): RawBuilder<unknown> {
  const parts = queries.map(
    ({
      typed,
      meant,
    }) => sql`(case when i.words @@ ${anyOf(typed)}::tsquery then ${1 - nameShare}::float8 else ${(1 - nameShare) * looseWord}::float8 end
      + case when i.words @@ ${anyOf(meant, 'A')}::tsquery then ${nameShare}::float8 else 0 end)`,
  )
  return sql`((${sql.join(parts, sql` + `)}) / ${queries.length}::float8)`
}

/**
 * Whether any of the words is in the names or sections of an institute's menu. Where none is all its services answer alike, and one of
 * them need be read instead of each. Null for words that stand for categories, which services have too.
 */
export function answersOnMenu(queries: readonly WordQuery[]): RawBuilder<unknown> | null {
  if (queries.some(({ categories }) => categories.length > 0)) return null
  return sql`i.words @@ ${queries.map(({ meant }) => anyOf(meant, 'BC')).join(' | ')}::tsquery`
}

/**
 * How well a service answers, in tenths for each word: 10 for a word in its name or for its category, which all its services are of, 7 for
 * one in its section.
 * With less than half of what there is to have the words mean something else, such as the institute, and all services answer alike.
 */
export function serviceFit(queries: readonly WordQuery[]): RawBuilder<unknown> {
  const parts = queries.map(
    ({ meant, categories }) => sql`case when s.category = any(${categories}::text[]) or s.words @@ ${anyOf(meant, 'A')}::tsquery then 10
      when s.words @@ ${anyOf(meant, 'B')}::tsquery then 7 else 0 end`,
  )
  return sql`greatest(${sql.join(parts, sql` + `)}, ${queries.length * 5 - 1}::int)`
}
