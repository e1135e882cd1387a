/** Codes of gift cards: fifteen characters by chance and one that proves them, in four groups. */
import { randomInt } from 'node:crypto'

/** Figures and letters that nobody takes for another. As many as a prime, so that the proof finds every character that is wrong and any two that changed places. */
const alphabet = '023456789ABCDEFGHJKMNPQRSTVWXYZ'
const length = 16

/** Each by its place; of a code it is a multiple of the number of characters. */
const proofOf = (values: readonly number[]): number =>
  values.reduce((sum, value, place) => (sum + value * (place + 1)) % alphabet.length, 0)

/** Nobody guesses it: one of 31¹⁵. */
export function newCode(): string {
  const values = Array.from({ length: length - 1 }, () => randomInt(alphabet.length))
  const before = proofOf(values)
  const last = alphabet.split('').findIndex((_, value) => (before + value * length) % alphabet.length === 0)
  return [...values, last].map((value) => alphabet.charAt(value)).join('')
}

/** A code as it was typed or read aloud; null where it is none. */
export function codeFrom(typed: string): string | null {
  const code = typed
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}.]/gu, '')
    .replaceAll('O', '0')
  const values = code.split('').map((one) => alphabet.indexOf(one))
  return code.length === length && !values.includes(-1) && proofOf(values) === 0 ? code : null
}

/** `7KQM-2XNR-84DT-ZC5W` */
export const groupedCode = (code: string): string => (code.match(/.{4}/g) ?? []).join('-')
/** Tells cards apart. */
export const endingOf = (code: string): string => code.slice(-4)
