/**
 * Passwords everybody tries first: 572 known favourites (English, French, keyboard walks, names, clubs), and common
 * words with the endings people add to reach a length: about 19,500 of at least ten characters in all. Rules find the rest.
 */
import listed from './common-passwords.json' with { type: 'json' }

const common = new Set<string>([
  ...listed.whole,
  ...listed.words.flatMap((word) => [word + word, ...listed.endings.map((ending) => word + ending)]),
])
const brand = 'soigne'
const runs = [
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'qsdfghjklm',
  'zxcvbnm',
  'wxcvbn',
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
].flatMap((run) => [run, [...run].reverse().join('')])

const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().normalize('NFC')

/** One short piece over and over: `aaaaaaaaaa`, `1212121212`, `abcabcabcabc`. */
function isRepeated(text: string): boolean {
  for (let size = 1; size <= 4; size++) {
    if (
      text ===
      text
        .slice(0, size)
        .repeat(Math.ceil(text.length / size))
        .slice(0, text.length)
    )
      return true
  }
  return false
}

/** Keys that lie side by side, from the first to the last character. */
const isRun = (text: string): boolean => runs.some((run) => run.repeat(2).includes(text))

/** Whether a password is easy to guess, for the person with this email. Nothing is asked of its composition. */
export function isCommonPassword(password: string, email: string): boolean {
  const text = fold(password)
  const address = fold(email)
  const local = address.slice(0, Math.max(0, address.lastIndexOf('@')))
  if (text === address || text === local || text === fold(local).replace(/[^\p{L}\p{N}]/gu, '')) return true
  // The name of the site with figures and signs around it.
  const core = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  if (core === brand || core === brand.repeat(2)) return true
  return common.has(text) || isRepeated(text) || isRun(text)
}
