/** The faces of printed documents, by script, and the letters they have. */
import { Font } from '@react-pdf/renderer'
import anyAscii from 'any-ascii'
import { faceFile } from './face-files.ts'

const scripts = ['latin', 'latin-ext', 'vietnamese', 'arabic']

for (const script of scripts) {
  Font.register({ family: `display ${script}`, src: faceFile(`display-${script}`) })
  for (const fontWeight of [400, 600])
    Font.register({ family: `text ${script}`, fontWeight, src: faceFile(`text-${script}-${fontWeight}`) })
}
Font.register({ family: 'display italic', src: faceFile('display-italic-latin') })

/** A word of which a line has no room is parted; no other is. */
const longest = 16
const graphemes = new Intl.Segmenter()
Font.registerHyphenationCallback((word) => {
  if (word.length <= longest) return [word]
  const letters = Array.from(graphemes.segment(word), ({ segment }) => segment)
  return Array.from({ length: Math.ceil(letters.length / longest) }, (_, part) =>
    letters.slice(part * longest, (part + 1) * longest).join(''),
  )
})

/** A letter is taken from the first face that has it. */
export const text = scripts.map((script) => `text ${script}`)
export const display = [...scripts.map((script) => `display ${script}`), ...text]
export const italic = ['display italic', ...display]

const known = new Map<string, boolean>()
const hasFace = (letter: string): boolean => {
  const before = known.get(letter)
  if (before !== undefined) return before
  const point = letter.codePointAt(0) ?? 0
  const has = text.some((fontFamily) => Font.getFont({ fontFamily, fontWeight: 400 })?.data?.hasGlyphForCodePoint(point) ?? false)
  known.set(letter, has)
  return has
}

/** Everything that may be asked for, once: a drawing then finds it at hand. */
export const loaded = Promise.all([
  ...display.map((fontFamily) => Font.load({ fontFamily, fontWeight: 400 })),
  ...text.map((fontFamily) => Font.load({ fontFamily, fontWeight: 600 })),
  Font.load({ fontFamily: 'display italic' }),
])

const unseen = /[\p{Default_Ignorable_Code_Point}\n ]/u
/** Letters of other scripts in Latin ones, as no face has them; signs that are pictures are left out. */
export const printable = (words: string): string =>
  words
    .replaceAll(/[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F\u200D]/gu, (sign) => (hasFace(sign) ? sign : ''))
    .replaceAll(/./gsu, (letter) => (unseen.test(letter) || hasFace(letter) ? letter : anyAscii(letter)))
