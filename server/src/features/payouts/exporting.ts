/** The parts of a payout as a file, for whoever compares them with the statement of the bank. */
import type { Locale } from '@soigne/contract/wire'
import { writeCsv } from '#/features/customers/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { translate } from '#/texts/translate.ts'
import { wholePayout } from './service.ts'
import type { PayoutScope } from './store.ts'

const columns = ['at', 'kind', 'client', 'said', 'amount', 'providerFee', 'siteFee', 'tax', 'net', 'currency', 'reference', 'sale'] as const

/** @throws not_found for one of another institute */
export async function payoutFile(context: AppContext, scope: PayoutScope, id: string, locale: Locale): Promise<string> {
  const { payout, moves } = await wholePayout(context, scope, id)
  const { currency } = payout
  const digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  const decimal = (amount: number): string => (amount / 10 ** digits).toFixed(digits)
  const word = (key: string): string => translate(locale, 'payoutFile', key as (typeof columns)[number])
  const rows = moves.map(({ at, kind, client, said, amount, providerFee, siteFee, tax, reference, saleId }) => [
    at,
    word(kind),
    client ?? '',
    said ?? '',
    decimal(amount),
    decimal(-providerFee),
    decimal(-siteFee),
    decimal(-tax),
    decimal(amount - providerFee - siteFee - tax),
    currency,
    reference,
    saleId ?? '',
  ])
  return writeCsv([columns.map(word), ...rows])
}
