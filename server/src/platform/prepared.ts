/** Statements that a connection plans once. Which ones is said by the handle they are sent through; their text carries a mark, by which the connection knows them. */
import { type KyselyPlugin, type PluginTransformQueryArgs, type RawBuilder, RawNode, sql } from 'kysely'
import type pg from 'pg'

const mark = '/* prepared */ '
/** The text of a statement without its mark. */
export const unmarked = (text: string): string => (text.startsWith(mark) ? text.slice(mark.length) : text)
/** Texts that change from call to call must not fill the memory of the database. */
export const mostPrepared = 200

/** Marks every statement of a handle. */
export const markPrepared: KyselyPlugin = {
  transformQuery({ node }: PluginTransformQueryArgs) {
    if (node.kind !== 'RawNode') return node
    const [first = '', ...rest] = node.sqlFragments
    return RawNode.create([mark + first, ...rest], node.parameters)
  },
  transformResult: async ({ result }) => result,
}

/** A plan for any list is made for one of ten, so the planner would rather plan a list of one anew each time. */
export const isAmong = (column: RawBuilder<unknown>, ids: readonly string[]): RawBuilder<boolean> =>
  ids.length === 1 ? sql`${column} = ${ids[0]}::uuid` : sql`${column} = any(${ids}::uuid[])`

/** "Cached plan must not change result type": a migration has changed a column. */
export const isStalePlan = (error: unknown): boolean => {
  const { code, routine } = (error ?? {}) as { code?: unknown; routine?: unknown }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}

/** Sends marked statements of a connection under names. */
export function prepareMarked(client: pg.ClientBase): void {
  const names = new Map<string, string>()
  let given = 0
  const nameOf = (text: string): string | undefined => {
    if (!names.has(text) && given < mostPrepared) names.set(text, `s${++given}`)
    return names.get(text)
  }
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  const send = (text: string, values: unknown): Promise<unknown> => {
    const name = nameOf(text)
    return (name === undefined ? query(text, values) : query({ name, text, values })) as Promise<unknown>
  }
  const sendMarked = (text: string, values: unknown): Promise<unknown> =>
    send(text, values).catch((error: unknown) => {
      if (!isStalePlan(error)) throw error
      names.delete(text)
      // Where the error has spoiled a transaction, the transaction has to be run again.
      return send(text, values).catch(() => {
        throw error
      })
    })
  const choose = (text: unknown, ...more: unknown[]): unknown =>
    typeof text === 'string' && text.startsWith(mark) ? sendMarked(text, more[0]) : query(text, ...more)
  client.query = choose as typeof client.query
}
