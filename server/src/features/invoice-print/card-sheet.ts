/** What stands on a gift card, as texts in its language. */
import type { Locale } from '@soigne/contract/wire'
import { type SentenceKey, translate } from '#/texts/translate.ts'
import { openAmounts, wholeDayText } from './print-formats.ts'
import { contactOf, type Fact, plain, plainLines, type Sheet } from './sheet.ts'

export interface PrintedCard {
  locale: Locale
  seller: { name: string; address: string; phone: string | null; email: string | null }
  /** In groups, as it is read. */
  code: string
  /** What it was sold with, minor units. */
  amount: number
  currency: string
  /** Its last day. */
  validUntil: string
}

export interface CardSheet {
  locale: Locale
  title: string
  /** Of the file. */
  day: string
  heading: string
  seller: Sheet['seller']
  amount: string
  codeLabel: string
  code: string
  facts: Fact[]
  how: string
}

export function cardSheetOf({ locale, seller, code, amount, currency, validUntil }: PrintedCard): CardSheet {
  const say = (key: SentenceKey<'invoicePrint'>): string => translate(locale, 'invoicePrint', key)
  return {
    locale,
    title: say('giftCard'),
    day: validUntil,
    heading: say('giftCard'),
    seller: { name: plain(seller.name), below: [...plainLines(seller.address), contactOf(seller)].filter(Boolean) },
    amount: openAmounts(currency, locale)(amount),
    codeLabel: say('code'),
    code,
    facts: [{ label: say('validUntil'), value: wholeDayText(validUntil, locale), as: 'date' }],
    how: say('giftCardHow'),
  }
}
