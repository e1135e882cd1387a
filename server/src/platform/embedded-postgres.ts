/** The embedded PostgreSQL: one cluster per DATA_DIR, shared by every process that names it, reachable by a unix socket only, and kept running as long as one of them lives. */
import { minuteMs } from '@soigne/contract/time'
import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ClusterUser, joinUsers } from './cluster-users.ts'
import type { Log } from './log.ts'
import {
  clientOf,
  type Cluster,
  conditionBy,
  conditionOf,
  layOut,
  makeCluster,
  query,
  startServer,
  stopServer,
  superuser,
  wake,
  wakeStopped,
} from './postgres-cluster.ts'

const database = 'soigne'

/** Where the running cluster is reached, and how to leave it. */
export interface EmbeddedPostgres {
  url: string
  /** From now on, and until it is left, the cluster is looked after: woken when it is silent, started again when it has ended, however often that takes. */
  supervise(log: Log): void
  /** Bytes that are left where it writes. */
  freeBytes(): Promise<number>
  /** Stops the cluster unless somebody else uses it. */
  leave(): Promise<void>
}

/**
 * Whether nobody else is connected, such as a release that did not tell who uses the cluster. Postgres needs a moment to end what served a
 * connection that was just closed. What this process itself still has open, a migration perhaps, keeps nothing up: it is leaving.
 */
async function isLeftByAll(cluster: Cluster): Promise<boolean> {
  for (let look = 0; look < 10; look++) {
    if (look > 0) await sleep(100)
    try {
      const others = await query(
        cluster,
        'postgres',
        `select count(*)::int as n from pg_stat_activity
         where backend_type = 'client backend' and pid <> pg_backend_pid() and application_name <> 'soigne-watch'
           and application_name not like $1`,
        { values: [`soigne%-${process.pid}`] },
      )
      if ((others.rows[0] as { n: number }).n === 0) return true
    } catch {
      // Nobody is served by one that does not answer, and no user of it is left.
      return true
    }
  }
  return false
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** On a full disk a file can be made that nothing can be written to: such a lock would have no holder to take it from. */
function takeLock(file: string): void {
  const handle = openSync(file, 'wx')
  try {
    writeSync(handle, String(process.pid))
  } catch (error) {
    rmSync(file, { force: true })
    throw error
  } finally {
    closeSync(handle)
  }
}

/** Whoever takes the lock says at once who it is. */
const isOldFile = (file: string): boolean => Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > 2000

/** One process at a time starts or stops the cluster; a lock left by a dead process is taken over. */
async function withLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const file = join(dataDir, 'postgres.lock')
  for (const deadline = Date.now() + minuteMs; ;) {
    try {
      takeLock(file)
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    let holder = ''
    try {
      holder = readFileSync(file, 'utf8')
    } catch {
      continue
    }
    if (holder === '' ? isOldFile(file) : !isAlive(Number(holder))) rmSync(file, { force: true })
    else if (Date.now() > deadline) throw new Error(`another process (pid ${holder}) has held ${file} for a minute`)
    else await sleep(50)
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

/** Starts it if nobody has: one look decides, under the lock. */
async function startUnlessRunning(cluster: Cluster, dataDir: string, giveUp?: AbortSignal): Promise<void> {
  const condition = await conditionOf(cluster)
  if (condition === 'answers') return
  if (condition === 'starting') return sleep(15)
  if (condition === 'silent') return wake(cluster)
  await withLock(dataDir, async () => {
    if ((await conditionOf(cluster)) === 'absent') await startServer(cluster, giveUp)
  })
}

/** The longest wait between two tries. */
const longestWaitMs = 1000
/** At a start it is tried so long; after that a person had better read why. */
const startMs = 10_000

/** What a first start writes, the cluster and the demo, and some to live on; 279 MB were written when it was measured. */
const firstStartBytes = 400 * 1024 ** 2

async function bytesLeft(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

/** A cluster that runs out of room while it is made leaves nothing that says so. @throws ENOSPC */
async function makeWithRoom(cluster: Cluster, roomLeft: typeof bytesLeft): Promise<void> {
  const folder = dirname(cluster.pgData)
  const left = await roomLeft(folder)
  if (!existsSync(join(cluster.pgData, 'PG_VERSION')) && left < firstStartBytes) {
    const [has, needs] = [left, firstStartBytes].map((bytes) => Math.floor(bytes / 1024 ** 2))
    throw Object.assign(new Error(`${folder} has ${has} MB left, and a first start needs ${needs}`), { code: 'ENOSPC' })
  }
  await makeCluster(cluster)
}

async function startAtFirst(cluster: Cluster, dataDir: string, roomLeft: typeof bytesLeft): Promise<void> {
  if ((await conditionOf(cluster)) === 'absent') await withLock(dataDir, () => makeWithRoom(cluster, roomLeft))
  let refused: unknown
  for (const deadline = Date.now() + startMs; (await conditionOf(cluster)) !== 'answers';) {
    if (Date.now() > deadline && refused) throw refused
    try {
      await startUnlessRunning(cluster, dataDir)
    } catch (error) {
      refused = error
      await sleep(100)
    }
  }
}

/** How often a cluster that answers is looked at; one that ends is noticed at once, by the connection that is lost. */
const lookMs = 500

/** Looks after the cluster until it is told to stop. */
class Supervisor {
  readonly #cluster: Cluster
  readonly #dataDir: string
  readonly #user: ClusterUser
  readonly #log: Log
  readonly #stopping = new AbortController()
  #failed = 0
  #refused = 0
  #turn: Promise<void>

  constructor(cluster: Cluster, { dataDir, user, log }: { dataDir: string; user: ClusterUser; log: Log }) {
    this.#cluster = cluster
    this.#dataDir = dataDir
    this.#user = user
    this.#log = log
    this.#turn = this.#look()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#turn
  }

  async #look(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await this.#watch()
      if (!this.#stopping.signal.aborted) await this.#mend()
    }
  }

  /** Returns when the cluster does not answer any more, or somebody has taken it away. */
  async #watch(): Promise<void> {
    const client = clientOf(this.#cluster, 'postgres')
    const lost = new AbortController()
    client.once('end', () => lost.abort())
    try {
      await client.connect()
      const signal = AbortSignal.any([lost.signal, this.#stopping.signal])
      while (!signal.aborted) {
        await client.query('select 1')
        if (this.#failed > 0) this.#log.warn({ tries: this.#failed }, 'the database is back')
        this.#failed = 0
        await this.#user.stay()
        if (wakeStopped(this.#cluster)) this.#log.warn('Postgres had been stopped and goes on')
        await sleep(lookMs, undefined, { signal }).catch(() => {})
      }
    } catch (error) {
      if (this.#failed === 0) this.#log.warn({ err: (error as Error).message }, 'the database does not answer')
      if (conditionBy(error) === 'silent') wake(this.#cluster)
    } finally {
      await client.end().catch(() => {})
    }
  }

  async #mend(): Promise<void> {
    const { signal } = this.#stopping
    let waitMs = this.#failed++ === 0 ? 0 : 25
    try {
      await startUnlessRunning(this.#cluster, this.#dataDir, signal)
      this.#refused = 0
    } catch (error) {
      // Tried again for ever, and told of the first time and every minute.
      if (this.#refused++ % 60 === 0) this.#log.error({ err: error }, 'Postgres could not be started again; it is tried on')
      waitMs = Math.min(longestWaitMs, 25 * 2 ** Math.min(this.#refused, 10))
    }
    await sleep(waitMs, undefined, { signal }).catch(() => {})
  }
}

/** Joins the running cluster of this DATA_DIR, or makes and starts it. */
export async function openEmbeddedPostgres(dataDir: string, roomLeft = bytesLeft): Promise<EmbeddedPostgres> {
  const cluster = layOut(dataDir)
  const user = joinUsers(cluster.socketDir)
  await startAtFirst(cluster, dataDir, roomLeft)
  // Somebody who leaves at this moment has the lock, and looks for users before it stops anything.
  await withLock(dataDir, async () => {
    if ((await conditionOf(cluster)) === 'absent') await startServer(cluster)
    await user.stay()
  })
  const found = await query(cluster, 'postgres', 'select 1 from pg_database where datname = $1', { values: [database] })
  if (found.rowCount === 0) {
    await query(cluster, 'postgres', `create database ${database}`, { longestMs: minuteMs }).catch((error: unknown) => {
      if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error
    })
  }
  const host = encodeURIComponent(cluster.socketDir)
  let supervisor: Supervisor | null = null
  return {
    url:
      process.platform === 'win32' ? `postgres://${superuser}@127.0.0.1:5432/${database}` : `postgres://${superuser}@${host}/${database}`,
    supervise(log) {
      supervisor ??= new Supervisor(cluster, { dataDir, user, log })
    },
    freeBytes: () => roomLeft(cluster.pgData),
    async leave() {
      await supervisor?.stop()
      supervisor = null
      await withLock(dataDir, async () => {
        await user.leave()
        if ((await user.isAmongOthers()) || !(await isLeftByAll(cluster))) return
        await stopServer(cluster)
        if (cluster.socketDir !== dataDir) rmSync(cluster.socketDir, { recursive: true, force: true })
      })
    },
  }
}
