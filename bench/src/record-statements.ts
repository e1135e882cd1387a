/** Loaded into the server before anything else (`node --import`): writes down the statements sent for requests that carry `x-record`, with their parameters and what came back. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { appendFileSync } from 'node:fs'
import { type IncomingMessage, Server } from 'node:http'
import pg from 'pg'

const file = process.env['RECORD_STATEMENTS'] ?? ''
const request = new AsyncLocalStorage<string>()

const emit = Server.prototype.emit as (this: Server, event: string, ...given: unknown[]) => boolean
Server.prototype.emit = function (this: Server, event: string, ...given: unknown[]) {
  const mark = event === 'request' ? (given[0] as IncomingMessage).headers['x-record'] : undefined
  return typeof mark === 'string' ? request.run(mark, () => emit.call(this, event, ...given)) : emit.call(this, event, ...given)
} as typeof Server.prototype.emit

/** Bytes and large numbers in a form JSON keeps. */
const written = (value: unknown): unknown => {
  if (Buffer.isBuffer(value)) return { bytes: value.toString('hex') }
  if (typeof value === 'bigint') return value.toString()
  return Array.isArray(value) ? value.map(written) : value
}

/** Prepared statements have a name. */
function sentAs(given: unknown, values: unknown[] = []): { name?: string; text: string; values: unknown[] } | null {
  if (typeof given === 'string') return { text: given, values }
  const { name, text, values: own = values } = given as pg.QueryConfig<unknown[]>
  return name === undefined ? null : { name, text, values: own }
}

type Query = (this: pg.Client, text: unknown, values?: unknown[], ...more: unknown[]) => unknown
const query = pg.Client.prototype.query as unknown as Query
const recording: Query = function (this: pg.Client, text, values, ...more) {
  const answer = query.call(this, text, values, ...more)
  const mark = request.getStore()
  const sent = sentAs(text, values)
  if (file && mark !== undefined && sent && answer instanceof Promise)
    return answer.then((result: pg.QueryResult) => {
      appendFileSync(file, `${JSON.stringify({ mark, ...sent, values: sent.values.map(written), rows: result.rows })}\n`)
      return result
    })
  return answer
}
pg.Client.prototype.query = recording as unknown as typeof pg.Client.prototype.query
