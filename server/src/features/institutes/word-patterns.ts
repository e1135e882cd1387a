// Patterns by which a folded word is found among the words of a search text, which bars and spaces keep apart. Folded words are letters and digits only.

const begin = '(^|[| ])'
const end = '([| ]|$)'

/** The word, one that begins with it, or its singular; Arabic words with or without the article. Words of one or two letters only whole. */
export function asTyped(word: string): string {
  if (word.length < 3) return `${begin}${word}${end}`
  const singular = word.length > 4 && /[sx]$/.test(word) ? `|${word.slice(0, -1)}${end}` : ''
  return `${begin}(ال)?(${word}${singular})`
}

/** A short word with one letter wrong, missing, too many or two swapped, where trigrams are too few to tell. */
export function mistyped(word: string): string {
  const forms = new Set([word])
  for (let at = 0; at < word.length; at++) {
    const [before, letter, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)]
    forms
      .add(`${before}.${after}`)
      .add(`${before}${letter}.${after}`)
      .add(before + after)
    if (after) forms.add(before + after.charAt(0) + letter + after.slice(1))
  }
  return `${begin}(ال)?(${[...forms].join('|')})${end}`
}
