/** `kill-postgres`: the database is killed under a running server, the postmaster and one backend by turns. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Back, tooLate, untilEnded, waitUntilBack } from './back-again.ts'
import { checkInvariants, checkSummary, suspiciousWords } from './invariants.ts'
import { checkPages } from './pages-on-disk.ts'
import type { Random } from '@soigne/demo/random'
import { openStage, type Server, type Stage } from './stage.ts'
import { largest, percentile, type Trial } from './trial.ts'
import { openClient } from './wire.ts'
import { makePeople } from './world.ts'
import { compareAcknowledged, lettersLeft, makeWritersInstitute, Writers, writers } from './writers.ts'

const startLimitMs = 30_000

/** The connections of servers. Right after a restart some of our own may be broken, and are made anew. */
async function connectionsOfServers(stage: Stage): Promise<number[]> {
  for (const deadline = Date.now() + startLimitMs; ; await sleep(20)) {
    try {
      const { rows } = await stage.db.query<{ pid: number }>(
        `select pid from pg_stat_activity where backend_type = 'client backend' and application_name like 'soigne-%' order by pid`,
      )
      return rows.map(({ pid }) => pid)
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
  }
}

/** A connection of the server, killed from outside: Postgres takes that for a crash, ends all others and starts anew. Until they have ended they may still answer. */
async function killBackend(stage: Stage, random: Random): Promise<boolean> {
  const pids = await connectionsOfServers(stage)
  if (pids.length === 0) return false
  process.kill(random.pick(pids), 'SIGKILL')
  await untilEnded(pids, startLimitMs)
  return true
}

/** The postmaster, killed. Connections it leaves behind still answer for a moment; Postgres starts anew only when they are gone. */
async function killPostmaster(stage: Stage): Promise<void> {
  const killed = stage.postmaster()
  if (killed === null) throw new Error('there is no Postgres to kill')
  process.kill(killed, 'SIGKILL')
  for (const deadline = Date.now() + startLimitMs; Date.now() < deadline; await sleep(5)) {
    if (![killed, null].includes(stage.postmaster())) return
  }
  throw new Error(`no other Postgres started in ${startLimitMs} ms`)
}

const spread = (name: string, backs: readonly Back[]): Record<string, number> => ({
  [`${name}: booked again p50 ms`]: percentile(
    backs.map(({ bookedMs }) => bookedMs),
    0.5,
  ),
  [`${name}: booked again max ms`]: largest(backs.map(({ bookedMs }) => bookedMs)),
})

export const killPostgres: Trial = async ({ random, kills, say }) => {
  const stage = await openStage({ servers: 1 })
  const clients = (await makePeople(stage.db, writers)).map(({ token }) => openClient(token))
  try {
    const server = stage.servers[0] as Server
    const institute = await makeWritersInstitute(stage.db)
    const work = new Writers(clients, institute, () => server.url, random)
    const backs: Record<'postmaster' | 'backend', Back[]> = { postmaster: [], backend: [] }
    const violations: string[] = []
    await sleep(500)
    for (let kill = 1; kill <= kills; kill++) {
      await sleep(20 + random.whole(231))
      const which = kill % 2 === 1 ? 'postmaster' : 'backend'
      const killedAt = Date.now()
      if (which === 'postmaster') await killPostmaster(stage)
      else if (!(await killBackend(stage, random))) violations.push('the server had no connection to kill')
      backs[which].push(await waitUntilBack(() => server.url, killedAt, work.written.bookedAt))
      if (server.hasEnded()) throw new Error(`the server ended with the database:\n${server.log().slice(-2000)}`)
      if (kill % 10 === 0) say(`${kill} kills, ${work.written.acknowledged.length} booked`)
    }
    const written = await work.stop()
    const letters = await lettersLeft(stage.db, institute)
    if (written.unanswered > 0) violations.push(`${written.unanswered} questions were not answered at all, though the server lives`)
    violations.push(...written.odd, ...(await compareAcknowledged(stage.db, institute, written.acknowledged)))
    violations.push(...tooLate(backs.postmaster), ...tooLate(backs.backend), ...(await checkInvariants(stage.db)))
    const pages = await checkPages(stage.db)
    const summary = await checkSummary(stage)
    violations.push(...suspiciousWords(stage))
    return {
      figures: {
        kills,
        booked: written.acknowledged.length,
        'asked to come back': written.putOff,
        'answered yes when asked again': written.resolved,
        'letters all sent after ms': letters.lateMs,
        ...spread('postmaster', backs.postmaster),
        ...spread('backend', backs.backend),
        'indexes sound': pages.indexes,
        'tables sound': pages.tables,
        summary: summary.checked ? 'verified' : 'not there yet',
      },
      violations: [...violations, ...letters.violations, ...pages.violations, ...summary.violations],
    }
  } finally {
    for (const client of clients) client.close()
    await stage.close()
  }
}
