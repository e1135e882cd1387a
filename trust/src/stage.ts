/** The product under trial: real processes on one data directory, with the embedded database and durable settings, and a connection of our own to look on. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export const root = resolve(import.meta.dirname, '../..')

export interface Server {
  url: string
  pid: number
  /** What it wrote so far. */
  log(): string
  /** SIGTERM, then waits: running requests end first. */
  stop(): Promise<void>
  /** SIGKILL, in the middle of whatever it does. */
  kill(): Promise<void>
  hasEnded(): boolean
}

export interface Stage {
  dataDir: string
  servers: Server[]
  db: pg.Pool
  /** For processes of the trial that are no servers. */
  databaseUrl: string
  start(env?: Record<string, string>): Promise<Server>
  /** Process of the database; null while there is none. */
  postmaster(): number | null
  close(): Promise<void>
}

/** Limits that would hide a race are out of the way; nothing else is changed. */
const freed = { LIMIT_HOLDS: '1000', LIMIT_LOGINS: '1000000', LIMIT_REGISTRATIONS: '1000000', LIMIT_BUDGETS: '10000000' }

/** Whoever interrupts a run leaves nothing running: servers drain, and the last one stops its database. */
const children = new Set<ChildProcess>()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    for (const child of children) child.kill('SIGTERM')
    process.exit(130)
  })

export async function startServer(dataDir: string, env: Record<string, string> = {}): Promise<Server> {
  const child: ChildProcess = spawn(process.execPath, [join(root, 'server/src/main.ts')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      MODE: 'trial',
      SEED: 'none',
      PORT: '0',
      DATA_DIR: dataDir,
      MAP_STYLE_URL: 'none',
      LOG_LEVEL: 'warn',
      ...freed,
      ...env,
    },
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const url = await new Promise<string>((ready, fail) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const found = /^ready http:\/\/\S+?:(\d+)/m.exec(said)
      if (found?.[1]) ready(`http://127.0.0.1:${found[1]}`)
    })
    child.once('exit', (code) => fail(new Error(`the server ended with ${code}:\n${said}`)))
  })
  const ended = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((done) => child.once('exit', done))
    child.kill(signal)
    await gone
  }
  return {
    url,
    pid: child.pid ?? 0,
    log: () => said,
    stop: () => ended('SIGTERM'),
    kill: () => ended('SIGKILL'),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
  }
}

export async function openStage(options: { servers: number; env?: Record<string, string> }): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'soigne-trust-'))
  // Open to enter, as the account that runs the embedded database must.
  chmodSync(dataDir, 0o755)
  const servers: Server[] = []
  const start = async (env: Record<string, string> = {}): Promise<Server> => {
    const server = await startServer(dataDir, { ...options.env, ...env })
    servers.push(server)
    return server
  }
  for (let n = 0; n < options.servers; n++) await start()
  const host = `/tmp/soigne-${readFileSync(join(dataDir, 'cluster-id'), 'utf8').trim()}`
  const db = new pg.Pool({ host, user: 'postgres', database: 'soigne', max: 6 })
  db.on('error', () => {})
  db.on('connect', (client) => client.on('error', () => {}))
  const postmaster = (): number | null => {
    const file = join(dataDir, 'postgres/data/postmaster.pid')
    return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) || null : null
  }
  return {
    dataDir,
    servers,
    db,
    databaseUrl: `postgresql://postgres@/soigne?host=${encodeURIComponent(host)}`,
    start,
    postmaster,
    async close() {
      await db.end().catch(() => {})
      for (const server of servers) await server.stop()
      await endDatabase(postmaster)
      rmSync(dataDir, { recursive: true, force: true })
      rmSync(host, { recursive: true, force: true })
    },
  }
}

/** The last server stops the database; after a server that was killed nobody has. */
async function endDatabase(postmaster: () => number | null): Promise<void> {
  const running = postmaster()
  if (running === null) return
  try {
    process.kill(running, 'SIGINT')
  } catch {
    return
  }
  for (let waited = 0; waited < 10_000 && postmaster() !== null; waited += 50) await sleep(50)
}

/** Pages are built before the first start, so that no start waits for them. */
export function buildPages(): void {
  if (existsSync(join(root, 'web/build/.sources'))) return
  const built = spawnSync(process.execPath, [join(root, 'scripts/build.ts')], { cwd: root, stdio: 'inherit' })
  if (built.status !== 0) throw new Error('the pages could not be built')
}
