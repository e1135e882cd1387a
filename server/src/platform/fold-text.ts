// Folds text to the form it is searched by, so that case, accents and Arabic spelling habits never hide a match.

const latinLigatures: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
}

const arabicLetters: Readonly<Record<string, string>> = {
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ئ: 'ي',
  ؤ: 'و',
  ة: 'ه',
  ک: 'ك',
  ھ: 'ه',
  ہ: 'ه',
}

const ligature = /[ßæœøđðþłħıŋ]/g
// Combining marks (Latin accents, Arabic tashkeel and the hamza and madda that NFKD splits off) and the tatweel.
const marks = /[\p{M}\u0640]/gu
const arabicVariant = /[ٱىیئؤةکھہ]/g
const notWord = /[^\p{L}\p{N}]+/gu

/** The searched form: lower case, no accents, one letter for each Arabic variant, single spaces, no punctuation. */
export function foldText(text: string): string {
  return text
    .toWellFormed()
    .toLowerCase()
    .replace(arabicVariant, (letter) => arabicLetters[letter] ?? letter)
    .normalize('NFKD')
    .replace(marks, '')
    .replace(ligature, (letter) => latinLigatures[letter] ?? letter)
    .replace(notWord, ' ')
    .trim()
}

/** Longer words are cut. */
const longestWord = 40

/** The Arabic article says nothing of what is meant. */
export const withoutArticle = (word: string): string => (word.length > 4 && word.startsWith('ال') ? word.slice(2) : word)

/** The folded words of a text without the Arabic article, each once. */
export function foldedWords(text: string): string[] {
  const words = foldText(text)
    .split(' ')
    .filter(Boolean)
    .map((word) => withoutArticle(word).slice(0, longestWord))
  return [...new Set(words)]
}
