/** A server of its own process for tests that race: the real app on a real port, without pages; as a whole it also prepares the database and does jobs (LEASE_MS: with leases of this length; UNGUARDED: with a reaction that is none). Run as a program it serves until its parent goes. */
import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { buildApp } from '#/app.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { giveTime, openDatabase } from '#/platform/database.ts'
import { openOwner } from '#/platform/owner.ts'
import { drainOnSignals } from '#/platform/draining.ts'
import { sandboxProvider } from '#/features/sandbox-payments/service.ts'
import { openDecoder } from '#/platform/decoder.ts'
import { openLive } from '#/platform/live.ts'
import { openLog } from '#/platform/log.ts'
import { openMail } from '#/platform/mail.ts'
import { openFileStore } from '#/platform/open-file-store.ts'
import { appRole, asUser, userOf, workerRole } from '#/platform/roles.ts'
import { superuser } from '#/platform/postgres-cluster.ts'
import { reactions } from '#/reactions.ts'
import { readSettings } from '#/settings.ts'
import { openTrialClock } from '#/platform/trial-clock.ts'
import { prepareDatabase, startWork } from '#/prepare.ts'
import { openSockets } from '#/sockets.ts'
import { unguarded } from './kill-points.ts'

/** Nobody's last request takes this long. */
const endLimitMs = 120_000
const patienceMs = 60_000

export interface ServerProcess {
  url: string
  pid: number
  /** What it wrote to its log so far. */
  log(): string
  stop(): Promise<void>
  /** Tells it to end, as an orchestrator does. */
  signal(): void
  /** Settles with its exit code once it has ended. */
  ended: Promise<number | null>
  /** Ends it in the middle of whatever it does. */
  kill(): Promise<void>
}

/** What Node has compiled once, the next process need not. */
export const compiledBefore = (): Record<string, string> => ({ NODE_COMPILE_CACHE: join(tmpdir(), 'soigne-compiled') })

/** Starts one on a free port; `settings` are environment variables, DATABASE_URL and DATA_DIR among them. `program` is that of another release. */
export async function startServerProcess(
  settings: Record<string, string>,
  { isWhole = false, program = import.meta.filename }: { isWhole?: boolean; program?: string } = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [program, ...(isWhole ? ['--whole'] : [])], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      ...compiledBefore(),
      MODE: 'trial',
      SEED: 'none',
      PORT: '0',
      LOG_LEVEL: 'warn',
      MAP_STYLE_URL: 'none',
      LIMIT_BUDGETS: '10000000',
      ...settings,
    },
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => void (said += chunk.toString()))
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const ready = /^ready (\S+)$/m.exec(said)
      if (ready?.[1]) resolve(ready[1])
    })
    child.once('exit', (code) => reject(new Error(`the server process ended with ${code}: ${said}`)))
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return {
    url,
    pid: child.pid ?? 0,
    log: () => said,
    ended,
    signal: () => void child.kill('SIGTERM'),
    async stop() {
      child.stdin.end()
      const giveUp = setTimeout(() => child.kill('SIGKILL'), endLimitMs)
      const code = await ended
      clearTimeout(giveUp)
      if (code === null) throw new Error(`the server process did not end by itself: ${said}`)
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function serveUntilParentLeaves(): Promise<void> {
  const settings = readSettings(process.env)
  const log = openLog(settings.logLevel)
  // Nobody's machine is too busy for a test.
  giveTime(patienceMs)
  const given = settings.databaseUrl ?? ''
  const isOwner = userOf(given) === superuser
  const database = openDatabase(isOwner ? asUser(given, appRole) : given, {
    size: settings.databasePool,
    ...(isOwner && { workerUrl: asUser(given, workerRole) }),
    answerMs: patienceMs,
    onError: (error) => log.warn({ err: error.message }, 'a database connection was lost'),
  })
  let url = ''
  const isWhole = process.argv.includes('--whole')
  const trialClock = openTrialClock(database, log)
  const context: AppContext = {
    settings,
    database,
    clock: trialClock,
    trialClock,
    log,
    files: await openFileStore(settings),
    decoder: openDecoder(log, { limitMs: patienceMs }),
    payments: null,
    mail: openMail(null, settings.mailFrom),
    live: openLive(),
    reactions: process.env['UNGUARDED'] === '1' ? [...reactions, unguarded] : reactions,
    patienceMs,
    roomLeft: async () => Number.POSITIVE_INFINITY,
    publicUrl: () => url,
  }
  context.payments = sandboxProvider(context)
  if (isWhole)
    await prepareDatabase(
      context,
      openOwner(settings.databaseUrl ?? '', () => {}),
    )
  else await trialClock.follow()
  const { app, jobs, budgets, beginDraining } = await buildApp(context)
  const sockets = isWhole ? openSockets(context, app.server, budgets) : null
  let work: Awaited<ReturnType<typeof startWork>> | null = null
  const close = async (): Promise<void> => {
    await sockets?.close()
    await app.close()
    await work?.stop()
    await trialClock.close()
    await database.close()
  }
  drainOnSignals({ announce: beginDraining, close }, { seconds: settings.drainSeconds, log, longestMs: patienceMs })
  await app.listen({ port: settings.port, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const leaseMs = Number(process.env['LEASE_MS'] ?? 0)
  if (isWhole) work = await startWork(context, jobs, { ...(sockets && { sockets }), ...(leaseMs > 0 && { leaseMs }) })
  process.stdout.write(`ready ${url}\n`)
  process.stdin.resume().once('end', () => void close().then(() => process.exit(0)))
}

if (process.argv[1] === import.meta.filename) await serveUntilParentLeaves()
