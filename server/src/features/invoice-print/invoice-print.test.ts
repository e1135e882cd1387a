import type { Locale } from '@soigne/contract/wire'
import { getDocumentProxy } from 'unpdf'
import { expect, it } from 'vitest'
import { type PrintedDocument, printDocument } from './service.ts'
import { sheetOf } from './sheet.ts'

const line = (name: string, amount: number, vat: number, over: object = {}): PrintedDocument['lines'][number] => ({
  name,
  staffName: 'Inès',
  quantity: 1,
  amount,
  vatBasisPoints: 2000,
  vat,
  ...over,
})
const invoice = (locale: Locale, over: Partial<PrintedDocument> = {}): PrintedDocument => ({
  kind: 'invoice',
  number: 'F-2026-0412',
  corrects: null,
  day: '2026-11-20',
  locale,
  currency: 'EUR',
  seller: {
    name: 'Atelier Nacre',
    legalName: 'Nacre et Filles SARL',
    vatNumber: 'FR 38 842117906',
    address: '14 rue d’Austerlitz\n69004 Lyon',
    phone: '04 78 27 61 30',
    email: 'bonjour@ateliernacre.test',
  },
  client: 'Camille Renaud',
  lines: [
    line('Gel manicure', 3800, 633),
    line('Cuticle oil', 1250, 65, { staffName: null, quantity: 2, vatBasisPoints: 550 }),
    line('Regular', -520, -87, { staffName: null }),
  ],
  total: 4530,
  vat: 611,
  payments: [
    { kind: 'deposit', method: 'card', amount: 1500, day: '2026-11-18' },
    { kind: 'payment', method: 'cash', amount: 3000, day: '2026-11-20' },
  ],
  reason: null,
  seal: '9f3a61c0e27b04d8',
  ...over,
})
const creditNote = (locale: Locale): PrintedDocument =>
  invoice(locale, {
    kind: 'credit_note',
    number: 'A-2026-0031',
    corrects: { number: 'F-2026-0396', day: '2026-12-01' },
    lines: [line('Nail art', -2400, -400)],
    total: -2400,
    vat: -400,
    payments: [{ kind: 'refund', method: 'paypal', amount: 2400, day: '2026-11-20' }],
    reason: 'Two nails lifted.',
  })

interface Read {
  /** Each page with one space between what stands apart. */
  pages: string[]
  /** How far from the left something stands on the first page, in points. */
  left(words: string): number | undefined
  widest: number
  info: Record<string, unknown>
}
async function read(document: PrintedDocument): Promise<Read> {
  const pdf = await getDocumentProxy(new Uint8Array(await printDocument(document)))
  const placed: { words: string; left: number; right: number; page: number }[] = []
  for (let page = 1; page <= pdf.numPages; page++)
    for (const item of (await (await pdf.getPage(page)).getTextContent()).items)
      if ('str' in item) placed.push({ words: item.str, left: item.transform[4], right: item.transform[4] + item.width, page })
  const { info } = (await pdf.getMetadata()) as unknown as { info: Record<string, unknown> }
  const of = (page: number): string =>
    placed
      .filter((one) => one.page === page)
      .map(({ words }) => words)
      .join(' ')
      .replaceAll(/\s+/g, ' ')
  return {
    pages: Array.from({ length: pdf.numPages }, (_, index) => of(index + 1)),
    left: (words) => placed.find((one) => one.words === words)?.left,
    widest: Math.max(...placed.map(({ right }) => right)),
    info,
  }
}
/** Letters joined by the face come back in another order within their word. */
const letters = (word: string): string => [...word].toSorted().join('')
const everyWord = (text: string, words: string): boolean => {
  const found = new Set(text.split(' ').map(letters))
  return words.split(' ').every((word) => found.has(letters(word)))
}

it('an invoice tells who sold what to whom, at which rate, and how it was paid', async () => {
  const { pages, info } = await read(invoice('en'))
  expect(pages).toHaveLength(1)
  for (const words of [
    'Atelier Nacre',
    '14 rue d’Austerlitz 69004 Lyon',
    '04 78 27 61 30 · bonjour@ateliernacre.test',
    'Invoice F-2026-0412',
    'Date of issue 20 November 2026',
    'For Camille Renaud',
    'Gel manicure Inès 1 20% €38.00',
    'Cuticle oil 2 5.5% €12.50',
    'Regular 20% −€5.20',
    'Card Deposit, 18 Nov 2026 €15.00 Cash 20 Nov 2026 €30.00',
    '20% €27.34 €5.46 €32.80 5.5% €11.85 €0.65 €12.50',
    'Without VAT €39.19 VAT €6.11 Total, VAT included €45.30 Left to pay €0.30',
    'Nacre et Filles SARL · VAT number FR 38 842117906',
    'F-2026-0412 · Seal 9f3a 61c0 e27b 04d8',
    '1 / 1',
  ])
    expect(pages[0]).toContain(words)
  expect(info).toMatchObject({ Title: 'Invoice F-2026-0412', Author: 'Atelier Nacre', Language: 'en' })
})

it('a credit note names its invoice and reason, and is below zero', async () => {
  const { pages, info } = await read(creditNote('fr'))
  for (const words of [
    'Avoir A-2026-0031',
    'Facture d’origine F-2026-0396 1er décembre 2026',
    'Motif Two nails lifted.',
    'PayPal 20 nov. 2026 24,00 €',
  ])
    expect(pages[0]).toContain(words)
  expect(pages[0]).toContain('HT −20,00 € TVA −4,00 € Total TTC −24,00 €')
  expect(pages[0]).not.toContain('Reste à payer')
  expect(info).toMatchObject({ Title: 'Avoir A-2026-0031', Language: 'fr' })
})

it('in Arabic the page is mirrored, and Latin names, numbers and amounts keep their direction', async () => {
  const ar = await read(invoice('ar', { lines: [line('زيت لوز للأظافر OPI', 4530, 611)] }))
  const en = await read(invoice('en'))
  expect([en.left('F-2026-0412')! > 400, ar.left('F-2026-0412')! < 100]).toEqual([true, true])
  expect([en.left('Inès')! > 300, ar.left('Inès')! < 300]).toEqual([true, true])
  for (const words of [
    'Camille Renaud',
    'F-2026-0412',
    'Inès',
    'OPI',
    '€45.30',
    '04 78 27 61 30',
    '9f3a 61c0 e27b 04d8',
    'FR 38 842117906',
  ])
    expect(ar.pages[0]).toContain(words)
  for (const words of ['فاتورة', 'ضريبة القيمة المضافة', 'زيت لوز', 'نوفمبر', 'عربون،', 'المبلغ المتبقي'])
    expect([words, everyWord(ar.pages[0] ?? '', words)]).toEqual([words, true])
  // No mark of direction is left that a face would have to draw.
  expect(ar.pages[0]).not.toMatch(/[\u200E\u200F\u2066-\u2069]/)
  expect(ar.info).toMatchObject({ Language: 'ar', Author: 'Atelier Nacre' })
  const note = await read(creditNote('ar'))
  expect(everyWord(note.pages[0] ?? '', 'إشعار دائن')).toBe(true)
})

it.each([
  ['EUR', 'en', '€1,234.50'],
  ['EUR', 'fr', '1 234,50 €'],
  ['TND', 'en', 'TND 123.450'],
  ['TND', 'ar', '123.450'],
  ['JPY', 'en', '¥123,450'],
  ['JPY', 'fr', '123 450 ¥'],
] as const)('amounts in %s have all decimals in %s: %s', async (currency, locale, amount) => {
  const { pages } = await read(invoice(locale, { currency, lines: [line('Cut', 123_450, 20_575)], total: 123_450, vat: 20_575 }))
  // Of the line, in the table of rates, and the total.
  expect(pages[0]?.split(amount)).toHaveLength(4)
})

it('sixty lines take several pages, each with heads and its number; long names and other scripts stay inside', async () => {
  const long = 'Institut '.repeat(22) + 'x'.repeat(200)
  const lines = Array.from({ length: 60 }, (_, index) => line(index === 4 ? 'q'.repeat(200) : `Line ${index}.`, 100 + index, 17))
  const { pages, widest } = await read(
    invoice('fr', { lines, client: `${long} Дмитрий 李 🎉`, seller: { ...invoice('fr').seller, name: long } }),
  )
  expect(pages.length).toBeGreaterThan(2)
  const whole = pages.join(' ')
  for (const index of lines.keys())
    if (index !== 4) expect(whole).toContain(`Line ${index}. Inès 1 20 % ${((100 + index) / 100).toFixed(2).replace('.', ',')} €`)
  expect(whole.match(/q{2,}/g)?.join('')?.length).toBe(200)
  expect(whole).toContain('Dmitriy Li')
  expect(pages.filter((page) => page.includes('Line')).every((page) => page.includes('Désignation Avec Qté TVA Montant TTC'))).toBe(true)
  for (const [index, page] of pages.entries()) expect(page).toContain(`${index + 1} / ${pages.length}`)
  // The margin, but for the space that a broken line ends with.
  expect(widest).toBeLessThanOrEqual(595.28 - 48 + 2)
})

it('the same document is the same bytes', async () => {
  expect(Buffer.from(await printDocument(creditNote('ar'))).equals(await printDocument(creditNote('ar')))).toBe(true)
})

it('rates are sums of their lines, and marks of direction in names are gone', () => {
  const odd = [line('a\u202E', 1, 0), line('b', 1, 0), line('c', 1, 1)]
  const sheet = sheetOf(invoice('en', { lines: odd, total: 3, vat: 1, client: '\u2066 ' }))
  expect(sheet.rates.rows).toEqual([['20%', '€0.02', '€0.01', '€0.03']])
  expect(sheet.lines[0]?.name).toBe('a')
  expect(sheet.facts).toHaveLength(1)
})
