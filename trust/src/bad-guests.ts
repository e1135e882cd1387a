/** Guests that search, draw share pictures, register and hold as badly as they can, from eight networks. */
import { Agent, request } from 'node:http'
import type { Random } from '@soigne/demo/random'
import { dayMs, minuteMs } from '@soigne/contract/time'
import type { Stage } from './stage.ts'
import { holdsPath } from './wire.ts'
import { holdBody, type Institute, type Person } from './world.ts'

const networks = 8
/** A guest that waits for nothing still lets its own process breathe. */
const longestAnswerMs = 10_000

interface Ask {
  method: 'GET' | 'POST'
  path: string
  body?: unknown
}

/** The status of one answer; 0 when none came. */
function send(agent: Agent, url: string, { method, path, body }: Ask, headers: Record<string, string>): Promise<number> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  return new Promise((resolve) => {
    const asked = request(
      url + path,
      {
        method,
        agent,
        headers: {
          ...headers,
          ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        },
      },
      (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode ?? 0)).on('error', () => resolve(0))
      },
    )
    asked.on('error', () => resolve(0))
    asked.setTimeout(longestAnswerMs, () => asked.destroy())
    asked.end(text)
  })
}

export interface Attack {
  /** Everybody has had a first answer. */
  begun: Promise<unknown>
  /** Ends it; how often what was answered how. */
  stop(): Promise<Record<string, number>>
}

interface Targets {
  people: readonly Person[]
  /** Held as empty as they can. */
  salon: Institute
  /** Institutes with share pictures. */
  slugs: readonly string[]
  random: Random
}

/** What each kind of guest asks for, by its number and the round. */
function asksOf({ salon, slugs, random }: Targets): Record<string, (n: number, round: number) => Ask> {
  const today = Math.floor(Date.now() / dayMs) * dayMs
  return {
    search: () => ({
      method: 'GET',
      path: `/api/v1/client/institutes?area=-180,-90,180,90&sort=soonest&pageSize=50&maxPrice=${random.whole(1_000_000)}`,
    }),
    picture: () => ({ method: 'GET', path: `/og/${slugs[random.whole(slugs.length)] ?? 'home'}.png` }),
    register: () => ({
      method: 'POST',
      path: '/api/v1/client/auth/register',
      body: {
        firstName: 'Nour',
        lastName: 'Benali',
        email: `bad-${random.whole(1e9)}@trust.test`,
        password: 'quiet-river-8841',
        role: 'isClient',
        acceptTerms: true,
      },
    }),
    hold: (n, round) => {
      const start = today + dayMs * (1 + ((n + round) % 6)) + (8 * 60 + 5 * ((n * 13 + round * 7) % 120)) * minuteMs
      const lines = Array.from({ length: round % 2 ? 3 : 1 }, () => [round % 2, n % 3] as const)
      return { method: 'POST', path: holdsPath, body: holdBody(salon, new Date(start).toISOString(), lines) }
    },
  }
}

export function badly(stage: Stage, targets: Targets): Attack {
  const url = stage.servers[0]?.url ?? ''
  const answers: Record<string, number> = {}
  let isOver = false
  const asks = asksOf(targets)
  const kinds = Object.keys(asks)
  const agents: Agent[] = []
  const guest = async (person: Person, n: number, first: () => void): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    agents.push(agent)
    const kind = kinds[n % kinds.length] ?? 'search'
    const headers = {
      'x-forwarded-for': `198.51.100.${n % networks}`,
      ...(kind === 'hold' && { authorization: `Bearer ${person.token}` }),
    }
    for (let round = 0; !isOver; round++) {
      const asked = asks[kind]?.(n, round)
      if (!asked) return
      const what = `${kind} ${await send(agent, url, asked, headers)}`
      answers[what] = (answers[what] ?? 0) + 1
      if (round === 0) first()
    }
  }
  const begun: Promise<void>[] = []
  const all = targets.people.map((person, n) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    begun.push(promise)
    return guest(person, n, resolve)
  })
  return {
    begun: Promise.all(begun),
    async stop() {
      isOver = true
      await Promise.all(all)
      for (const agent of agents) agent.destroy()
      return Object.fromEntries(Object.entries(answers).toSorted())
    },
  }
}
