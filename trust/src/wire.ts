/** HTTP as a browser speaks it: one connection for each client, kept alive; every answer with when it was asked and when it came. */
import { Agent, request } from 'node:http'

export interface Answer {
  /** 0 when no answer came: what was asked may or may not have happened. */
  status: number
  body: Body
  retryAfter: string | undefined
  /** Milliseconds since the epoch, widened outwards to whole ones. */
  beganAt: number
  endedAt: number
}
export interface Body {
  _id?: string
  code?: string
  message?: string
  status?: string
  startsAt?: string
  endsAt?: string
  expiresAt?: string
  segments?: { serviceId: string; staffId: string; startsAt: string; endsAt: string }[]
  details?: { reason?: string; isRunning?: boolean; nearest?: { startsAt: string; endsAt: string }[] }
  proposal?: { startsAt: string } | null
  version?: number
  appointments?: { _id: string }[]
  items?: unknown[]
  days?: { day: string; times: { startsAt: string }[] }[]
  /** Where it is paid. */
  payment?: { url: string } | null
  checkout?: { state: string } | null
}

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  body?: unknown
  /** Sent as a form of a page; instead of a body. */
  form?: Record<string, string>
  /** Idempotency-Key. */
  key?: string
}

export interface Client {
  token: string
  send(url: string, call: HttpRequest, timeoutMs?: number): Promise<Answer>
  close(): void
}

export const holdsPath = '/api/v1/secure/appointments/holds'
export const visitsPath = '/api/v1/secure/appointments'

/** @param network the address it comes from, where the server trusts who says so */
export function openClient(token: string, network?: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = {
    ...(token !== '' && { authorization: `Bearer ${token}` }),
    ...(network !== undefined && { 'x-forwarded-for': network }),
  }
  return {
    token,
    send: (url, call, timeoutMs = 30_000) => send(agent, headers, url, call, timeoutMs),
    close: () => agent.destroy(),
  }
}

function send(agent: Agent, identity: Record<string, string>, url: string, call: HttpRequest, timeoutMs: number): Promise<Answer> {
  const form = call.form && new URLSearchParams(call.form).toString()
  const text = form ?? (call.body === undefined ? undefined : JSON.stringify(call.body))
  const beganAt = Date.now()
  return new Promise((resolve) => {
    const settle = (status: number, body: Body, retryAfter?: string): void =>
      resolve({ status, body, retryAfter, beganAt, endedAt: Date.now() + 1 })
    const asked = request(
      url + call.path,
      {
        method: call.method,
        agent,
        headers: {
          ...identity,
          ...(text !== undefined && {
            'content-type': form === undefined ? 'application/json' : 'application/x-www-form-urlencoded',
            'content-length': Buffer.byteLength(text),
          }),
          ...(call.key !== undefined && { 'idempotency-key': call.key }),
        },
      },
      (response) => {
        let answer = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (answer += chunk))
        response.on('error', () => settle(0, {}))
        response.on('end', () => {
          try {
            const body = (answer === '' ? {} : JSON.parse(answer)) as Body
            settle(response.complete ? (response.statusCode ?? 0) : 0, body, response.headers['retry-after'])
          } catch {
            settle(response.complete ? (response.statusCode ?? 0) : 0, {}, response.headers['retry-after'])
          }
        })
      },
    )
    asked.on('error', () => settle(0, {}))
    asked.setTimeout(timeoutMs, () => asked.destroy())
    asked.end(text)
  })
}
