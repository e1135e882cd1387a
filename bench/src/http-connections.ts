/** Keep-alive connections to loopback, each with one request at a time, that look at as little of an answer as they can: what asks must not take the processor of what is measured. */
import { connect, type Socket } from 'node:net'

export interface HttpRequest {
  path: string
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** A request as it is sent. */
export function bytesOf(host: string, { path, method = 'GET', headers = {}, body }: HttpRequest): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${host}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
  if (body !== undefined) lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`)
}

/** Where the first answer ends among the bytes; null while it is not all there. */
export function endOfAnswer(data: Buffer, isHead: boolean): number | null {
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

export interface Answer {
  status: number
  text: string
}

interface Waiting {
  bytes: Buffer
  resolve(answer: Answer): void
  reject(error: Error): void
}

/** Answers in JSON, of a length that is told. One that the server closes between two answers is opened again. */
export class HttpConnections {
  readonly #url: URL
  readonly #open = new Set<Socket>()
  readonly #idle: Socket[] = []
  readonly #waiting: Waiting[] = []
  readonly #most: number
  constructor(url: string, most: number) {
    this.#url = new URL(url)
    this.#most = most
  }

  ask(asked: HttpRequest): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    this.#waiting.push({ bytes: bytesOf(this.#url.host, asked), resolve, reject })
    const idle = this.#idle.pop()
    if (idle) idle.emit('free')
    else if (this.#open.size < this.#most) this.#connect()
    return promise
  }

  #connect(): void {
    const socket = connect({ host: this.#url.hostname, port: Number(this.#url.port), noDelay: true })
    this.#open.add(socket)
    let current: Waiting | undefined
    let data: Buffer | null = null
    const next = (): void => {
      current = this.#waiting.shift()
      if (current) socket.write(current.bytes)
      else this.#idle.push(socket)
    }
    socket.on('connect', next)
    socket.on('free', next)
    socket.on('data', (chunk: Buffer) => {
      data = data ? Buffer.concat([data, chunk]) : chunk
      if (!current || endOfAnswer(data, false) === null) return
      current.resolve({ status: Number(data.toString('latin1', 9, 12)), text: data.toString('utf8', data.indexOf('\r\n\r\n') + 4) })
      data = null
      next()
    })
    const ended = (error?: Error): void => {
      if (!this.#open.delete(socket)) return
      const at = this.#idle.indexOf(socket)
      if (at >= 0) this.#idle.splice(at, 1)
      current?.reject(error ?? new Error('the server closed while it was asked'))
      if (this.#waiting.length > 0) this.#connect()
    }
    socket.on('error', ended)
    socket.on('close', () => ended())
  }

  close(): void {
    for (const socket of this.#open) socket.destroy()
  }
}
