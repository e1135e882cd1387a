/** A load of requests from a thread of its own, so that what asks does not slow down what measures. */
import { Worker } from 'node:worker_threads'
import type { HttpRequest } from './http-connections.ts'

export interface Load {
  url: string
  /** HttpRequest in turn, each connection from another place of the list. */
  requests: readonly HttpRequest[]
  connections: number
  /** Ends after so many answers, or after so many seconds; the first that comes. */
  total?: number
  seconds?: number
}
export interface LoadResult {
  answers: number
  seconds: number
  perSecond: number
  /** Answers by status. */
  statuses: Record<string, number>
  bytes: number
  p50: number
  p95: number
  max: number
}

/** Asks the load and waits for its end. A connection that the server closes is opened again; one that breaks fails the load. */
export function ask(load: Load): Promise<LoadResult> {
  return new Promise((done, fail) => {
    const worker = new Worker(new URL('./load-worker.ts', import.meta.url), { workerData: load })
    worker.once('message', done)
    worker.once('error', fail)
    worker.once('exit', (code) => code !== 0 && fail(new Error(`the load ended with ${code}`)))
  })
}

/** Answers that are neither done nor meant: everything but the given statuses. */
export const strangers = (result: LoadResult, meant: readonly number[]): number =>
  Object.entries(result.statuses).reduce((sum, [status, count]) => sum + (meant.includes(Number(status)) ? 0 : count), 0)
