/** The file an accountant gets: a row for each line of each document, with what is added up on screen and on paper. */
import type { Period } from '@soigne/contract/dashboard'
import type { Locale } from '@soigne/contract/wire'
import { writeCsv } from '#/features/customers/service.ts'
import { numberText } from '#/features/ledger/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { translate } from '#/texts/translate.ts'
import { exportedLines } from './export-store.ts'
import { nameIn } from './reading.ts'
import { stretchOf } from './service.ts'

const columns = [
  'number',
  'kind',
  'day',
  'client',
  'line',
  'staff',
  'quantity',
  'net',
  'vatRate',
  'vat',
  'gross',
  'currency',
  'paidBy',
] as const

export async function exportSales(
  context: AppContext,
  scope: InstituteScope<'sales.read'>,
  period: Period,
  locale: Locale,
): Promise<string> {
  const { db } = context.database
  const { fromDay, toDay, currency } = await stretchOf(db, scope, period, context.clock.now())
  const digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  const decimal = (amount: number): string => (amount / 10 ** digits).toFixed(digits)
  const word = (key: string): string => translate(locale, 'salesFile', key as (typeof columns)[number])
  const rows = (await exportedLines(db, scope, fromDay, toDay)).map((line) => [
    numberText(line),
    word(line.kind),
    line.day,
    line.client ?? '',
    nameIn(line.name, locale),
    line.staffName ?? '',
    String(line.quantity),
    decimal(line.amount - line.vat),
    (line.vatBasisPoints / 100).toFixed(2),
    decimal(line.vat),
    decimal(line.amount),
    line.currency,
    line.methods.map(word).join(', '),
  ])
  return writeCsv([columns.map(word), ...rows])
}
