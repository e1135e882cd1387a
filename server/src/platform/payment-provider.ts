/** Whoever takes money for institutes: what the product asks of a provider, and what it hears from one. Amounts are minor units of the currency beside them. */
import type {
  disputeReasons,
  Locale,
  Money,
  PaymentMethod,
  payoutMoveKinds,
  payoutProblems,
  payoutStates,
  RefundRefusal,
} from '@soigne/contract/wire'
import type { Instant } from '@soigne/contract/time'

/** A page on which a client pays. The same key is the same page, however often it is asked for. */
export interface PageOrder {
  checkoutId: string
  instituteId: string
  /** How the provider calls the institute; null where it has none of its own there. */
  accountId: string | null
  /** 0: nothing is paid, a card is only kept. */
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
  /** The card is kept, to be charged without its owner. */
  keepsCard: boolean
}

/** A card as its provider keeps it: what it calls it, and what may be shown of it. */
export interface KeptCard {
  token: string
  brand: string
  lastFour: string
}

/** Takes money of a card that was kept, while its owner is not there. The same key is the same charge, however often it is asked for. */
export interface ChargeOrder {
  checkoutId: string
  instituteId: string
  accountId: string | null
  /** How the provider calls the card. */
  token: string
  amount: number
  currency: string
  description: string
}

/** What became of a charge. `asks`: nothing was taken, since the bank wants the owner of the card to confirm it. */
export type ChargeState = { state: 'paid'; reference: string; amount: number; currency: string } | { state: 'failed' | 'asks' }

/** How the provider calls what it makes of a refund: null where it makes nothing. */
export interface RefundAnswer {
  reference: string | null
  state: 'done' | 'waiting' | 'failed'
  why?: RefundRefusal | null
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
  | { state: 'paid'; reference: string; amount: number; currency: string; card?: KeptCard | undefined }
  | { state: 'failed' | 'cancelled' | 'expired' }

export type DisputeReason = (typeof disputeReasons)[number]

/** A word of the provider. Each has an id of its own and comes late, twice and out of order. */
export type ProviderWord = {
  id: string
  /** When it happened there. */
  at: Instant
} & (
  | { kind: 'page'; checkoutId: string; page: PageState }
  | { kind: 'charge'; checkoutId: string; charge: ChargeState }
  /** `reference`: how it calls this try of the refund, where it says so. */
  | { kind: 'refund'; refundId: string; state: 'done' | 'failed'; reference?: string; why?: RefundRefusal | null }
  /** The bank of who paid takes money back, until it has decided; `reference` is the payment. */
  | {
      kind: 'dispute'
      disputeId: string
      reference: string
      accountId: string | null
      amount: number
      currency: string
      state: 'open' | 'won' | 'lost'
      why: DisputeReason | null
      answerBy: Instant | null
    }
  /** Something about an institute's account is different: what it is now is asked for. */
  | { kind: 'account'; accountId: string }
  /** A payout to the bank of an institute is made, there or refused: what it is now is asked for. */
  | { kind: 'payout'; accountId: string }
  /** Something the product has no answer to; it is kept. */
  | { kind: 'other'; name: string }
)

/** Money as a provider moved it: a payment that came, or a part of one that went back. */
export interface ProviderMove {
  kind: 'payment' | 'refund'
  /** How the provider calls it, and the payment it is or is of. */
  reference: string
  paymentReference: string
  /** The checkout or refund of this site that it was asked for; null where the site did not mark it. */
  ownId: string | null
  amount: number
  currency: string
  /** When the provider began it. */
  at: Instant
}

/** Whose payouts: a provider with accounts is asked about one, any other tells institutes apart by themselves. */
export interface PaidOut {
  instituteId: string
  accountId: string | null
}
/** Money that a provider sends to the bank of an institute. */
export interface ProviderPayout {
  reference: string
  /** Below 0 where it is taken from the bank. */
  amount: number
  currency: string
  state: (typeof payoutStates)[number]
  problem: (typeof payoutProblems)[number] | null
  /** When it was made. */
  at: Instant
  /** The day, in UTC, on which the bank has it or is meant to. */
  arrivesOn: string
}
/** A part of a payout: it adds up to its amounts less their fees. */
export interface ProviderPayoutMove {
  reference: string
  kind: (typeof payoutMoveKinds)[number]
  /** The payment it is or is of; null where it is of none. */
  paymentReference: string | null
  /** Before fees; what went away is below 0. */
  amount: number
  fees: { provider: number; site: number; tax: number }
  /** What it is, in the provider's words, where it is of no payment. */
  said: string | null
  at: Instant
}

/** What an institute's account may do at the provider. */
export interface AccountFacts {
  takesPayments: boolean
  /** What it took goes on to its bank. */
  paysOut: boolean
}
/** Accounts of institutes at a provider, each of which is a house of its own there. */
export interface PaymentAccounts {
  /** Makes one and says how the provider calls it. The same key is the same account. */
  make(institute: { instituteId: string; countryCode: string }, key: string): Promise<string>
  /** A page on which its owner tells the provider what it has to know, for some minutes; it leads back. */
  onboardingUrl(accountId: string, returnUrl: string): Promise<string>
  /** Null where the provider knows it no more, or this site may not ask about it. */
  read(accountId: string): Promise<AccountFacts | null>
}

export interface PaymentProvider {
  readonly name: 'sandbox' | 'stripe'
  /** Null where institutes need no account of their own. */
  readonly accounts: PaymentAccounts | null
  /** Whether it can move such an amount; absent where it moves every one. */
  canTake?(amount: number, currency: string): boolean
  /** Opens a page; its own id and where it is. */
  openPage(order: PageOrder, key: string): Promise<{ pageId: string; url: string }>
  /** Ends an open page, so that nothing can be paid on it any more; says what became of it, since it may have been paid meanwhile. */
  closePage(pageId: string, accountId: string | null): Promise<PageState>
  /** What became of a page, asked for: the word may have been lost. */
  pageState(pageId: string, accountId: string | null): Promise<PageState>
  charge(order: ChargeOrder, key: string): Promise<ChargeState>
  /** From now on it is charged no more; again and again with the same outcome. */
  forgetCard(token: string, accountId: string | null): Promise<void>
  refund(order: RefundOrder, key: string): Promise<RefundAnswer>
  /** All that came and went back on an account, of what was begun from one instant until before another. */
  moves(accountId: string | null, from: Instant, until: Instant): Promise<ProviderMove[]>
  /** What was sent to the bank, of what was made from an instant on. */
  payouts(of: PaidOut, from: Instant): Promise<ProviderPayout[]>
  /** What it has of an institute and has put in no payout yet, by currency, less its fees: below 0 where more went away than came, and never 0. Null where it holds nothing for the institute apart. */
  waiting(of: PaidOut): Promise<Money[] | null>
  /** What one is made up of; null where the provider does not say. */
  payoutMoves(of: PaidOut, reference: string): Promise<ProviderPayoutMove[] | null>
  /** Reads a word from its bytes. @throws when it is forged, stale, of a test where it is real, or nothing it could be */
  readWord(bytes: Uint8Array, headers: Readonly<Record<string, string | string[] | undefined>>, now: Instant): ProviderWord
}

/** Whether institutes can be paid online on an account of their own alone; null where nobody can be paid online at all. */
export const needsAccount = (provider: PaymentProvider | null): boolean | null => provider && provider.accounts !== null

/** Whether an amount can be paid online at all, so that none is offered that is refused after the click. */
export const takesAmount = (provider: PaymentProvider | null, amount: number, currency: string): boolean =>
  provider !== null && (provider.canTake?.(amount, currency) ?? true)
