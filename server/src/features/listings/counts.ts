// What an import did, counted: every line of the files is in exactly one of the numbers, gone and notes come on top.
export interface ImportCounts {
  /** New institutes. */
  taken: number
  /** Known, and the source says something new. */
  updated: number
  unchanged: number
  /** Listed before, no longer in the newest file of their area. */
  gone: number
  /** Recognised as an institute another source has listed. */
  merged: number
  rejected: Record<string, number>
  notes: Record<string, number>
}

export const noCounts = (): ImportCounts => ({ taken: 0, updated: 0, unchanged: 0, gone: 0, merged: 0, rejected: {}, notes: {} })

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
