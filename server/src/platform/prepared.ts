/** Statements that a connection plans once. Which ones is said by the handle they are sent through, or by the statement; their text carries a mark, by which the connection that Kysely is given knows them. */
import {
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  type PostgresPool,
  type PostgresPoolClient,
  type RawBuilder,
  RawNode,
  sql,
} from 'kysely'
import type pg from 'pg'

const mark = '/* prepared */ '
/** The text of a statement without its mark. */
export const unmarked = (text: string): string => (text.startsWith(mark) ? text.slice(mark.length) : text)
/** Texts that change from call to call must not fill the memory of the database. */
export const mostPrepared = 200

/** Marks every statement of a handle, once. */
export const markPrepared: KyselyPlugin = {
  transformQuery({ node }: PluginTransformQueryArgs) {
    if (node.kind !== 'RawNode') return node
    const [first = '', ...rest] = node.sqlFragments
    if (first.startsWith(mark)) return node
    return RawNode.create([mark + first, ...rest], node.parameters)
  },
  transformResult: async ({ result }) => result,
}

/** A plan for any list is made for one of ten, so the planner would rather plan a list of one anew each time. */
export const isAmong = (column: RawBuilder<unknown>, ids: readonly string[]): RawBuilder<boolean> =>
  ids.length === 1 ? sql`${column} = ${ids[0]}::uuid` : sql`${column} = any(${asLongAsAny(ids)}::uuid[])`

/** The same for lists that are often shorter than ten: as long as the planner takes any list to be, so that no plan for this one looks cheaper. */
export const asLongAsAny = <T>(values: readonly T[]): readonly T[] =>
  values.length === 0 ? values : [...values, ...Array.from({ length: Math.max(0, 10 - values.length) }, () => values[0] as T)]

/** "Cached plan must not change result type": a migration has changed a column. */
export const isStalePlan = (error: unknown): boolean => {
  const { code, routine } = (error ?? {}) as { code?: unknown; routine?: unknown }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}

type Send = PostgresPoolClient['query']

/** Sends marked statements of a connection under names. */
function sendMarked(client: pg.ClientBase): (text: string, values: readonly unknown[]) => Promise<pg.QueryResult> {
  const names = new Map<string, string>()
  let given = 0
  const nameOf = (text: string): string | undefined => {
    if (!names.has(text) && given < mostPrepared) names.set(text, `s${++given}`)
    return names.get(text)
  }
  const send = (text: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
    const name = nameOf(text)
    return client.query({ text, values: [...values], ...(name !== undefined && { name }) })
  }
  return (text, values) =>
    send(text, values).catch((error: unknown) => {
      if (!isStalePlan(error)) throw error
      names.delete(text)
      // Where the error has spoiled a transaction, the transaction has to be run again.
      return send(text, values).catch(() => {
        throw error
      })
    })
}

/**
 * The pool as Kysely asks for it, with connections that know the mark. Whoever uses the pool itself has them as they are.
 * A connection that has not answered after `answerMs` is ended, and what was asked fails. `pending` holds how to end each that is asked something.
 */
export function preparingPool(pool: pg.Pool, pending: Set<() => void>, answerMs?: number): PostgresPool {
  const known = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  const adapt = (client: pg.PoolClient): PostgresPoolClient => {
    const prepared = sendMarked(client)
    const ask = (text: string, values: readonly unknown[]): Promise<pg.QueryResult> =>
      text.startsWith(mark) ? prepared(text, values) : client.query(text, [...values])
    // The driver's own time-out would leave the connection in the pool, still waiting for the answer.
    const end = (): void => void (client as unknown as pg.Client).end().catch(() => {})
    const query = async (text: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
      pending.add(end)
      const timer = answerMs === undefined ? undefined : setTimeout(end, answerMs)
      try {
        return await ask(text, values)
      } finally {
        clearTimeout(timer)
        pending.delete(end)
      }
    }
    // Cursors, which nobody here has configured, are the other form of the call.
    return { query: query as unknown as Send, release: (destroy) => client.release(destroy) }
  }
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect()
      const adapted = known.get(client) ?? adapt(client)
      known.set(client, adapted)
      return adapted
    },
    end: () => pool.end(),
  }
}
