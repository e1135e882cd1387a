/** A small proxy before two nodes: what can be asked twice without harm is asked of the other node when the first is gone. */
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Proxy {
  url: string
  /** Questions that were asked again elsewhere. */
  redispatched(): number
  /** Names the node's new address. */
  replace(at: number, url: string): void
  /** Takes a node out or in again, as a check of its health does. */
  setUp(at: number, isUp: boolean): void
  close(): Promise<void>
}

interface Reply {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
}
interface Node {
  url: string
  isUp: boolean
  agent: Agent
}

/** How long one question is tried before the client hears of it. */
const patienceMs = 8000

const mayAskAgain = (question: IncomingMessage): boolean => question.method === 'GET' || question.headers['idempotency-key'] !== undefined

function forward(node: Node, question: IncomingMessage, body: Buffer): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const asked = request(
      node.url + (question.url ?? '/'),
      { method: question.method, agent: node.agent, headers: { ...question.headers, host: new URL(node.url).host } },
      (reply) => {
        const parts: Buffer[] = []
        reply.on('data', (part: Buffer) => parts.push(part))
        reply.on('error', reject)
        reply.on('end', () =>
          reply.complete
            ? resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(parts) })
            : reject(new Error('cut off')),
        )
      },
    )
    asked.on('error', reject)
    asked.end(body)
  })
}

async function bodyOf(question: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of question) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

export async function openProxy(urls: readonly string[]): Promise<Proxy> {
  const nodes: Node[] = urls.map((url) => ({ url, isUp: true, agent: new Agent({ keepAlive: true }) }))
  let turn = 0
  let again = 0
  const next = (): Node => {
    const up = nodes.filter(({ isUp }) => isUp)
    const list = up.length > 0 ? up : nodes
    return list[turn++ % list.length] as Node
  }
  async function ask(question: IncomingMessage, body: Buffer): Promise<Reply | null> {
    const until = Date.now() + patienceMs
    for (;;) {
      const node = next()
      try {
        const reply = await forward(node, question, body)
        // A node that drains says so; somebody else will answer.
        if (reply.status !== 503 || !mayAskAgain(question) || Date.now() > until) return reply
      } catch {
        node.isUp = false
        if (!mayAskAgain(question) || Date.now() > until) return null
      }
      again++
      await sleep(5)
    }
  }
  const server = createServer((question: IncomingMessage, response: ServerResponse) => {
    void bodyOf(question)
      .then((body) => ask(question, body))
      .then((reply) => {
        if (!reply) return response.writeHead(502).end()
        const { connection: _connection, 'transfer-encoding': _coding, 'keep-alive': _alive, ...headers } = reply.headers
        return response.writeHead(reply.status, { ...headers, 'content-length': reply.body.length }).end(reply.body)
      })
      .catch(() => response.destroy())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    redispatched: () => again,
    replace(at, url) {
      const node = nodes[at]
      if (!node) return
      node.agent.destroy()
      Object.assign(node, { url, isUp: true, agent: new Agent({ keepAlive: true }) })
    },
    setUp(at, isUp) {
      const node = nodes[at]
      if (node) node.isUp = isUp
    },
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
      for (const { agent } of nodes) agent.destroy()
    },
  }
}
