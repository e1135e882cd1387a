// Rows of many institutes, table by table, as text that COPY reads.
import type { SearchIndex } from '#/host.ts'
import { type InstituteRows, type TableRows, tablesOfInstitute, tablesOfVisits, type VisitRows } from '#/rows/tables.ts'
import { copyLine, GrowingText } from './copy-text.ts'

/** An institute with its visits and what searches need. */
export interface MadeInstitute {
  institute: InstituteRows
  visits: VisitRows
  index: SearchIndex
}

export interface TableText {
  table: string
  columns: readonly string[]
  rows: number
  /** UTF-8. */
  text: Uint8Array<ArrayBuffer>
}

/** In the order in which tables are written: whatever is pointed at comes first. */
export interface CopyText {
  tables: TableText[]
  vocabulary: string[]
}

interface Lines {
  columns: readonly string[]
  count: number
  text: GrowingText
}

const tablesOf = ({ institute, visits, index }: MadeInstitute): TableRows[] => [
  ...tablesOfInstitute({ ...institute, institute: { ...institute.institute, words: index.words } }),
  ...tablesOfVisits(visits),
  ...index.tables,
]

const pointedAt = [
  'users',
  'institutes',
  'services',
  'team_members',
  'rotas',
  'resources',
  'customers',
  'appointments',
  'checkouts',
  'sales',
  'sandbox_pages',
  'payouts',
]
const rank = (table: string): number => (pointedAt.includes(table) ? pointedAt.indexOf(table) : pointedAt.length)

/** Takes institutes one after the other, so that only their text is kept. */
export function copyTextOf(institutes: Iterable<MadeInstitute>, more: readonly TableRows[] = []): CopyText {
  const lines = new Map<string, Lines>()
  const vocabulary = new Set<string>()
  const add = ([table, rows]: TableRows): void => {
    const [first] = rows
    if (!first) return
    let into = lines.get(table)
    if (!into) lines.set(table, (into = { columns: Object.keys(first), count: 0, text: new GrowingText() }))
    into.count += rows.length
    let text = ''
    for (const row of rows) text += copyLine(into.columns, row as Record<string, unknown>)
    into.text.add(text)
  }
  for (const rows of more) add(rows)
  for (const made of institutes) {
    for (const word of made.index.vocabulary) vocabulary.add(word)
    for (const rows of tablesOf(made)) add(rows)
  }
  const tables = [...lines]
    .map(([table, { columns, count, text }]) => ({ table, columns, rows: count, text: text.bytes() }))
    .sort((a, b) => rank(a.table) - rank(b.table))
  return { tables, vocabulary: [...vocabulary] }
}
