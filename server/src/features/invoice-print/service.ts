/** Prints invoices, credit notes and gift cards as PDF. What stands on them is given: nothing is read, and no amount is reckoned anew. */
import type { SaleMethod } from '@soigne/contract/sales'
import type { Locale } from '@soigne/contract/wire'
import { LostWork } from '#/platform/process-pool.ts'
import { refuse } from '#/platform/refuse.ts'
import { cardSheetOf, type PrintedCard } from './card-sheet.ts'
import { openPrinter, type Printable } from './printer.ts'
import { sheetOf } from './sheet.ts'

export { faceFile } from './face-files.ts'

/** An invoice or a credit note as it was issued; amounts are minor units of its currency, days those of the institute's calendar. */
export interface PrintedDocument {
  kind: 'invoice' | 'credit_note'
  /** F-2026-0412 or A-2026-0031. */
  number: string
  /** The invoice of a credit note. */
  corrects: { number: string; day: string } | null
  day: string
  locale: Locale
  currency: string
  seller: {
    name: string
    legalName: string | null
    vatNumber: string | null
    /** One line or several. */
    address: string
    phone: string | null
    email: string | null
  }
  client: string | null
  /** Amounts with VAT, for all of the quantity; below zero for a discount, and throughout a credit note. */
  lines: { name: string; staffName: string | null; quantity: number; amount: number; vatBasisPoints: number; vat: number }[]
  total: number
  vat: number
  /** Above zero, whichever way the money went. */
  payments: { kind: 'deposit' | 'payment' | 'refund'; method: SaleMethod; amount: number; day: string }[]
  reason: string | null
  /** First 16 hex digits of the document's hash, printed small. */
  seal: string
}

/** One for the server; its process starts with the first document and holds nothing open. */
const printer = openPrinter()

/** @throws unavailable when the process that prints is lost or has too much to do */
async function print(sheet: Printable): Promise<Uint8Array> {
  try {
    return await printer.print(sheet)
  } catch (error) {
    if (error instanceof LostWork) throw refuse('unavailable', undefined, { retryAfter: 3 })
    throw error
  }
}

/** The document as a PDF: the same bytes each time. @throws unavailable */
export const printDocument = (document: PrintedDocument): Promise<Uint8Array> => print(sheetOf(document))
/** A gift card with its code, the same bytes each time. @throws unavailable */
export const printGiftCard = (card: PrintedCard): Promise<Uint8Array> => print(cardSheetOf(card))
