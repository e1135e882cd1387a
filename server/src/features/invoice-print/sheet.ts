/** What stands on a printed document, as texts in its language: nothing is counted after this but pages. */
import type { Locale } from '@soigne/contract/wire'
import { type SentenceKey, translate } from '#/texts/translate.ts'
import { openAmounts, rateText, shortDayText, wholeDayText } from './print-formats.ts'
import type { PrintedDocument } from './service.ts'

/** A label over one or two lines. */
export interface Fact {
  label: string
  value: string
  /** Set as a date or as a name. */
  as: 'date' | 'name' | 'code' | 'body'
  below?: string
}

export interface SheetLine {
  name: string
  staff: string
  quantity: string
  rate: string
  amount: string
}

export interface Sheet {
  locale: Locale
  /** Of the file, for whoever opens it. */
  title: string
  day: string
  heading: string
  number: string
  seller: { name: string; below: string[] }
  facts: Fact[]
  heads: SheetLine
  lines: SheetLine[]
  payments: { title: string; rows: { method: string; below: string; amount: string }[] } | null
  rates: { title: string; heads: string[]; rows: string[][] }
  totals: { net: [string, string]; vat: [string, string]; total: [string, string]; left: [string, string] | null }
  thanks: string | null
  /** Words of other scripts stand isolated in these two. */
  legal: string
  seal: string
}

/** What strangers typed may not turn what stands around it: marks of direction and of nothing go. */
export const plain = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu, ' ')
    .trim()
export const plainLines = (text: string): string[] => text.split(/\r?\n/).map(plain).filter(Boolean)
const isolated = (text: string): string => `\u2068${text}\u2069`
const joined = (parts: (string | null)[]): string =>
  parts.flatMap((part) => (part === null || plain(part) === '' ? [] : [isolated(plain(part))])).join(' · ')

/** Both are read from the left, one after the other, in every language. */
export const contactOf = ({ phone, email }: Pick<PrintedDocument['seller'], 'phone' | 'email'>): string =>
  [phone, email].flatMap((one) => (one && plain(one) ? [plain(one)] : [])).join(' · ')

const sum = <T>(things: readonly T[], of: (thing: T) => number): number => things.reduce((total, thing) => total + of(thing), 0)

/** The lines by their rate, the highest first; each sum is one of what the lines say. */
function byRate(lines: PrintedDocument['lines']): { basisPoints: number; gross: number; vat: number }[] {
  const rates = Map.groupBy(lines, ({ vatBasisPoints }) => vatBasisPoints)
  return [...rates]
    .map(([basisPoints, of]) => ({ basisPoints, gross: sum(of, ({ amount }) => amount), vat: sum(of, ({ vat }) => vat) }))
    .toSorted((a, b) => b.basisPoints - a.basisPoints)
}

function factsOf({ locale, day, client, corrects, reason }: PrintedDocument, say: (key: SentenceKey<'invoicePrint'>) => string): Fact[] {
  const facts: Fact[] = [{ label: say('day'), value: wholeDayText(day, locale), as: 'date' }]
  if (client && plain(client)) facts.push({ label: say('client'), value: plain(client), as: 'name' })
  if (corrects) facts.push({ label: say('original'), value: plain(corrects.number), as: 'code', below: wholeDayText(corrects.day, locale) })
  if (reason && plain(reason)) facts.push({ label: say('reason'), value: plain(reason), as: 'body' })
  return facts
}

type Say = (key: SentenceKey<'invoicePrint'>, values?: Record<string, string>) => string

function ratesOf(
  lines: PrintedDocument['lines'],
  { locale, say, amountText }: { locale: PrintedDocument['locale']; say: Say; amountText: (amount: number) => string },
): Sheet['rates'] {
  return {
    title: say('byRate'),
    heads: [say('rate'), say('net'), say('vat'), say('gross')],
    rows: byRate(lines).map((rate) => [
      rateText(rate.basisPoints, locale),
      amountText(rate.gross - rate.vat),
      amountText(rate.vat),
      amountText(rate.gross),
    ]),
  }
}

export function sheetOf(document: PrintedDocument): Sheet {
  const { kind, locale, seller, lines, payments, total, vat } = document
  const say = (key: SentenceKey<'invoicePrint'>, values: Record<string, string> = {}): string =>
    translate(locale, 'invoicePrint', key, values)
  const amountText = openAmounts(document.currency, locale)
  const isInvoice = kind === 'invoice'
  // What was refunded belongs to a credit note; it does not fall due again.
  const paid = sum(
    payments.filter((payment) => payment.kind !== 'refund'),
    ({ amount }) => amount,
  )
  return {
    locale,
    title: say(`${kind}Title`, { number: document.number }),
    day: document.day,
    heading: say(kind),
    number: document.number,
    seller: {
      name: plain(seller.name),
      below: [...plainLines(seller.address), contactOf(seller)].filter(Boolean),
    },
    facts: factsOf(document, say),
    heads: { name: say('what'), staff: say('staff'), quantity: say('quantity'), rate: say('vat'), amount: say('amount') },
    lines: lines.map((line) => ({
      name: plain(line.name),
      staff: plain(line.staffName ?? ''),
      // A discount is not so many of something.
      quantity: isInvoice && line.amount < 0 ? '' : String(line.quantity),
      rate: rateText(line.vatBasisPoints, locale),
      amount: amountText(line.amount),
    })),
    payments:
      payments.length === 0
        ? null
        : {
            title: say(isInvoice ? 'paid' : 'paidBack'),
            rows: payments.map((payment) => ({
              method: say(payment.method),
              below: say(payment.kind === 'refund' && !isInvoice ? 'payment' : payment.kind, { day: shortDayText(payment.day, locale) }),
              amount: amountText(payment.kind === 'refund' && isInvoice ? -payment.amount : payment.amount),
            })),
          },
    rates: ratesOf(lines, { locale, say, amountText }),
    totals: {
      net: [say('net'), amountText(total - vat)],
      vat: [say('vat'), amountText(vat)],
      total: [say('total'), amountText(total)],
      left: isInvoice ? [say('left'), amountText(Math.max(0, total - paid))] : null,
    },
    thanks: isInvoice ? say('thanks') : null,
    legal: joined([seller.legalName, seller.vatNumber && say('vatNumber', { number: plain(seller.vatNumber) })]),
    seal: `${isolated(document.number)} · ${say('seal', { seal: isolated((document.seal.match(/.{1,4}/g) ?? []).join(' ')) })}`,
  }
}
