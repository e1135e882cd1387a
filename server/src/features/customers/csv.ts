/** CSV files of clients: how they are written, what their columns are, and what a row says. */
import { email, personName } from '@soigne/contract/wire'
import { type ImportField, importFields, type ImportReport, mostImportRows } from '@soigne/contract/customer-imports'
import { mostTags } from '@soigne/contract/customers'
import { phone } from '@soigne/contract/session'
import type { Locale } from '@soigne/contract/wire'
import { parse } from 'csv-parse/sync'
import { foldText } from '#/platform/fold-text.ts'
import { refuseField } from '#/platform/refuse.ts'

export interface CsvFile {
  encoding: ImportReport['encoding']
  delimiter: string
  headings: string[]
  /** Cells with the line each begins on. */
  rows: { line: number; cells: string[] }[]
}

const delimiters = [',', ';', '\t', '|']
/** Lines that show how a file is written. */
const sampleLines = 20

/** UTF-8 where it is valid, and what spreadsheets of Windows write where it is not. */
function decode(bytes: Uint8Array): { text: string; encoding: CsvFile['encoding'] } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' }
  }
}

interface ParsedRow {
  record: string[]
  info: { lines: number }
}
const parsed = (text: string, delimiter: string, most: number): ParsedRow[] =>
  parse(text, {
    delimiter,
    bom: true,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    to: most,
    max_record_size: 50_000,
  }) as unknown as ParsedRow[]

/** The one that gives most rows the same number of columns, and the most columns of these. */
function delimiterOf(text: string): string {
  const score = (delimiter: string): number => {
    try {
      const rows = parsed(text, delimiter, sampleLines)
      const columns = rows[0]?.record.length ?? 0
      return columns < 2 ? 0 : (rows.filter(({ record }) => record.length === columns).length / rows.length) * columns
    } catch {
      return 0
    }
  }
  return delimiters.map((delimiter) => ({ delimiter, score: score(delimiter) })).toSorted((a, b) => b.score - a.score)[0]?.delimiter ?? ','
}

/** @throws bad_input for what is no table, has no rows or too many */
export function readCsv(bytes: Uint8Array): CsvFile {
  if (bytes.includes(0)) throw refuseField('file', 'invalid')
  const { text, encoding } = decode(bytes)
  const delimiter = delimiterOf(text)
  let all: ParsedRow[]
  try {
    all = parsed(text, delimiter, mostImportRows + 2)
  } catch {
    throw refuseField('file', 'invalid')
  }
  const [head, ...rows] = all
  if (!head || rows.length === 0) throw refuseField('file', 'required')
  if (rows.length > mostImportRows) throw refuseField('file', `too_long:${mostImportRows}`)
  let from = head.info.lines + 1
  return {
    encoding,
    delimiter,
    headings: head.record.map((cell) => cell.trim().slice(0, 80)),
    rows: rows.map(({ record, info }) => {
      // `lines` counts to the end of the record; one over several lines begins before it.
      const line = Math.max(from, info.lines - record.join('').split('\n').length + 1)
      from = info.lines + 1
      return { line, cells: record.map(cellText) }
    }),
  }
}

/** Cells that would be formulas carry a mark, ours too. */
const cellText = (cell: string): string => cell.trim().replace(/^'(?=[=+\-@])/, '')

const headings: Record<ImportField, readonly string[]> = {
  firstName: ['first name', 'firstname', 'given name', 'forename', 'prenom', 'prenoms', 'الاسم الاول', 'الاسم الشخصي'],
  lastName: ['last name', 'lastname', 'surname', 'family name', 'nom', 'nom de famille', 'اسم العائله', 'اللقب', 'النسب'],
  name: [
    'name',
    'full name',
    'client',
    'client name',
    'customer',
    'nom complet',
    'nom et prenom',
    'nom prenom',
    'cliente',
    'الاسم',
    'الاسم الكامل',
    'العميل',
    'الزبون',
  ],
  phone: [
    'phone',
    'phone number',
    'mobile',
    'mobile phone',
    'cell',
    'telephone',
    'tel',
    'portable',
    'tel portable',
    'telephone portable',
    'gsm',
    'الهاتف',
    'رقم الهاتف',
    'الجوال',
  ],
  email: ['email', 'e mail', 'email address', 'mail', 'courriel', 'adresse email', 'adresse e mail', 'البريد الالكتروني', 'البريد'],
  birthday: [
    'birthday',
    'birth date',
    'date of birth',
    'dob',
    'born',
    'date de naissance',
    'naissance',
    'anniversaire',
    'ne le',
    'nee le',
    'تاريخ الميلاد',
    'تاريخ الازدياد',
  ],
  locale: ['language', 'locale', 'lang', 'langue', 'اللغه'],
  notes: ['notes', 'note', 'comment', 'comments', 'remarks', 'remarque', 'remarques', 'commentaire', 'commentaires', 'ملاحظات', 'ملاحظه'],
  tags: ['tags', 'tag', 'labels', 'groups', 'etiquettes', 'etiquette', 'groupes', 'categories', 'وسوم', 'الوسوم'],
}
const fieldOfHeading = new Map(importFields.flatMap((field) => headings[field].map((heading) => [foldText(heading), field] as const)))

/** What each column is likely to be; a field is taken once. */
export function suggestFields({ headings: given }: CsvFile): (ImportField | null)[] {
  const taken = new Set<ImportField>()
  return given.map((heading) => {
    const field = fieldOfHeading.get(foldText(heading)) ?? null
    if (field === null || taken.has(field)) return null
    taken.add(field)
    return field
  })
}

export interface ImportedPerson {
  firstName: string
  lastName: string
  phone: string
  email: string
  birthday: string | null
  locale: Locale | null
  notes: string
  tags: string[]
}
type Fault = ImportReport['faulty'][number]['reason']
export type ReadRow = { line: number } & ({ person: ImportedPerson } | { reason: Fault; value: string })

const languagesByName: Readonly<Record<string, Locale>> = {
  en: 'en',
  english: 'en',
  anglais: 'en',
  الانجليزيه: 'en',
  fr: 'fr',
  french: 'fr',
  francais: 'fr',
  الفرنسيه: 'fr',
  ar: 'ar',
  arabic: 'ar',
  arabe: 'ar',
  العربيه: 'ar',
}

/** A date as people write it: the year first, or the day; in the United States the month. Null when it is none. */
export function readDate(text: string, countryCode: string): string | null {
  const [, year, month, day] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?$/.exec(text) ?? []
  const [, one, other, last] = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4})$/.exec(text) ?? []
  const isMonthFirst = countryCode === 'US'
  const parts = year ? [year, month, day] : [last, isMonthFirst ? one : other, isMonthFirst ? other : one]
  const [y, m, d] = parts.map(Number)
  if (!y || !m || !d || y < 1900) return null
  try {
    return Temporal.PlainDate.from({ year: y, month: m, day: d }, { overflow: 'reject' }).toString()
  } catch {
    return null
  }
}

interface Reading {
  fields: readonly (ImportField | null)[]
  countryCode: string
  today: string
}
/** What a row says of a person, or what is wrong with it. */
export function readRow({ line, cells }: CsvFile['rows'][number], { fields, countryCode, today }: Reading): ReadRow {
  const cell = (field: ImportField): string => cells[fields.indexOf(field)] ?? ''
  const fault = (reason: Fault, value: string): ReadRow => ({ line, reason, value: value.slice(0, 80) })
  const [whole = '', ...others] = cell('name').split(/\s+/)
  const firstName = cell('firstName') || (cell('lastName') === '' ? whole : cell('name') || cell('lastName'))
  const lastName = cell('firstName') || cell('name') ? cell('lastName') || (cell('firstName') ? '' : others.join(' ')) : ''
  if (firstName === '') return fault('no_name', cells.join(' ').trim())
  for (const name of [firstName, lastName]) if (name !== '' && !personName.safeParse(name).success) return fault('too_long', name)
  const address = cell('email').replace(/^mailto:/i, '')
  if (address !== '' && !email.safeParse(address).success) return fault('email', address)
  const number = cell('phone')
    .replaceAll(/[\u00a0\u202f\u2009]/g, ' ')
    .replaceAll('/', ' ')
    .trim()
  if (number !== '' && !phone.safeParse(number).success) return fault('phone', number)
  const born = cell('birthday')
  const birthday = born === '' ? null : readDate(born, countryCode)
  if (born !== '' && (birthday === null || birthday > today)) return fault('birthday', born)
  if (cell('notes').length > 4000) return fault('too_long', cell('notes'))
  const tags = cell('tags')
    .split(/[,;|]/)
    .map((tag) => tag.trim().slice(0, 40))
    .filter(Boolean)
  const locale = languagesByName[foldText(cell('locale'))] ?? null
  return {
    line,
    person: {
      firstName,
      lastName,
      phone: number,
      email: address,
      birthday,
      locale,
      notes: cell('notes'),
      tags: [...new Set(tags)].slice(0, mostTags),
    },
  }
}

/** A cell that every spreadsheet takes for text: no formula, and a number of a telephone keeps its zero by being written in pairs. */
export function writeCell(value: string): string {
  const spaced = /^0\d+$/.test(value) ? value.replaceAll(/\B(?=(?:\d{2})+$)/g, ' ') : value
  const marked = /^[=+\-@\t\r]/.test(spaced) ? `'${spaced}` : spaced
  return `"${marked.replaceAll('"', '""')}"`
}
export const writeCsvRows = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(writeCell).join(',')}\r\n`).join('')
/** With the mark that tells a spreadsheet of Windows that this is UTF-8. */
export const writeCsv = (rows: readonly (readonly string[])[]): string => `\ufeff${writeCsvRows(rows)}`
