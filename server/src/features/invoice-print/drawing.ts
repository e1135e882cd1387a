/** How a sheet looks on A4; the same drawing mirrored where it is read from the right. */
import { Document, Page, Path, renderToBuffer, Svg, Text, View } from '@react-pdf/renderer'
import { type Drawn, h } from './element.ts'
import { loaded, text } from './faces.ts'
import { box, type Hand, ink, openHand, type Role } from './hand.ts'
import type { Fact, Sheet, SheetLine } from './sheet.ts'

const hairline = '#E8DFD3'
const clay = '#C4674A'
const margin = 48

/** The accent of the house, beside the name of another. */
const petal = (): Drawn =>
  h(
    Svg,
    { viewBox: '0 0 48 72', style: { width: 7.5, height: 11.25, marginTop: -1, marginHorizontal: 3 } },
    h(Path, { d: 'M2 68C1 38 21 11 48 2 49 31 30 58 2 68z', fill: clay }),
  )

export function head(hand: Hand, { seller, heading, number }: Pick<Sheet, 'seller' | 'heading' | 'number'>): Drawn {
  const isShort = seller.name.length <= 26
  const fontSize = isShort ? 22.5 : seller.name.length <= 60 ? 17 : 15
  return hand.row(
    { justifyContent: 'space-between', alignItems: 'flex-start' },
    box(
      { width: 275 },
      hand.row({ marginBottom: 6 }, hand.say(seller.name, 'seller', { style: { fontSize, flexShrink: 1 } }), isShort && petal()),
      ...seller.below.map((words) => hand.say(words, 'fine')),
    ),
    box(
      { width: 215 },
      hand.say(heading, 'heading', { at: 'end', style: { fontSize: heading.length <= 8 ? 46 : 36 } }),
      hand.say(number, 'code', { at: 'end', direction: 'ltr', style: { marginTop: 5 } }),
    ),
  )
}

export const fact = (hand: Hand, { label, value, as, below }: Fact): Drawn =>
  box(
    { width: '50%', marginBottom: 14, ...hand.clear(16) },
    hand.say(label, 'fine', { style: { marginBottom: 1 } }),
    hand.say(value, as, as === 'code' ? { direction: 'ltr' } : {}),
    below !== undefined && hand.say(below, 'body'),
  )

interface Columns {
  staff: number
  amount: number
}
/** As wide as the widest amount, by the width of a figure. */
const amountWidth = (lines: readonly SheetLine[]): number =>
  Math.min(130, Math.max(70, ...lines.map(({ amount }) => amount.length * 6.1 + 8)))

function tableRow(hand: Hand, line: SheetLine, { staff, amount }: Columns, isHead: boolean): Drawn {
  const role = (of: Role): Role => (isHead ? 'fine' : of)
  return hand.row(
    { alignItems: 'flex-start' },
    box({ flexGrow: 1, flexBasis: 0, ...hand.clear(12) }, hand.say(line.name, role('strong'))),
    staff > 0 && box({ width: staff }, hand.say(line.staff, role('body'))),
    box({ width: 34 }, hand.say(line.quantity, role('body'), { at: 'end' })),
    box({ width: 46 }, hand.say(line.rate, role('body'), { at: 'end' })),
    box({ width: amount }, hand.say(line.amount, role('strong'), { at: 'end' })),
  )
}

function table(hand: Hand, { heads, lines }: Sheet): Drawn {
  const columns = { staff: lines.some(({ staff }) => staff !== '') ? 78 : 0, amount: amountWidth(lines) }
  const ruled = (width: number, color: string): Record<string, string | number> => ({ borderBottomWidth: width, borderBottomColor: color })
  return box(
    { marginTop: 16 },
    // Repeated on every page that lines stand on.
    h(View, { fixed: true, style: { ...ruled(1.1, ink), paddingBottom: 7 } }, tableRow(hand, heads, columns, true)),
    ...lines.map((line) =>
      h(View, { wrap: false, style: { ...ruled(0.75, hairline), paddingVertical: 8.5 } }, tableRow(hand, line, columns, false)),
    ),
  )
}

function paid(hand: Hand, { payments }: Sheet): Drawn {
  if (!payments) return null
  return box(
    { marginBottom: 16 },
    hand.say(payments.title, 'fine', { style: { marginBottom: 3 } }),
    ...payments.rows.map(({ method, below, amount }) =>
      hand.row(
        { paddingVertical: 3.5 },
        box({ flexGrow: 1, flexBasis: 0 }, hand.say(method, 'body'), hand.say(below, 'fine')),
        box({ width: 110 }, hand.say(amount, 'body', { at: 'end' })),
      ),
    ),
  )
}

function rates(hand: Hand, { rates: { title, heads, rows } }: Sheet): Drawn {
  const cells = (words: readonly string[], role: Role): Drawn =>
    hand.row(
      { paddingVertical: 2.5 },
      ...words.map((one, index) => box({ width: index === 0 ? '16%' : '28%' }, hand.say(one, role, { at: index === 0 ? 'start' : 'end' }))),
    )
  return box(
    {},
    hand.say(title, 'fine', { style: { marginBottom: 3 } }),
    box({ borderBottomWidth: 0.75, borderBottomColor: hairline }, cells(heads, 'fine')),
    ...rows.map((row) => cells(row, 'figure')),
  )
}

function totals(hand: Hand, { totals: { net, vat, total, left } }: Sheet): Drawn {
  const pair = ([label, amount]: readonly [string, string], roleOfLabel: Role, role: Role): Drawn =>
    hand.row(
      { marginBottom: 4 },
      box({ flexGrow: 1, flexBasis: 0 }, hand.say(label, roleOfLabel)),
      box({ width: 110 }, hand.say(amount, role, { at: 'end' })),
    )
  const [label, amount] = total
  return box(
    { width: 200 },
    pair(net, 'label', 'body'),
    pair(vat, 'label', 'body'),
    box({ borderTopWidth: 0.75, borderTopColor: hairline, marginTop: 5, paddingTop: 7 }, hand.say(label, 'label')),
    // A figure of the display face is half as wide as it is high.
    hand.say(amount, 'total', { style: { fontSize: Math.min(39, 385 / amount.length), marginTop: 1 } }),
    left && box({ marginTop: 7 }, pair(left, 'body', 'strong')),
  )
}

function foot(hand: Hand, { legal, seal }: Sheet): Drawn {
  const place = { position: 'absolute', bottom: 33, left: margin, right: margin } as const
  const page = ({ pageNumber, totalPages }: { pageNumber: number; totalPages: number }): string => `${pageNumber} / ${totalPages}`
  return h(
    View,
    { fixed: true, style: { ...place, borderTopWidth: 0.75, borderTopColor: hairline, paddingTop: 10 } },
    legal !== '' && box({ marginBottom: 6 }, hand.say(legal, 'fine')),
    hand.row(
      {},
      box({ flexGrow: 1, flexBasis: 0 }, hand.say(seal, 'fine')),
      h(Text, { style: { width: 60, fontSize: 9.25, textAlign: hand.isRtl ? 'left' : 'right' }, render: page }),
    ),
  )
}

/** A PDF of the sheet; it tells no time of its own, so that the same sheet gives the same bytes. */
export async function draw(sheet: Sheet): Promise<Uint8Array> {
  await loaded
  const hand = openHand(sheet.locale === 'ar')
  const madeAt = new Date(`${sheet.day}T12:00:00Z`)
  const about = { title: sheet.title, author: sheet.seller.name, language: sheet.locale, creator: 'Soigné', producer: 'Soigné' }
  const page = { paddingTop: margin, paddingHorizontal: margin, paddingBottom: 104, fontFamily: text, color: ink }
  return renderToBuffer(
    h(
      Document,
      { ...about, creationDate: madeAt, modificationDate: madeAt },
      h(
        Page,
        { size: 'A4', style: page },
        head(hand, sheet),
        hand.row({ flexWrap: 'wrap', marginTop: 40 }, ...sheet.facts.map((one) => fact(hand, one))),
        table(hand, sheet),
        h(
          View,
          { wrap: false, style: { marginTop: 22 } },
          hand.row({ justifyContent: 'space-between' }, box({ width: 250 }, paid(hand, sheet), rates(hand, sheet)), totals(hand, sheet)),
        ),
        box({ flexGrow: 1 }),
        sheet.thanks !== null && h(View, { wrap: false, style: { marginTop: 24 } }, hand.say(sheet.thanks, 'thanks')),
        foot(hand, sheet),
      ),
    ),
  )
}
