/** Sets words on a sheet in the direction it is read; each word in its own. */
import { type Styles, Text, View } from '@react-pdf/renderer'
import { type Drawn, h } from './element.ts'
import { display, italic, printable } from './faces.ts'

export const ink = '#1D1519'
const quiet = '#5D5158'

type Style = Styles[string]
type Direction = 'ltr' | 'rtl'

/** Sizes are points. Nothing in the display face is smaller than 15. */
const roles = {
  fine: { fontSize: 9.25, lineHeight: 1.4, color: quiet },
  figure: { fontSize: 9.25, lineHeight: 1.4 },
  body: { fontSize: 10.5, lineHeight: 1.4 },
  label: { fontSize: 10.5, lineHeight: 1.4, color: quiet },
  strong: { fontSize: 10.5, lineHeight: 1.4, fontWeight: 600 },
  name: { fontSize: 11.5, lineHeight: 1.35, fontWeight: 600 },
  code: { fontSize: 11.5, lineHeight: 1.35, fontWeight: 600 },
  date: { fontFamily: display, fontSize: 18, lineHeight: 1.2 },
  seller: { fontFamily: display, fontSize: 22.5, lineHeight: 1.1, letterSpacing: -0.3 },
  heading: { fontFamily: display, fontSize: 46, lineHeight: 1.05, letterSpacing: -1.2 },
  total: { fontFamily: display, fontSize: 39, lineHeight: 1.1, letterSpacing: -0.6 },
  thanks: { fontFamily: italic, fontSize: 19, lineHeight: 1.25 },
} satisfies Record<string, Style>
export type Role = keyof typeof roles

const readFromRight = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
/** As its first letter is read. */
const directionOf = (words: string): Direction => (readFromRight.test(/\p{L}/u.exec(words)?.[0] ?? '') ? 'rtl' : 'ltr')

interface Piece {
  words: string
  direction: Direction | undefined
}
/** What stands between marks of isolation, and the rest. */
const piecesOf = (words: string): Piece[] =>
  [...words.matchAll(/([\u2066-\u2068])?([^\u2066-\u2069]+)/g)]
    .map(([, mark, part = '']): Piece => ({
      words: part.trim(),
      direction: mark === '\u2066' ? 'ltr' : mark === '\u2067' ? 'rtl' : undefined,
    }))
    .filter(({ words: part }) => part !== '')

interface Setting {
  /** Where they stand in their place, as the page is read. */
  at?: 'start' | 'end'
  direction?: Direction | undefined
  style?: Style
}

export interface Hand {
  isRtl: boolean
  say(words: string, role: Role, setting?: Setting): Drawn
  /** Room where reading ends. */
  clear(points: number): Style
  /** Children one beside the other, the first where reading begins. */
  row(style: Style, ...children: Drawn[]): Drawn
}

export const box = (style: Style, ...children: Drawn[]): Drawn => h(View, { style }, ...children)

export function openHand(isRtl: boolean): Hand {
  const across = isRtl ? 'row-reverse' : 'row'
  const row = (style: Style, ...children: Drawn[]): Drawn => box({ flexDirection: across, ...style }, ...children)

  const set = (words: string, style: Style, direction = directionOf(words)): Drawn => {
    // Letters of Arabic hold on to each other, and their display face is small for its size.
    const size = Number(style.fontSize)
    const inArabic = readFromRight.test(words) ? { letterSpacing: 0, fontSize: size >= 15 ? size * 1.1 : size } : {}
    return h(Text, { style: { ...style, ...inArabic, direction } }, printable(words))
  }
  return {
    isRtl,
    row,
    clear: (points) => (isRtl ? { paddingLeft: points } : { paddingRight: points }),
    say(words, role, { at = 'start', direction, style = {} } = {}) {
      const look: Style = { ...roles[role], ...style }
      const [first, ...more] = piecesOf(words)
      const textAlign = (at === 'start') === isRtl ? 'right' : 'left'
      if (more.length === 0) return set(first?.words ?? '', { ...look, textAlign }, first?.direction ?? direction)
      // No face has the marks that isolate: each piece is set by itself.
      const place = {
        flexWrap: 'wrap',
        alignItems: 'flex-end',
        justifyContent: at === 'start' ? 'flex-start' : 'flex-end',
        columnGap: Number(look.fontSize) * 0.26,
      } as const
      return row(place, ...piecesOf(words).map((piece) => set(piece.words, { ...look, flexShrink: 1, textAlign: 'left' }, piece.direction)))
    },
  }
}
