/** Sends recorded statements again; ids that the database gives out anew take the place of the recorded ones. */
import type pg from 'pg'

export interface Statement {
  /** Only of a prepared statement. */
  name?: string
  text: string
  values: unknown[]
  rows: Record<string, unknown>[]
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The value with every id that is another one now. */
function renewed(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') {
    const known = ids.get(value)
    if (known !== undefined) return known
    let text = value
    if (text.length > 36) for (const [before, now] of ids) text = text.replaceAll(before, now)
    return text
  }
  if (Array.isArray(value)) return value.map((one) => renewed(one, ids))
  const bytes = (value as { bytes?: unknown } | null)?.bytes
  return typeof bytes === 'string' ? Buffer.from(bytes, 'hex') : value
}

const names = new Map<string, string>()
/** The server names statements anew on each connection. */
function nameOf(text: string): string {
  if (!names.has(text)) names.set(text, `s${names.size + 1}`)
  return names.get(text)!
}

/** All statements of one booking, in their order, on one connection; `spent` gathers milliseconds by statement. */
export async function replay(client: pg.PoolClient, statements: readonly Statement[], spent: Map<string, number>): Promise<void> {
  const ids = new Map<string, string>()
  for (const { name, text, values, rows } of statements) {
    const began = performance.now()
    const answer = await client.query<Record<string, unknown>>({
      ...(name !== undefined && { name: nameOf(text) }),
      text,
      values: values.map((value) => renewed(value, ids)),
    })
    spent.set(text, (spent.get(text) ?? 0) + performance.now() - began)
    for (const [n, row] of rows.entries())
      for (const [name, before] of Object.entries(row)) {
        const now = answer.rows[n]?.[name]
        if (typeof before === 'string' && typeof now === 'string' && before !== now && uuid.test(before) && uuid.test(now))
          ids.set(before, now)
      }
  }
}
