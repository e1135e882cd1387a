// What somebody searches for, as a pattern of all its spellings: over many texts it costs a tenth of folding each of them.
import { foldText } from './fold-text.ts'

/** Letters with accents, ligatures, and the letters of Arabic. */
const alphabets: readonly (readonly [first: number, last: number])[] = [
  [0x00_df, 0x02_4f],
  [0x06_21, 0x06_d3],
  [0x1e_00, 0x1e_ff],
]
/** Accents that stand apart, the vowels of Arabic, and what only lengthens a word. */
const marks = '[\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0640]*'

/** By what they are folded to, one letter or two: the letters that are. */
const spelt = new Map<string, string>()
for (const [first, last] of alphabets)
  for (let code = first; code <= last; code++) {
    const letter = String.fromCodePoint(code)
    const folded = foldText(letter)
    if (folded !== letter && folded.length > 0 && folded.length <= 2 && letter === letter.toLowerCase())
      spelt.set(folded, (spelt.get(folded) ?? '') + letter)
  }

const letterPattern = (letter: string): string => `[${letter}${spelt.get(letter) ?? ''}]${marks}`

/**
 * For `~*` with a collation that knows letters: finds what folds to the same, whatever stands between its words. Null for a text without a letter or digit.
 */
export function spellingsOf(text: string): string | null {
  const folded = foldText(text)
  const parts: string[] = []
  for (let at = 0; at < folded.length;) {
    const letter = String.fromCodePoint(folded.codePointAt(at) ?? 0)
    const pair = folded.slice(at, at + 2)
    const ligatures = pair.length === 2 ? spelt.get(pair) : undefined
    if (ligatures !== undefined) parts.push(`(?:${[...pair].map(letterPattern).join('')}|[${ligatures}]${marks})`)
    else parts.push(letter === ' ' ? '[^[:alnum:]]+' : letterPattern(letter))
    at += ligatures === undefined ? letter.length : pair.length
  }
  return parts.length === 0 ? null : parts.join('')
}
