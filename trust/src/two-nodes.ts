/** `two-nodes`: behind a proxy one of two nodes is killed, and then drained, by turns; readers and bookers must not notice. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterwards, deadlocks } from './invariants.ts'
import { openProxy, type Proxy } from './proxy.ts'
import type { Random } from '@soigne/demo/random'
import { openStage, type Stage } from './stage.ts'
import { largest, percentile, type Trial } from './trial.ts'
import { type Client, openClient } from './wire.ts'
import { dayAhead, makePeople, type Institute } from './world.ts'
import { compareAcknowledged, lettersLeft, makeWritersInstitute, Writers, writers } from './writers.ts'

const readers = 8
const rounds = 8
/** After this the product ends whatever still runs. */
const cutOffMs = 14_500

/** Reads pages and free times all the while; every answer must be a good one. */
class Readers {
  asked = 0
  readonly waited: number[] = []
  readonly failed: string[] = []
  #isDone = false
  readonly #running: Promise<unknown>

  constructor(clients: readonly Client[], url: string, paths: readonly string[], random: Random) {
    this.#running = Promise.all(clients.map((client) => this.#read(client, url, paths, random)))
  }

  async stop(): Promise<void> {
    this.#isDone = true
    await this.#running
  }

  async #read(client: Client, url: string, paths: readonly string[], random: Random): Promise<void> {
    while (!this.#isDone) {
      const path = random.pick(paths)
      const { status, beganAt, endedAt } = await client.send(url, { method: 'GET', path })
      this.asked++
      this.waited.push(endedAt - beganAt)
      if (status !== 200) this.failed.push(`GET ${path} was answered ${status}`)
      await sleep(10 + random.whole(30))
    }
  }
}

const pathsOf = (institute: Institute): string[] => [
  `/api/v1/client/institutes/${institute.id}/availability?service=${institute.services[0]?.id}&from=${new Date(dayAhead(20)).toISOString().slice(0, 10)}&days=2`,
  '/ready',
  '/api/v1/secure/appointments/holds',
  '/api/v1/secure/appointments?when=upcoming',
  '/terms',
]

/** Ends one node by turns and brings it back, `rounds` times. */
async function endByTurns(stage: Stage, proxy: Proxy, random: Random, end: 'kill' | 'stop'): Promise<number[]> {
  const lasted: number[] = []
  const live = [...stage.servers]
  for (let round = 0; round < rounds; round++) {
    await sleep(300 + random.whole(400))
    const at = round % 2
    const began = performance.now()
    await live[at]?.[end]()
    lasted.push(performance.now() - began)
    proxy.setUp(at, false)
    const server = await stage.start()
    live[at] = server
    proxy.replace(at, server.url)
  }
  stage.servers.splice(0, stage.servers.length, ...live)
  return lasted
}

export const twoNodes: Trial = async ({ random, say }) => {
  const stage = await openStage({ servers: 2 })
  const people = await makePeople(stage.db, writers + readers)
  const clients = people.map(({ token }) => openClient(token))
  const proxy = await openProxy(stage.servers.map(({ url }) => url))
  try {
    const institute = await makeWritersInstitute(stage.db)
    const before = await deadlocks(stage.db)
    const work = new Writers(clients.slice(0, writers), institute, () => proxy.url, random)
    const reading = new Readers(clients.slice(writers), proxy.url, pathsOf(institute), random.fork('readers'))
    await endByTurns(stage, proxy, random, 'kill')
    const afterKills = proxy.redispatched()
    const unansweredAtKills = work.written.unanswered + work.written.putOff
    say(`${rounds} kills, ${reading.asked} read, ${work.written.acknowledged.length} booked`)
    const drains = await endByTurns(stage, proxy, random, 'stop')
    say(`${rounds} drains, ${reading.asked} read, ${work.written.acknowledged.length} booked`)
    const written = await work.stop()
    await reading.stop()
    const letters = await lettersLeft(stage.db, institute)
    const violations = [...reading.failed, ...written.odd, ...letters.violations]
    violations.push(...(await compareAcknowledged(stage.db, institute, written.acknowledged)))
    // A booking cut off by a kill may be asked again by its client; a drain must answer every one.
    const unansweredAtDrains = written.unanswered + written.putOff - unansweredAtKills
    if (unansweredAtDrains > 0) violations.push(`${unansweredAtDrains} bookings were not answered while a node drained`)
    if (largest(drains) >= cutOffMs) violations.push(`a drain lasted ${largest(drains)} ms: it was cut off`)
    const { violations: more, summary } = await afterwards(stage, before)
    return {
      figures: {
        kills: rounds,
        drains: rounds,
        'GET asked': reading.asked,
        'GET failed': reading.failed.length,
        'GET p99 ms': percentile(reading.waited, 0.99),
        booked: written.acknowledged.length,
        'bookings asked again by the client at kills': unansweredAtKills,
        'redispatched at kills': afterKills,
        'redispatched at drains': proxy.redispatched() - afterKills,
        'drain p50 ms': percentile(drains, 0.5),
        'drain max ms': largest(drains),
        summary,
      },
      violations: [...violations, ...more],
    }
  } finally {
    for (const client of clients) client.close()
    await proxy.close()
    await stage.close()
  }
}
