/** Invoices on paper; being written. */
import type { Locale } from '@soigne/contract/wire'
import { refuse } from '#/platform/refuse.ts'

export interface PrintedDocument {
  kind: 'invoice' | 'credit_note'
  number: string
  corrects: { number: string; day: string } | null
  day: string
  locale: Locale
  currency: string
  seller: {
    name: string
    legalName: string | null
    vatNumber: string | null
    address: string
    phone: string | null
    email: string | null
  }
  client: string | null
  lines: { name: string; staffName: string | null; quantity: number; amount: number; vatBasisPoints: number; vat: number }[]
  total: number
  vat: number
  payments: {
    kind: 'deposit' | 'payment' | 'refund'
    method: 'card' | 'paypal' | 'klarna' | 'cash' | 'terminal'
    amount: number
    day: string
  }[]
  reason: string | null
  seal: string
}
export async function printDocument(_document: PrintedDocument): Promise<Uint8Array> {
  throw refuse('unavailable')
}
