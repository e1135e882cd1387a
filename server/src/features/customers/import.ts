/** Client lists as files: read in, where a dry run only counts, and given out. Nobody is written to. */
import { type ImportField, importFields, type ImportReport } from '@soigne/contract/customer-imports'
import type { SentFile } from '@soigne/contract/define'
import type { Locale } from '@soigne/contract/wire'
import * as z from 'zod/mini'
import type { InstituteScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { inTransaction } from '#/platform/database.ts'
import { recordEvents } from '#/platform/events.ts'
import { instantText } from '#/platform/instants.ts'
import { refuseField } from '#/platform/refuse.ts'
import { translate } from '#/texts/translate.ts'
import { lockContacts, type Writer } from './changes-store.ts'
import { type CsvFile, type ImportedPerson, readCsv, readRow, suggestFields, writeCsv } from './csv.ts'
import { addMany, type ExportedRow, fillMany, type Planned, planImport, readAll } from './import-store.ts'
import { readInstitute } from './list-store.ts'

/** So many faulty rows are told, all are counted. */
const mostFaultyTold = 500

/** @throws bad_input for what is no list of fields, each once */
function fieldsOf(file: CsvFile, mapping: string | undefined): (ImportField | null)[] {
  if (!mapping) return suggestFields(file)
  let given: unknown
  try {
    given = JSON.parse(mapping)
  } catch {
    throw refuseField('mapping', 'invalid')
  }
  const read = z.array(z.nullable(z.enum(importFields))).safeParse(given)
  const named = read.success ? read.data.filter((field) => field !== null) : []
  if (!read.success || read.data.length !== file.headings.length || new Set(named).size < named.length)
    throw refuseField('mapping', 'invalid')
  return read.data
}

/** The same words in whatever order, or one says less of the same: no last name, or only how it begins. */
export function isSameName(one: string, other: string): boolean {
  const [short = '', long = ''] = [one, other].toSorted((a, b) => a.length - b.length)
  const inOrder = (name: string): string => name.split(' ').toSorted().join(' ')
  if (inOrder(short) === inOrder(long)) return true
  return long.startsWith(short) && (short.includes(' ') || long[short.length] === ' ')
}

type Known = NonNullable<Planned['byEmail']>
/** Who a row is already: whoever has its email, else whoever has its phone and name. A family shares a phone. */
function knownAs({ words, byEmail, byPhone }: Planned): Known | null {
  const named = byPhone ?? []
  return byEmail ?? named.find(([, name]) => name === words) ?? named.find(([, name]) => isSameName(name, words)) ?? null
}

interface Sorted {
  added: ImportedPerson[]
  known: number
  filled: (ImportedPerson & { id: string })[]
  doubles: number
}
/** New, known or a double of a row before; walk-ins without phone and email are as many as there are, whatever they are called. */
function sortOut(people: readonly ImportedPerson[], plan: readonly Planned[]): Sorted {
  const sorted: Sorted = { added: [], known: 0, filled: [], doubles: 0 }
  const emails = new Set<string>()
  const namesOfPhone = new Map<string, string[]>()
  const walkIns = new Map<string, number>()
  for (const row of plan) {
    const { n, phoneKey, words, namesakes } = row
    const person = people[n]
    if (!person) continue
    const email = person.email.toLowerCase()
    const names = phoneKey === null ? [] : (namesOfPhone.get(phoneKey) ?? [])
    const known = knownAs(row)
    if (phoneKey === null && email === '') {
      const before = walkIns.get(words) ?? 0
      walkIns.set(words, before + 1)
      if (before < namesakes) sorted.known++
      else sorted.added.push(person)
    } else if (emails.has(email) || names.some((name) => isSameName(name, words))) sorted.doubles++
    else if (known === null) sorted.added.push(person)
    else {
      const [id, , empty] = known
      sorted.known++
      if (empty.some((field) => (person[field]?.length ?? 0) > 0)) sorted.filled.push({ ...person, id })
    }
    if (email !== '') emails.add(email)
    if (phoneKey !== null) namesOfPhone.set(phoneKey, [...names, words])
  }
  return sorted
}

/** @throws bad_input naming the file or the mapping */
export async function importCustomers(
  { database, clock }: AppContext,
  scope: Writer,
  { file, mapping, dryRun }: { file: SentFile | undefined; mapping?: string | undefined; dryRun: boolean },
): Promise<ImportReport> {
  if (!file) throw refuseField('file', 'required')
  const csv = readCsv(file.bytes)
  const fields = fieldsOf(csv, mapping)
  const now = clock.now()
  const { countryCode } = await readInstitute(database.db, scope)
  const today = instantText(now).slice(0, 10)
  const read = csv.rows.map((row) => readRow(row, { fields, countryCode, today }))
  const faulty = read.flatMap((row) => ('reason' in row ? [row] : []))
  const people = read.flatMap((row) => ('person' in row ? [row.person] : []))
  const sorted = await inTransaction(database.db, async (transaction) => {
    if (!dryRun) await lockContacts(transaction, scope)
    const found = sortOut(
      people,
      await planImport(
        transaction,
        scope,
        people.map((person, n) => ({ ...person, n })),
      ),
    )
    if (dryRun || found.added.length + found.filled.length === 0) return found
    await addMany(transaction, scope, found.added, new Date(now))
    await fillMany(transaction, scope, found.filled, new Date(now))
    const { instituteId, actor } = scope
    const payload = { added: found.added.length, filled: found.filled.length }
    await recordEvents(transaction, [{ kind: 'customers.imported', instituteId, subjectId: null, actor, payload, at: instantText(now) }])
    return found
  })
  return {
    encoding: csv.encoding,
    delimiter: csv.delimiter,
    columns: csv.headings.map((heading, index) => ({
      heading,
      field: fields[index] ?? null,
      example: (csv.rows.find(({ cells }) => cells[index])?.cells[index] ?? '').slice(0, 80),
    })),
    rows: csv.rows.length,
    added: sorted.added.length,
    known: sorted.known,
    filled: sorted.filled.length,
    doubles: sorted.doubles,
    faultyRows: faulty.length,
    faulty: faulty.slice(0, mostFaultyTold).map(({ line, reason, value }) => ({ line, reason, value })),
    isDone: !dryRun,
  }
}

const columns = [
  'firstName',
  'lastName',
  'phone',
  'email',
  'birthday',
  'language',
  'tags',
  'alert',
  'notes',
  'visits',
  'spent',
  'currency',
  'noShows',
  'lastVisit',
  'nextVisit',
  'blocked',
] as const

/** Everything but what is restricted; days on the institute's calendar. */
export async function exportCustomers(
  { database: { db }, clock }: AppContext,
  scope: InstituteScope<'customers.export'>,
  locale: Locale,
): Promise<string> {
  const [{ timeZone, currency }, rows] = [await readInstitute(db, scope), await readAll(db, scope, new Date(clock.now()))]
  const digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  const dayOf = (instant: string | null): string =>
    instant === null ? '' : Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).toPlainDate().toString()
  const cells = (row: ExportedRow): string[] => [
    row.firstName,
    row.lastName,
    row.phone,
    row.email,
    row.birthday ?? '',
    row.locale ?? '',
    row.tags.join(', '),
    row.alert,
    row.notes,
    String(row.visits),
    (row.spend / 10 ** digits).toFixed(digits),
    currency,
    String(row.noShows),
    dayOf(row.lastVisitAt),
    dayOf(row.nextVisitAt),
    row.isBlocked ? '1' : '',
  ]
  return writeCsv([columns.map((column) => translate(locale, 'customersFile', column)), ...rows.map(cells)])
}
