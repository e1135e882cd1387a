/** Sends a fuzz's requests over real sockets: well-formed ones through Node's client, the others byte by byte. */
import { type Agent, request } from 'node:http'
import { connect } from 'node:net'
import type { FuzzRequest } from './fuzz-asking.ts'
import type { FuzzAnswer } from './fuzz-verdict.ts'

/** Milliseconds after which a request counts as hung, however busy the machine is. */
const patience = 60_000

/** One well-formed request; rejects with `hung` when nothing comes. */
export function sendCall(url: string, agent: Agent, asked: FuzzRequest, token: string | undefined): Promise<FuzzAnswer> {
  const headers: Record<string, string> = { ...asked.headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) }
  if (asked.body !== undefined) headers['content-length'] = String(Buffer.byteLength(asked.body))
  return new Promise((done, fail) => {
    const sent = request(`${url}/`, { agent, method: asked.method, path: asked.path, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', fail)
      response.on('end', () => {
        clearTimeout(timer)
        done({
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string>,
          text: Buffer.concat(parts).toString(),
        })
      })
    })
    const timer = setTimeout(() => sent.destroy(new Error('hung')), patience)
    sent.on('error', (error) => {
      clearTimeout(timer)
      fail(error)
    })
    sent.end(asked.body)
  })
}

/** The text of a chunked body. */
function joined(body: Buffer): Buffer | null {
  const parts: Buffer[] = []
  for (let at = 0; ;) {
    const lineEnd = body.indexOf('\r\n', at)
    if (lineEnd < 0) return null
    const size = Number.parseInt(body.toString('latin1', at, lineEnd), 16)
    if (size === 0) return Buffer.concat(parts)
    if (body.length < lineEnd + 2 + size) return null
    parts.push(body.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 4 + size
  }
}

/** Reads the final answer of some bytes; null while it is not all there. */
function answerIn(bytes: Buffer, isHead: boolean, ended: boolean): FuzzAnswer | null {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const [first = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const status = Number(first.split(' ')[1])
  // "Continue" goes ahead of the answer.
  if (status === 100) return answerIn(bytes.subarray(headEnd + 4), isHead, ended)
  const headers = Object.fromEntries(
    lines.map((line: string) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const rest = bytes.subarray(headEnd + 4)
  const answer = (body: Buffer): FuzzAnswer => ({ status, headers, text: body.toString() })
  if (isHead || status === 204 || status === 304) return answer(Buffer.alloc(0))
  if (headers['transfer-encoding']?.includes('chunked')) {
    const body = joined(rest)
    return body && answer(body)
  }
  const length = headers['content-length']
  if (length !== undefined) return rest.length >= Number(length) ? answer(rest.subarray(0, Number(length))) : null
  return ended ? answer(rest) : null
}

/** Sends bytes on a connection of their own; null when the server closed it without a word. */
export function sendBytes(url: string, bytes: Buffer, isHead: boolean): Promise<FuzzAnswer | null> {
  const { hostname, port } = new URL(url)
  return new Promise((done, fail) => {
    let got: Buffer = Buffer.alloc(0)
    const socket = connect({ host: hostname, port: Number(port) })
    const end = (answer: FuzzAnswer | null): void => {
      clearTimeout(timer)
      socket.destroy()
      done(answer)
    }
    const timer = setTimeout(() => {
      socket.destroy()
      fail(new Error(`hung after ${got.length} bytes: ${got.toString('latin1', 0, 200)}`))
    }, patience)
    socket.on('data', (chunk: Buffer) => {
      got = Buffer.concat([got, chunk])
      const answer = answerIn(got, isHead, false)
      if (answer) end(answer)
    })
    // A server that has refused may close while we still write; what it said before counts.
    socket.on('error', () => {})
    socket.on('close', () => end(answerIn(got, isHead, true)))
    socket.write(bytes)
  })
}
