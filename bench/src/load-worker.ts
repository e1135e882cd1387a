/** The thread of load.ts: keep-alive connections, each with one request at a time. */
import { connect, type Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { percentile } from './figure.ts'
import { bytesOf, endOfAnswer } from './http-connections.ts'
import type { Load, LoadResult } from './load.ts'

const load = workerData as Load
const { hostname, port } = new URL(load.url)
const total = load.total ?? Number.POSITIVE_INFINITY
const endsAt = performance.now() + (load.seconds ?? 3600) * 1000
const keptTimes = 200_000

const requests = load.requests.map((one) => bytesOf(`${hostname}:${port}`, one))
const headRequests = load.requests.map(({ method }) => method === 'HEAD')

const statuses: Record<string, number> = {}
const times: number[] = []
let asked = 0
let answers = 0
let bytes = 0
let slowest = 0

function note(status: string, took: number): void {
  statuses[status] = (statuses[status] ?? 0) + 1
  answers++
  if (took > slowest) slowest = took
  if (times.length < keptTimes) times.push(took)
  else times[Math.floor(Math.random() * keptTimes)] = took
}

const finished = (): boolean => asked >= total || performance.now() >= endsAt

/** One connection until the load is over. */
function run(first: number): Promise<void> {
  return new Promise((done, fail) => {
    let turn = first
    let socket: Socket
    let data: Buffer[] = []
    let began = 0
    let waiting = false
    const next = (): void => {
      if (finished()) {
        socket.removeAllListeners('close').end()
        return done()
      }
      asked++
      waiting = true
      began = performance.now()
      socket.write(requests[turn % requests.length] ?? '')
    }
    const take = (chunk: Buffer): void => {
      data.push(chunk)
      bytes += chunk.length
      const all = data.length === 1 ? chunk : Buffer.concat(data)
      data = [all]
      if (endOfAnswer(all, headRequests[turn % requests.length] ?? false) === null) return
      data = []
      waiting = false
      note(all.toString('latin1', 9, 12), performance.now() - began)
      turn++
      if (/\r\nconnection: close\r\n/i.test(all.toString('latin1', 0, Math.min(all.length, 3000)))) return open()
      next()
    }
    const open = (): void => {
      socket?.removeAllListeners('close')
      socket = connect({ host: hostname, port: Number(port), noDelay: true }, next)
      socket.on('data', take)
      socket.on('error', fail)
      socket.on('close', () =>
        waiting ? fail(new Error(`the server closed while ${load.requests[turn % requests.length]?.path} was asked`)) : open(),
      )
    }
    open()
  })
}

const startedAt = performance.now()
await Promise.all(Array.from({ length: load.connections }, (_, n) => run(Math.floor((n * requests.length) / load.connections))))
const seconds = (performance.now() - startedAt) / 1000
const result: LoadResult = {
  answers,
  seconds,
  perSecond: answers / seconds,
  statuses,
  bytes,
  p50: percentile(times, 0.5),
  p95: percentile(times, 0.95),
  max: slowest,
}
parentPort?.postMessage(result)
