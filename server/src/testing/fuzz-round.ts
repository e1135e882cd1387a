/** A fuzz: so many requests from a seed, a share of them byte by byte, several at a time; what was met and what was wrong. */
import { Agent } from 'node:http'
import fc from 'fast-check'
import { type FuzzRequest, type Operation, requests } from './fuzz-asking.ts'
import { type HostileRequest, hostile } from './fuzz-bytes.ts'
import { type FuzzAnswer, wrongWithCall, wrongWithRefusal } from './fuzz-verdict.ts'
import { sendBytes, sendCall } from './fuzz-wire.ts'
import type { FuzzWorld } from './fuzz-world.ts'

export interface FuzzOptions {
  url: string
  world: FuzzWorld
  operations: readonly Operation[]
  cases: number
  seed: number
  /** Whether the server has pages besides its calls. */
  withPages: boolean
  /** Called after each batch, with the number of cases done. */
  progress?(done: number): Promise<void>
}
export interface FuzzOutcome {
  /** Calls and how they ended, counted. */
  met: Map<string, number>
  /** Hostile requests by status of the answer; 0 is a connection closed without a word. */
  statuses: Map<number, number>
  /** One line each, at most fifty. */
  wrong: string[]
  slowestMs: number
}

const atOnce = 6
const batchSize = 500
/** One in so many is sent byte by byte. */
const bytesEvery = 4

const count = <K>(map: Map<K, number>, key: K): void => void map.set(key, (map.get(key) ?? 0) + 1)
const shortened = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}… (${text.length})` : text)

export async function fuzz(options: FuzzOptions): Promise<FuzzOutcome> {
  const { url, world, operations, cases, seed, withPages } = options
  const outcome: FuzzOutcome = { met: new Map(), statuses: new Map(), wrong: [], slowestMs: 0 }
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  const blame = (what: string, asked: string, answer: FuzzAnswer | null): void => {
    if (outcome.wrong.length < 50) outcome.wrong.push(`${what}: ${asked} → ${answer?.status ?? ''} ${shortened(answer?.text ?? '', 300)}`)
  }
  // The next batch may ask for what this one made.
  const remember = (operationId: string, { text }: FuzzAnswer): void => {
    const ids = world.ids[operationId === 'makeHold' ? 'holdId' : operationId === 'book' ? 'visitId' : '']
    ids?.push((JSON.parse(text) as { _id: string })._id)
    if (ids && ids.length > 40) ids.shift()
  }
  const askCall = async (asked: FuzzRequest): Promise<void> => {
    const shown = `${asked.who} ${asked.method} ${shortened(asked.path, 400)} ${JSON.stringify(asked.headers)} ${shortened(asked.body ?? '', 500)}`
    // Who logs out is somebody else each time, or everybody would be a stranger soon.
    const token = asked.operationId !== 'logout' ? world.tokens[asked.who] : asked.who === 'client' ? await world.passer() : 'x'.repeat(43)
    try {
      const answer = await sendCall(url, agent, asked, token)
      const wrong = wrongWithCall(asked.operationId, answer)
      if (wrong !== null) blame(wrong, shown, answer)
      if (answer.status === 201) remember(asked.operationId, answer)
      count(
        outcome.met,
        `${asked.operationId} ${answer.status < 400 ? 'done' : (/"code":"(\w+)"/.exec(answer.text)?.[1] ?? answer.status)}`,
      )
    } catch (error) {
      blame((error as Error).message, shown, null)
    }
  }
  const askHostile = async ({ method, page, bytes }: HostileRequest): Promise<void> => {
    const shown = JSON.stringify(shortened(bytes.toString('latin1'), 900))
    try {
      const answer = await sendBytes(url, bytes, method === 'HEAD')
      count(outcome.statuses, answer?.status ?? 0)
      const wrong = answer === null ? 'closed without a word' : wrongWithRefusal(answer, { head: method === 'HEAD', page })
      if (wrong !== null) blame(wrong, shown, answer)
    } catch (error) {
      blame((error as Error).message, shown, null)
    }
  }
  for (let done = 0; done < cases; done += batchSize) {
    const size = Math.min(batchSize, cases - done)
    const rude = Math.floor(size / bytesEvery)
    // Every call once at first, however many there are; then as they come.
    const each = done > 0 ? [] : operations.slice(0, size - rude)
    const calls = [
      ...each.flatMap((operation) => fc.sample(requests([operation], world), { numRuns: 1, seed })),
      ...fc.sample(requests(operations, world), { numRuns: size - rude - each.length, seed: seed + done }),
    ]
    const work = [
      ...calls.map((asked) => () => askCall(asked)),
      ...fc.sample(hostile(operations, world, withPages), { numRuns: rude, seed: seed + done }).map((asked) => () => askHostile(asked)),
    ]
    // The two kinds meet each other.
    const queue = work.map((one, n) => ({ one, place: (n * 389) % work.length })).sort((a, b) => a.place - b.place)
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let next = queue.pop(); next; next = queue.pop()) {
          const began = performance.now()
          await next.one()
          outcome.slowestMs = Math.max(outcome.slowestMs, performance.now() - began)
        }
      }),
    )
    await options.progress?.(done + size)
  }
  agent.destroy()
  return outcome
}
