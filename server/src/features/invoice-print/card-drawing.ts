/** How a gift card looks: half a sheet, its code large enough to be read aloud. */
import { Document, Page, renderToBuffer } from '@react-pdf/renderer'
import type { CardSheet } from './card-sheet.ts'
import { fact, head } from './drawing.ts'
import { h } from './element.ts'
import { loaded, text } from './faces.ts'
import { box, ink, openHand } from './hand.ts'

/** A PDF of the card; it tells no time of its own, so that the same card gives the same bytes. */
export async function drawCard(sheet: CardSheet): Promise<Uint8Array> {
  await loaded
  const hand = openHand(sheet.locale === 'ar')
  const madeAt = new Date(`${sheet.day}T12:00:00Z`)
  const about = { title: sheet.title, author: sheet.seller.name, language: sheet.locale, creator: 'Soigné', producer: 'Soigné' }
  return renderToBuffer(
    h(
      Document,
      { ...about, creationDate: madeAt, modificationDate: madeAt },
      h(
        Page,
        { size: 'A5', orientation: 'landscape', style: { padding: 40, fontFamily: text, color: ink } },
        head(hand, { seller: sheet.seller, heading: sheet.heading, number: '' }),
        box({ flexGrow: 1 }),
        hand.say(sheet.amount, 'total'),
        box(
          { marginTop: 14, marginBottom: 16 },
          hand.say(sheet.codeLabel, 'fine', { style: { marginBottom: 2 } }),
          hand.say(sheet.code, 'code', { direction: 'ltr', style: { fontSize: 19, letterSpacing: 1 } }),
        ),
        hand.row({}, ...sheet.facts.map((one) => fact(hand, one))),
        hand.say(sheet.how, 'fine'),
      ),
    ),
  )
}
