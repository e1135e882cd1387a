/** Letters of Arabic as they are drawn: each in the form its neighbours ask for, the first of a word at the right. */
import { Font } from '@react-pdf/renderer'
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf'
import { beforeAll, describe, expect, it } from 'vitest'
import { loaded } from './faces.ts'
import { type PrintedDocument, printDocument } from './service.ts'

const invoice: PrintedDocument = {
  kind: 'invoice',
  number: 'F-2026-0412',
  corrects: null,
  day: '2026-11-20',
  locale: 'ar',
  currency: 'MAD',
  seller: { name: 'دار الزليج', legalName: null, vatNumber: null, address: 'جليز، مراكش', phone: null, email: null },
  client: 'يسرى',
  lines: [{ name: 'زيت لوز للأظافر', staffName: null, quantity: 1, amount: 25_000, vatBasisPoints: 2000, vat: 4167 }],
  total: 25_000,
  vat: 4167,
  payments: [{ kind: 'deposit', method: 'card', amount: 7500, day: '2026-11-18' }],
  reason: null,
  seal: '9f3a61c0e27b04d8',
}
const creditNote: PrintedDocument = {
  ...invoice,
  kind: 'credit_note',
  number: 'A-2026-0031',
  corrects: { number: 'F-2026-0396', day: '2026-12-01' },
  payments: [],
}

/** Letters of one glyph, and how wide it is, in thousandths of the size. */
interface Glyph {
  letters: string
  width: number
}
/** What stands on the first page, piece by piece, each from left to right. */
async function drawnOn(document: PrintedDocument): Promise<Glyph[]> {
  const pdf = await getDocumentProxy(new Uint8Array(await printDocument(document)))
  const { OPS } = await getResolvedPDFJS()
  const { fnArray, argsArray } = await (await pdf.getPage(1)).getOperatorList()
  return fnArray.flatMap((name: number, index: number) =>
    name === OPS.showText
      ? (argsArray[index][0] as ({ unicode: string; width: number } | number)[]).flatMap((one) =>
          typeof one === 'number' ? [] : [{ letters: one.unicode, width: Math.round(one.width) }],
        )
      : [],
  )
}

interface FaceGlyph {
  id: number
  advanceWidth: number
  codePoints: number[]
}
interface Face {
  unitsPerEm: number
  layout(words: string): { glyphs: FaceGlyph[] }
  glyphForCodePoint(point: number): FaceGlyph
}
const faceOf = (fontFamily: string, fontWeight: number): Face => Font.getFont({ fontFamily, fontWeight })?.data as unknown as Face
const glyphOf = ({ unitsPerEm }: Face, { advanceWidth, codePoints }: FaceGlyph): Glyph => ({
  letters: String.fromCodePoint(...codePoints),
  width: Math.round((advanceWidth * 1000) / unitsPerEm),
})
/** As the face joins them, and as its letters are alone; both as they stand from left to right. */
const joined = (face: Face, word: string): Glyph[] => face.layout(word).glyphs.map((one) => glyphOf(face, one))
const apart = (face: Face, word: string): Glyph[] =>
  Array.from(word, (letter) => glyphOf(face, face.glyphForCodePoint(letter.codePointAt(0) ?? 0))).toReversed()

const stands = (drawn: readonly Glyph[], wanted: readonly Glyph[]): boolean =>
  drawn.some((_, from) =>
    wanted.every(({ letters, width }, index) => drawn[from + index]?.letters === letters && drawn[from + index]?.width === width),
  )

beforeAll(async () => {
  await loaded
})

describe('Arabic on a printed document', () => {
  const words: [word: string, face: string, weight: number][] = [
    ['فاتورة', 'display arabic', 400],
    ['نوفمبر', 'display arabic', 400],
    ['المبلغ', 'text arabic', 400],
    ['المتبقي', 'text arabic', 400],
    ['القيمة', 'text arabic', 400],
    ['عربون', 'text arabic', 400],
    ['للأظافر', 'text arabic', 600],
  ]

  it.each(words)('is joined, and read from the right: %s', async (word, family, weight) => {
    const face = faceOf(family, weight)
    const drawn = await drawnOn(invoice)
    const right = joined(face, word)
    // Two letters may be one glyph, whose letters keep their order.
    expect(right.map(({ letters }) => [...letters].toReversed().join('')).join('')).toBe([...word].toReversed().join(''))
    expect(stands(drawn, right)).toBe(true)
    for (const wrong of [apart(face, word), right.toReversed()]) {
      expect(wrong).not.toEqual(right)
      expect(stands(drawn, wrong)).toBe(false)
    }
  })

  it('has another form of a letter that holds on to its neighbour, and its own of one that stands alone', () => {
    const face = faceOf('display arabic', 400)
    // From right to left: feh, alef, teh and waw hold on to another; reh and teh marbuta stand alone.
    const isOwn = face
      .layout('فاتورة')
      .glyphs.toReversed()
      .map(({ id, codePoints }) => id === face.glyphForCodePoint(codePoints[0] ?? 0).id)
    expect(isOwn).toEqual([false, false, false, false, true, true])
  })

  it('keeps numbers of documents in one piece, from left to right', async () => {
    for (const [document, numbers] of [
      [invoice, ['F-2026-0412', 'F-2026-0412']],
      [creditNote, ['A-2026-0031', 'F-2026-0396', 'A-2026-0031']],
      [{ ...creditNote, reason: `${'كلمة '.repeat(9)}A-2026-0031 كلمة` }, ['A-2026-0031', 'F-2026-0396', 'A-2026-0031', 'A-2026-0031']],
    ] as const) {
      const pdf = await getDocumentProxy(new Uint8Array(await printDocument(document)))
      const { items } = await (await pdf.getPage(1)).getTextContent()
      const found = items.flatMap((item) => ('str' in item ? (item.str.match(/[AF]-2026-\d{4}/g) ?? []) : []))
      expect(found.toSorted()).toEqual([...numbers].toSorted())
    }
  })
})
