// Invented names, from parts that nobody has put together: thousands of them in English, French and Arabic.
import type { Random } from '#/random.ts'
import parts from './invented-names.json' with { type: 'json' }

export type Speech = 'en' | 'fr' | 'ar'

export interface InventedName {
  /** As it stands on the door. */
  name: string
  /** In Latin letters, for addresses. */
  latin: string
  street: string
}

interface NameParts {
  patterns: string[]
  adjectives: string[]
  nouns: string[]
  trades: Record<string, string[]>
  street: string
}

const speeches: Readonly<Record<Speech, NameParts>> = parts

/** Arabic parts are written `arabic|latin`; the others are the same in both. */
const inLetters = (part: string): { native: string; latin: string } => {
  const [native = '', latin = native] = part.split('|')
  return { native, latin }
}

export function inventName(speech: Speech, category: string, random: Random): InventedName {
  const { patterns, adjectives, nouns, trades, street } = speeches[speech]
  const pattern = inLetters(random.pick(patterns))
  const noun = random.pick(nouns)
  let other = random.pick(nouns)
  while (other === noun) other = random.pick(nouns)
  const values: Readonly<Record<string, { native: string; latin: string }>> = {
    noun: inLetters(noun),
    other: inLetters(other),
    adjective: inLetters(random.pick(adjectives)),
    trade: inLetters(random.pick(trades[category] ?? ['Salon'])),
  }
  const filled = (text: string, letters: 'native' | 'latin'): string =>
    text.replaceAll(/\{(\w+)\}/g, (_, key: string) => values[key]?.[letters] ?? '')
  return {
    name: filled(pattern.native, 'native'),
    latin: filled(pattern.latin, 'latin'),
    street: street.replace('{noun}', inLetters(random.pick(nouns)).native).replace('{number}', String(random.between(1, 180))),
  }
}

/** Of words without accents. */
export const slugOf = (words: string): string =>
  words
    .toLowerCase()
    .replaceAll(/[^a-z0-9 ]/g, '')
    .trim()
    .replaceAll(/ +/g, '-')
    .slice(0, 48)
    .replace(/-+$/, '')

const withoutAccents = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')

/** Name, town and the number in the crowd: nobody else's, whoever is made first. */
export const slugFor = (name: InventedName, townSlug: string, index: number): string =>
  [slugOf(withoutAccents(name.latin)), townSlug, `c${(index + 1).toString(36)}`].filter(Boolean).join('-')
