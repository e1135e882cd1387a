/** What a typed place may mean: a name, a name and its country, a quarter and its town. */
import { foldText } from '#/platform/fold-text.ts'
import { countryCodeOf } from './country-names.ts'
import type { LocalityAsked } from './localities-store.ts'

/** Longest folded text looked for: no place's name is longer, and trigrams of more cost time for nothing. */
const longestQuery = 60
/** Ways to part the words of a text into a quarter and its town. */
const mostSplits = 4

/** Between the parts of a place; Arabic has its own. */
const commas = /[,،]/

/** `Lyon, France` or `lyon france`: the name and the country, or null when the end names no country. */
function splitCountry(q: string): { name: string; countryCode: string } | null {
  const comma = Math.max(q.lastIndexOf(','), q.lastIndexOf('،'))
  if (comma > 0) {
    const countryCode = countryCodeOf(q.slice(comma + 1))
    return countryCode ? { name: q.slice(0, comma), countryCode } : null
  }
  const words = foldText(q).split(' ')
  for (let from = Math.max(1, words.length - 4); from < words.length; from++) {
    const countryCode = countryCodeOf(words.slice(from).join(' '))
    if (countryCode) return { name: words.slice(0, from).join(' '), countryCode }
  }
  return null
}

export interface Reading {
  folded: string
  countryCode: string | null
  /** Only a part of what was typed, such as the town of a quarter. */
  isPart: boolean
}

/** What to look for in the gazetteer, most literal first; the first that finds something wins. */
export function readings(q: string): Reading[] {
  const found: Reading[] = []
  const parts = q.split(commas).map(foldText).filter(Boolean)
  const country = splitCountry(q)
  const named = country && { folded: foldText(country.name.split(commas)[0] ?? ''), countryCode: country.countryCode, isPart: false }
  if (named && parts.length > 1) found.push(named)
  found.push({ folded: foldText(q), countryCode: null, isPart: false })
  if (named && parts.length === 1) found.push(named)
  // `Croix-Rousse, Lyon`: the town is the next best answer to a quarter where no institute is.
  if (parts.length > 1) for (const folded of parts) found.push({ folded, countryCode: null, isPart: true })
  return found
    .map((reading) => ({ ...reading, folded: reading.folded.slice(0, longestQuery).trim() }))
    .filter((reading) => reading.folded !== '')
    .slice(0, 6)
}

function splits(words: readonly string[]): LocalityAsked[] {
  const found: LocalityAsked[] = []
  for (let at = words.length - 1; at > 0 && found.length < 2 * mostSplits; at--) {
    const [head, tail] = [words.slice(0, at).join(' '), words.slice(at).join(' ')]
    found.push({ name: head, town: tail }, { name: tail, town: head })
  }
  return found
}

const hardG = /[كقغگڭ]/g
/** Arabic has no letter for the g of Guéliz: where one writes ج, others write ك, ق or غ. The same with ج, after what was typed. */
const withOtherG = (asked: readonly LocalityAsked[]): LocalityAsked[] => [
  ...asked,
  ...asked.filter(({ name }) => name.search(hardG) >= 0).map((one) => ({ ...one, name: one.name.replace(hardG, 'ج') })),
]

/** What to look for among quarters and postcodes: `Croix-Rousse`, `croix rousse lyon`, `Lyon 69004`, `Ixelles, Bruxelles, Belgique`. */
export function localityReadings(q: string): { asked: LocalityAsked[]; countryCode: string | null } {
  const country = splitCountry(q)
  const text = country?.name ?? q
  const [name = '', town] = text.split(commas).map((part) => foldText(part).slice(0, longestQuery).trim())
  const asked = town ? [{ name, town }] : [{ name, town: null }, ...splits(name.split(' '))]
  return { asked: withOtherG(asked.filter((one) => one.name !== '')), countryCode: country?.countryCode ?? null }
}

/** A postcode has a digit and at least three signs; a shorter beginning says nothing yet. */
export const mayBePostcode = ({ name }: LocalityAsked): boolean => /\d/.test(name) && name.length >= 3
