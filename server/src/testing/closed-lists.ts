/** Closed lists of the schema: columns of text that a check constraint holds to some values. */
import type pg from 'pg'

export interface ClosedList {
  /** `table.column` by number, as results of queries name it. */
  place: string
  values: readonly string[]
}

/** `CHECK ((state = ANY (ARRAY['draft'::text, 'published'::text])))`, also of a column that may be null; nothing that says more. */
const closed = /^CHECK \(\(\(?(?:\(?"?\w+"? IS NULL\)? OR \()?"?\w+"? = ANY \(ARRAY\[((?:'(?:[^']|'')*'::text(?:, )?)+)\]\)\)*$/

export async function readClosedLists(client: pg.Client | pg.Pool): Promise<ClosedList[]> {
  const { rows } = await client.query<{ place: string; definition: string }>(
    `select conrelid || '.' || conkey[1] as place, pg_get_constraintdef(oid) as definition from pg_constraint
     where contype = 'c' and array_length(conkey, 1) = 1 and conrelid <> 0 order by conrelid, conkey`,
  )
  return rows.flatMap(({ place, definition }) => {
    const list = closed.exec(definition)?.[1]
    if (list === undefined) return []
    return [{ place, values: [...list.matchAll(/'((?:[^']|'')*)'::text/g)].map(([, value = '']) => value.replaceAll("''", "'")) }]
  })
}
