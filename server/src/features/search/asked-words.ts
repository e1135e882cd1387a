// The words somebody typed, and how well a text answers them: accents, case, small typing errors and the Arabic article do not matter.
import { foldedWords, foldText, withoutArticle } from '#/platform/fold-text.ts'

/** Words that say nothing of what is wanted. */
const emptyWords = new Set([
  'a',
  'an',
  'and',
  'at',
  'for',
  'in',
  'my',
  'near',
  'of',
  'the',
  'to',
  'with',
  'au',
  'avec',
  'aux',
  'chez',
  'de',
  'des',
  'du',
  'en',
  'et',
  'la',
  'le',
  'les',
  'pour',
  'un',
  'une',
  'في',
  'من',
  'مع',
  'و',
  'على',
])
/** A longer text is cut: nobody means more. */
const mostWords = 8
const longestWord = 40
/** Below this a word answers another. */
const alike = 0.6

/** The folded words that carry meaning; none when the text has no letter or digit. */
export function askedWords(text: string): string[] {
  const words = foldedWords(text.slice(0, 400))
  // One letter is what an apostrophe leaves: l’atelier, d’amande.
  const meaning = words.filter((word) => word.length > 1 && !emptyWords.has(word))
  return (meaning.length > 0 ? meaning : words).slice(0, mostWords)
}

/** Edits (a letter more, less, other, or two swapped) between two words. */
function edits(a: string, b: string): number {
  const width = b.length + 1
  const rows = new Uint16Array((a.length + 1) * width)
  for (let i = 0; i <= a.length; i++) rows[i * width] = i
  for (let j = 0; j <= b.length; j++) rows[j] = j
  const at = (i: number, j: number): number => rows[i * width + j] ?? 0
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let least = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, at(i - 2, j - 2) + 1)
      rows[i * width + j] = least
    }
  }
  return at(a.length, b.length)
}

function likenessOf(asked: string, given: string): number {
  const word = withoutArticle(given)
  if (asked === word) return 1
  if (asked.length >= 3 && word.startsWith(asked)) return 0.95
  const longer = Math.max(asked.length, word.length)
  if (asked.length < 3 || Math.abs(asked.length - word.length) > 2 || longer > longestWord) return 0
  const likeness = 1 - edits(asked, word) / longer
  return likeness >= alike ? likeness * 0.95 : 0
}

/** Answers how well texts fit the asked words, 0…1, remembering words it has met: menus repeat themselves. */
export function fitting(words: readonly string[]): (texts: readonly { text: string; weight: number }[]) => number {
  const known = new Map<string, number[]>()
  const likenesses = (given: string): number[] => {
    let values = known.get(given)
    if (!values) known.set(given, (values = words.map((asked) => likenessOf(asked, given))))
    return values
  }
  return (texts) => {
    const best = words.map(() => 0)
    for (const { text, weight } of texts) {
      for (const given of foldText(text).split(' '))
        likenesses(given).forEach((value, at) => (best[at] = Math.max(best[at] ?? 0, value * weight)))
    }
    return words.length === 0 ? 0 : best.reduce((sum, value) => sum + value, 0) / words.length
  }
}
