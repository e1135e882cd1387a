/** The thread of load.ts: keep-alive connections, each with one request at a time, and a reader of answers that looks at as little as it can. */
import { connect, type Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { percentile } from './figure.ts'
import type { Load, LoadResult } from './load.ts'

const load = workerData as Load
const { hostname, port } = new URL(load.url)
const total = load.total ?? Number.POSITIVE_INFINITY
const endsAt = performance.now() + (load.seconds ?? 3600) * 1000
const keptTimes = 200_000

const bytesOf = ({ path, method = 'GET', headers = {}, body }: Load['requests'][number]): Buffer => {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `host: ${hostname}:${port}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  if (body !== undefined) lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`)
}
const requests = load.requests.map(bytesOf)
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

/** Length of the whole answer at the start of the bytes; null while it is not all there. */
function lengthOf(data: Buffer, isHead: boolean): number | null {
  const headEnd = data.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const head = data.toString('latin1', 0, headEnd).toLowerCase()
  const status = Number(head.slice(9, 12))
  if (isHead || status === 204 || status === 304) return headEnd + 4
  const length = /\r\ncontent-length: *(\d+)/.exec(head)
  if (length) return data.length >= headEnd + 4 + Number(length[1]) ? headEnd + 4 + Number(length[1]) : null
  for (let at = headEnd + 4; ;) {
    const lineEnd = data.indexOf('\r\n', at)
    if (lineEnd < 0) return null
    const size = Number.parseInt(data.toString('latin1', at, lineEnd), 16)
    at = lineEnd + 2 + size + 2
    if (at > data.length) return null
    if (size === 0) return at
  }
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
      if (lengthOf(all, headRequests[turn % requests.length] ?? false) === null) return
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
