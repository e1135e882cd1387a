/** Cells of the sheets of an export: amounts, hours, days and words, and the texts that a spreadsheet must not run. */
import type { Locale } from '@soigne/contract/wire'
import ICAL from 'ical.js'
import { expect, it } from 'vitest'
import type { RowsOf, SectionName, VisitRow } from './rows.ts'
import { sheets, sheetText } from './sheets.ts'
import { calendarText } from './visits-calendar.ts'

async function* pagesOf<Row>(...pages: Row[][]): AsyncGenerator<Row[]> {
  yield* pages
}
async function joined(parts: AsyncIterable<string>): Promise<string> {
  const all: string[] = []
  for await (const part of parts) all.push(part)
  return all.join('')
}
/** The lines of a sheet below its heads, without quotes. */
async function linesOf<Name extends SectionName>(section: Name, rows: RowsOf[Name][], locale: Locale = 'en', timeZone = 'Europe/Paris') {
  const found = sheets.find((one) => one.section === section) as unknown as Parameters<typeof sheetText<Name>>[0]
  const text = await joined(sheetText(found, pagesOf(rows), { locale, timeZone }))
  return text.trimEnd().split('\r\n').slice(1)
}

const segment = {
  service: { en: 'Cut', fr: 'Coupe' },
  member: 'Ana',
  resource: null,
  startsAt: '2026-03-29T00:30:00+00:00',
  endsAt: '2026-03-29T01:30:00+00:00',
  priceAmount: 4250,
}
const visit: VisitRow = {
  id: '1b0c',
  reference: 'K7QD-4M',
  client: 'Inès, "la reine"',
  phone: '0600000001',
  state: 'booked',
  attendance: 'no_show',
  startsAt: segment.startsAt,
  endsAt: segment.endsAt,
  currency: 'EUR',
  totalAmount: 4250,
  madeBy: 'system',
  bookedAt: '2026-03-01T10:00:00+00:00',
  cancelledAt: null,
  movedCount: 0,
  note: null,
  ownNote: null,
  segments: [segment],
}
const customer: RowsOf['customers'] = {
  firstName: 'Inès',
  lastName: 'Benali',
  phone: '+33600000001',
  email: null,
  birthday: null,
  locale: null,
  tags: ['-10 %', 'VIP'],
  alert: '\tlate',
  notes: 'one\r\n"two"',
  blockedAt: '2026-01-01T00:00:00+00:00',
  mergedInto: null,
}

it('a visit has a line for each of its services, on the clock of the institute, through a change of it', async () => {
  const second = { ...segment, service: { fr: 'Soin' }, priceAmount: null, resource: 'Chair 2' }
  const [first, next, ...more] = await linesOf('visits', [
    { ...visit, segments: [segment, second] },
    { ...visit, segments: null },
  ])
  expect(first).toContain('"K7QD-4M","2026-03-29","01:30","03:30","Inès, ""la reine""","06 00 00 00 01","Cut","Ana","","42.50","EUR"')
  expect(next).toContain('"Soin","Ana","Chair 2","","EUR"')
  expect(more).toEqual([])
  const [inTokyo] = await linesOf('visits', [visit], 'fr', 'Asia/Tokyo')
  expect(inTokyo).toContain('"2026-03-29","09:30","10:30"')
  expect(inTokyo).toContain('"Coupe"')
})

it.each([
  ['EUR', 4250, '42.50'],
  ['EUR', 5, '0.05'],
  ['EUR', 0, '0.00'],
  ['EUR', null, ''],
  ['TND', 42_500, '42.500'],
  ['JPY', 4250, '4250'],
])('an amount in %s of %j in the smallest unit is written %j', async (currency, priceAmount, written) => {
  const [line] = await linesOf('visits', [{ ...visit, currency, segments: [{ ...segment, priceAmount }] }])
  expect(line?.split(',').slice(-7, -5)).toEqual([`"${written}"`, `"${currency}"`])
})

it('no text of a client is a formula, and one that was merged has no line of their own', async () => {
  const lines = await linesOf('customers', [customer, { ...customer, mergedInto: '2c' }])
  expect(lines.join('\r\n')).toBe(`"Inès","Benali","'+33600000001","","","","'-10 %, VIP","'\tlate","one\r\n""two""","1"`)
  expect((await linesOf('customers', [{ ...customer, blockedAt: null, notes: '@SUM(A1)' }]))[0]).toMatch(/,"'@SUM\(A1\)",""$/)
})

it('hours after midnight are those of the next day, and breaks stand in one cell', async () => {
  const shift = { member: 'Ana', week: 2, weekday: 7, opensAt: 1200, closesAt: 1560, validFrom: null, validTo: '2026-12-31' }
  const breaks = [
    { opensAt: 1290, closesAt: 1305 },
    { opensAt: 1440, closesAt: 1470 },
  ]
  expect(await linesOf('shifts', [{ ...shift, breaks }], 'fr')).toEqual([
    '"Ana","2","dimanche","20:00","02:00","21:30–21:45, 00:00–00:30","","2026-12-31"',
  ])
  const closure = { fromDay: '2026-12-25', toDay: '2026-12-26', opensAt: null, closesAt: null, reason: null }
  expect(await linesOf('closures', [closure, { ...closure, opensAt: 0, closesAt: 540, reason: { fr: 'Travaux' } }])).toEqual([
    '"2026-12-25","2026-12-26","","",""',
    '"2026-12-25","2026-12-26","00:00","09:00","Travaux"',
  ])
})

it('heads stand once above all pages, and above none', async () => {
  const sheet = sheets.find((one) => one.file === 'resources.csv') as unknown as Parameters<typeof sheetText<'resources'>>[0]
  const words = { locale: 'en', timeZone: 'UTC' } as const
  const heads = '\ufeff"Resource","Kind","Note","In use"\r\n'
  const chair = { name: 'Chair', type: 'chair', note: null, active: true }
  expect(await joined(sheetText(sheet, pagesOf<typeof chair>(), words))).toBe(heads)
  const two = await joined(sheetText(sheet, pagesOf([chair], [{ ...chair, active: false }]), words))
  expect(two).toBe(`${heads}"Chair","chair","","1"\r\n"Chair","chair","",""\r\n`)
})

it('the calendar is one over all pages, with what was cancelled marked so, and parses when there is nothing in it', async () => {
  const institute = {
    name: 'Dar; Zellige',
    slug: 'dar',
    timeZone: 'Europe/Paris',
    currency: 'EUR',
    addressLine: '1, rue du Lac',
    city: 'Lyon',
  }
  const read = async (...pages: VisitRow[][]) =>
    new ICAL.Component(
      ICAL.parse(await joined(calendarText(pagesOf(...pages), { locale: 'en', institute }))) as [string, unknown[], unknown[]],
    )
  expect((await read()).getAllSubcomponents('vevent')).toEqual([])
  const gone: VisitRow = {
    ...visit,
    id: '2b',
    client: null,
    state: 'cancelled',
    movedCount: 2,
    cancelledAt: '2026-03-02T10:00:00+00:00',
    note: 'Ring; then, wait',
  }
  const both = await read([visit], [], [gone])
  const said = both
    .getAllSubcomponents('vevent')
    .map((one) => ['summary', 'status', 'sequence', 'description', 'location'].map((name) => one.getFirstPropertyValue(name)))
  expect(said).toEqual([
    ['Inès, "la reine" · Cut', 'CONFIRMED', 0, 'K7QD-4M\nAna', '1, rue du Lac, Lyon'],
    ['Cut', 'CANCELLED', 3, 'K7QD-4M\nAna\nRing; then, wait', '1, rue du Lac, Lyon'],
  ])
})
