/** The process: settings, database, listening, signals, draining. */
import type { AddressInfo } from 'node:net'
import { buildApp } from './app.ts'
import { sandboxProvider } from './features/sandbox-payments/service.ts'
import { openStripe } from '#/features/stripe-payments/service.ts'
import { mountPages, openWeb, webBuild } from './pages/mount-pages.ts'
import { publishAssets } from './pages/released-assets.ts'
import { systemClock } from './platform/clock.ts'
import { type OpenDatabase, openDatabase } from './platform/database.ts'
import { openOwner, type Owner } from './platform/owner.ts'
import { appRole, asUser, workerRole } from './platform/roles.ts'
import { drainOnSignals } from './platform/draining.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from './platform/embedded-postgres.ts'
import { openDecoder } from './platform/decoder.ts'
import { openLive } from './platform/live.ts'
import { type Log, openLog } from './platform/log.ts'
import { openMail } from './platform/mail.ts'
import { openFileStore } from './platform/open-file-store.ts'
import type { AppContext } from './platform/app-context.ts'
import type { Settings } from './platform/settings.ts'
import { openTrialClock } from './platform/trial-clock.ts'
import { prepareDatabase, startWork } from './prepare.ts'
import { startFailure } from './platform/start-failure.ts'
import { reactions } from './reactions.ts'
import { readSettings } from './settings.ts'
import { openSockets } from './sockets.ts'

const development = process.argv.includes('--dev')

interface Running {
  database: OpenDatabase
  /** Who owns the schema: only while it is brought up to date. */
  owner: Owner
  embedded: EmbeddedPostgres | null
}

/** What has to be let go of at the end, begun last first; a start that is broken off lets go of what it has. */
class Ending {
  /** Answers what is under way and closes. It may take long. */
  polite: () => Promise<void> = async () => {}
  /** Leaves nothing of ours running. */
  last: () => Promise<void> = async () => {}
  announce: () => void = () => {}
}

async function openStore(settings: Settings, log: Log, ending: Ending): Promise<Running> {
  const opening = settings.databaseUrl ? null : openEmbeddedPostgres(settings.dataDir)
  ending.last = async () => (await opening)?.leave()
  const embedded = await opening
  embedded?.supervise(log)
  let saidAt = 0
  const lost = (error: Error): void => {
    // All connections are lost at once.
    if (performance.now() - saidAt < 1000) return
    saidAt = performance.now()
    log.warn({ err: error.message }, 'a database connection was lost')
  }
  const url = settings.databaseUrl ?? asUser(embedded?.url ?? '', appRole)
  const workerUrl = settings.workerDatabaseUrl ?? (embedded ? asUser(embedded.url, workerRole) : undefined)
  const database = openDatabase(url, { size: settings.databasePool, onError: lost, ...(workerUrl && { workerUrl }) })
  const owner = openOwner(settings.ownerDatabaseUrl ?? settings.databaseUrl ?? embedded?.url ?? '', lost)
  ending.polite = async () => {
    await owner.close()
    await database.close()
  }
  return { database, owner, embedded }
}

/** Made-up institutes and people are no part of a server; only one that has to fill its database loads them. */
const loadDemo = () => import('@soigne/demo/showcase/seed-demo')

async function seedDemo(owner: Owner, context: AppContext): Promise<void> {
  const [demo, { demoHost }] = await Promise.all([loadDemo(), import('./seeding/demo-host.ts')])
  if (!(await demo.seedDemo(owner.pool, { host: demoHost, now: context.clock.now() }))) return
  const { sellDemoVouchers } = await import('./seeding/demo-vouchers.ts')
  await sellDemoVouchers(context)
}

async function announce(url: string, settings: Settings): Promise<void> {
  const lines = [`ready ${url}`]
  if (settings.mode === 'trial') {
    lines.push('', `mailbox  ${url}/dev/mail`)
    if (settings.seed === 'demo')
      for (const account of (await loadDemo()).demoAccounts) lines.push(`${account.label.padEnd(8)} ${account.email}  ${account.password}`)
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}

async function run(settings: Settings, log: Log, { database, owner, embedded, ending }: Running & { ending: Ending }): Promise<void> {
  let address = settings.publicUrl ?? `http://localhost:${settings.port}`
  const trialClock = settings.mode === 'trial' ? openTrialClock(database, log) : null
  const context: AppContext = {
    settings,
    database,
    clock: trialClock ?? systemClock,
    trialClock,
    log,
    files: await openFileStore(settings),
    decoder: openDecoder(log),
    payments: null,
    mail: openMail(settings.smtpUrl, settings.mailFrom),
    live: openLive(),
    reactions,
    patienceMs: 2000,
    roomLeft: async () => embedded?.freeBytes() ?? Number.POSITIVE_INFINITY,
    publicUrl: () => address,
  }
  if (settings.stripe) context.payments = await openStripe(context)
  else if (settings.mode === 'trial') context.payments = sandboxProvider(context)
  const [threads] = await Promise.all([
    development ? null : openWeb(log),
    prepareDatabase(context, owner, (connected) => seedDemo(connected, context)),
  ])
  await owner.close()
  const { app, served, jobs, budgets, beginDraining } = await buildApp(context)
  const sockets = openSockets(context, app.server, budgets)
  if (!development) await publishAssets(context, webBuild)
  await mountPages(app, context, served, threads)
  let runner: Awaited<ReturnType<typeof startWork>> | null = null
  ending.announce = beginDraining
  ending.polite = async () => {
    await sockets.close()
    await app.close()
    await runner?.stop()
    context.mail.close()
    await trialClock?.close()
    context.decoder.close()
    context.files.close()
    await database.close()
  }
  await app.listen({ port: settings.port, host: settings.host })
  const { port } = app.server.address() as AddressInfo
  if (!settings.publicUrl)
    address = `http://${settings.host === '127.0.0.1' || settings.host === '0.0.0.0' ? 'localhost' : settings.host}:${port}`
  runner = await startWork(context, jobs, { sockets })
  await announce(address, settings)
}

async function main(): Promise<void> {
  const settings = readSettings(process.env)
  const log = openLog(settings.logLevel === 'info' && settings.mode === 'trial' ? 'warn' : settings.logLevel)
  const ending = new Ending()
  // Before anything is begun: whoever ends a start ends what it has begun.
  const drained = drainOnSignals(
    { announce: () => ending.announce(), close: () => ending.polite(), leave: () => ending.last() },
    { seconds: settings.drainSeconds, log },
  )
  try {
    await run(settings, log, { ...(await openStore(settings, log, ending)), ending })
  } catch (error) {
    // Whatever fails because it is being ended is no failure.
    if (drained.isEnding()) return
    await ending.polite().catch(() => {})
    await ending.last().catch(() => {})
    throw error
  }
}

/** The library of the jobs lets go of a promise when Postgres is killed under it; its runner comes back by itself. */
const isLostDatabase = (error: unknown): boolean =>
  /^(?:57P0|08)/.test(String((error as { code?: unknown } | null)?.code)) || /Connection terminated/.test(String(error))

process.on('unhandledRejection', (error) => {
  const [level, msg] = isLostDatabase(error) ? [40, 'the database went away under a job'] : [50, 'unhandled rejection']
  process.stderr.write(`${JSON.stringify({ level, msg, error: String((error as Error)?.stack ?? error) })}\n`)
})

main().catch((error: unknown) => {
  process.stderr.write(`${startFailure(error)}\n`)
  process.exit(1)
})
