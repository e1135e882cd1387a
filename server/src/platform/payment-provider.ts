/** Whoever takes money for institutes: what the product asks of a provider, and what it hears from one. Amounts are minor units of the currency beside them. */
import type { Locale, PaymentMethod } from '@soigne/contract/wire'
import type { Instant } from '@soigne/contract/time'

/** A page on which a client pays. The same key is the same page, however often it is asked for. */
export interface PageOrder {
  checkoutId: string
  instituteId: string
  /** How the provider calls the institute; null where it has none of its own there. */
  accountId: string | null
  amount: number
  currency: string
  method: PaymentMethod
  /** What is paid for, in the client's language: the institute and when. */
  description: string
  email: string | null
  locale: Locale
  /** Where both ways out of the page lead. */
  returnUrl: string
  /** After that it takes nothing. */
  until: Instant
}

export interface RefundOrder {
  refundId: string
  accountId: string | null
  /** How the provider calls the payment. */
  reference: string
  amount: number
  currency: string
}

/** What became of a page. `reference` is how the provider calls the payment. */
export type PageState =
  | { state: 'open' }
  | { state: 'paid'; reference: string; amount: number; currency: string }
  | { state: 'failed' | 'cancelled' | 'expired' }

/** A word of the provider. Each has an id of its own and comes late, twice and out of order. */
export type ProviderWord = {
  id: string
  /** When it happened there. */
  at: Instant
} & (
  | { kind: 'page'; checkoutId: string; page: PageState }
  /** `reference`: how it calls this try of the refund, where it says so. */
  | { kind: 'refund'; refundId: string; state: 'done' | 'failed'; reference?: string }
  /** Something the product has no answer to; it is kept. */
  | { kind: 'other'; name: string }
)

export interface PaymentProvider {
  readonly name: 'sandbox' | 'stripe'
  /** Opens a page; its own id and where it is. */
  openPage(order: PageOrder, key: string): Promise<{ pageId: string; url: string }>
  /** Ends an open page, so that nothing can be paid on it any more; says what became of it, since it may have been paid meanwhile. */
  closePage(pageId: string, accountId: string | null): Promise<PageState>
  /** What became of a page, asked for: the word may have been lost. */
  pageState(pageId: string, accountId: string | null): Promise<PageState>
  refund(order: RefundOrder, key: string): Promise<{ reference: string; state: 'done' | 'waiting' | 'failed' }>
  /** Reads a word from its bytes. @throws when it is forged, stale, of a test where it is real, or nothing it could be */
  readWord(bytes: Uint8Array, headers: Readonly<Record<string, string | string[] | undefined>>, now: Instant): ProviderWord
}
