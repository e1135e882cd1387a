// What an import did, counted: every line of the files is in exactly one of the numbers, gone and notes come on top.
export interface ImportCounts {
  /** New institutes. */
  taken: number
  /** Known, and the source says something new. */
  updated: number
  unchanged: number
  /** Listed before, no longer in the newest file of their area. */
  gone: number
  /** Recognised as an institute that is listed already. */
  merged: number
  rejected: Record<string, number>
  notes: Record<string, number>
}

/** A line that was refused, or a place that lost something on the way in. */
export interface Remark {
  file: string
  line: number
  /** Null when the line does not get as far as an id. */
  id: string | null
  refused?: string
  lost?: string
}

/** Notes of something a source has and we have not. */
const losses = /^(?:hours_(?!exceptions$|holidays$|closed$|loosely_written$)|phone_dropped$|website_dropped$|repeated$|older_than_known$)/

/** What happened to the lines of one file: counted, and each loss named. */
export interface Account {
  counts: ImportCounts
  refuse(line: number, id: string | null, reason: string): void
  note(line: number, id: string, note: string): void
}

export function openAccount(file: string, tell: (remark: Remark) => void): Account {
  const counts = noCounts()
  return {
    counts,
    refuse(line, id, reason) {
      countIn(counts.rejected, reason)
      tell({ file, line, id, refused: reason })
    },
    note(line, id, note) {
      countIn(counts.notes, note)
      if (losses.test(note)) tell({ file, line, id, lost: note })
    },
  }
}

const noCounts = (): ImportCounts => ({ taken: 0, updated: 0, unchanged: 0, gone: 0, merged: 0, rejected: {}, notes: {} })

export function countIn(counts: Record<string, number>, name: string, by = 1): void {
  counts[name] = (counts[name] ?? 0) + by
}

const inOrder = (counts: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1)))

export function sumOf(all: readonly ImportCounts[]): ImportCounts {
  const sum = noCounts()
  for (const one of all) {
    for (const key of ['taken', 'updated', 'unchanged', 'gone', 'merged'] as const) sum[key] += one[key]
    for (const key of ['rejected', 'notes'] as const) for (const [name, count] of Object.entries(one[key])) countIn(sum[key], name, count)
  }
  return { ...sum, rejected: inOrder(sum.rejected), notes: inOrder(sum.notes) }
}
