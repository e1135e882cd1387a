// The letters that stand for a person until there is a photo.

const words = /[\p{L}\p{M}]+/gu
/** Scripts whose letters join: two of them would read as a word. */
const joining = /^[\p{Script=Arabic}\p{Script=Syriac}]/u

/** "Camille Rey" is CR, "Inès" I, "Jean-Luc de la Tour" JT, "سلمى العمري" س. */
export function initialsOf(name: string): string {
  const found = name.match(words) ?? []
  const [first = ''] = found
  const last = found.length > 1 ? (found.at(-1) ?? '') : ''
  const letters = joining.test(first) ? [first] : [first, last]
  return letters.map((word) => (word.match(/^\p{L}\p{M}*/u)?.[0] ?? '').toLocaleUpperCase()).join('')
}
