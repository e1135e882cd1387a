/** The process: settings, database, listening, signals, draining. */
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { buildApp, fills } from './app.ts'
import { catchUp } from './features/summary/service.ts'
import { loadPlaces } from './features/places/service.ts'
import { mountPages, openWeb } from './pages/mount-pages.ts'
import { systemClock } from './platform/clock.ts'
import { withAdvisoryLock, type OpenDatabase, openDatabase } from './platform/database.ts'
import { drainOnSignals } from './platform/draining.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from './platform/embedded-postgres.ts'
import { openDecoder } from './platform/decoder.ts'
import { afterCommit, type Follower, startSpine } from './platform/events.ts'
import { noteFills } from './platform/fills.ts'
import { migrateJobs, startJobs } from './platform/jobs.ts'
import { type Log, openLog } from './platform/log.ts'
import { migrate } from './platform/migrations.ts'
import { openMail } from './platform/mail.ts'
import { openFileStore } from './platform/open-file-store.ts'
import type { AppContext } from './platform/app-context.ts'
import { readSettings, type Settings } from './platform/settings.ts'
import { startFailure } from './platform/start-failure.ts'
import { reactions } from './reactions.ts'
import { compareZones } from './platform/zone-check.ts'

const development = process.argv.includes('--dev')

interface Running {
  database: OpenDatabase
  embedded: EmbeddedPostgres | null
}

async function openStore(settings: Settings, log: Log): Promise<Running> {
  const embedded = settings.databaseUrl ? null : await openEmbeddedPostgres(settings.dataDir)
  let reviving: Promise<void> | null = null
  const revive = (error: Error): void => {
    if (reviving) return
    log.warn({ err: error.message }, 'a database connection was lost')
    if (!embedded) return
    reviving = embedded
      .ensureRunning()
      .catch((failure: unknown) => log.error({ err: failure }, 'Postgres could not be started again'))
      .finally(() => (reviving = null))
  }
  const database = openDatabase(settings.databaseUrl ?? embedded?.url ?? '', { size: settings.databasePool, onError: revive })
  return { database, embedded }
}

async function prepare(context: AppContext): Promise<void> {
  const { database, log, settings } = context
  const applied = await migrate(database.pool, resolve(import.meta.dirname, '../migrations'), {
    onPutOff: (name, why) => log.warn({ name, why }, 'a migration is put off until the next start'),
  })
  if (applied.length > 0) log.info({ applied }, 'migrations applied')
  await noteFills(database.db, fills)
  await migrateJobs(database.pool, log)
  // One process at a time fills an empty database; the others wait and find it filled.
  await withAdvisoryLock(database.db, 727003, async (connection) => {
    await loadPlaces(connection)
    if (settings.seed === 'demo') await seedDemo(context)
    // After an update, or a restart after days: searches find a summary that is true.
    while ((await catchUp(connection, context.clock.now())) > 0);
  })
  const odd = await compareZones(database.db)
  if (odd.length > 0)
    log.info({ zones: odd }, 'Postgres knows other clock changes than Node for these zones; zones are converted in Node only')
}

/** Made-up institutes and people are no part of a server; only one that has to fill its database loads them. */
const loadDemo = () => import('@soigne/demo/showcase/seed-demo')

async function seedDemo({ database, clock }: AppContext): Promise<void> {
  const [demo, { demoHost }] = await Promise.all([loadDemo(), import('./seeding/demo-host.ts')])
  await demo.seedDemo(database.pool, { host: demoHost, now: clock.now() })
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

async function run(settings: Settings, log: Log, { database, embedded }: Running): Promise<void> {
  let address = settings.publicUrl ?? `http://localhost:${settings.port}`
  const context: AppContext = {
    settings,
    database,
    clock: systemClock,
    log,
    files: await openFileStore(settings),
    decoder: openDecoder(log),
    mail: openMail(settings.smtpUrl, settings.mailFrom),
    reactions,
    publicUrl: () => address,
  }
  const [threads] = await Promise.all([development ? null : openWeb(log), prepare(context)])
  const { app, served, jobs, beginDraining } = await buildApp(context)
  await mountPages(app, context, served, threads)
  let runner: Awaited<ReturnType<typeof startJobs>> | null = null
  let spine: Follower | null = null
  const close = async (): Promise<void> => {
    await app.close()
    await spine?.stop()
    await runner?.stop()
    context.mail.close()
    context.decoder.close()
    context.files.close()
    await database.close()
    await embedded?.leave()
  }
  drainOnSignals({ announce: beginDraining, close }, { seconds: settings.drainSeconds, log })
  await app.listen({ port: settings.port, host: settings.host })
  const { port } = app.server.address() as AddressInfo
  if (!settings.publicUrl)
    address = `http://${settings.host === '127.0.0.1' || settings.host === '0.0.0.0' ? 'localhost' : settings.host}:${port}`
  const everyMinute = ['tidy_bookings', 'tidy_sessions', 'tidy_links', 'tidy_events', 'catch_up', 'fill_columns', 'tidy_files']
  runner = await startJobs(database.pool, jobs, log, everyMinute.map((name) => `* * * * * ${name}`).join('\n'))
  spine = await startSpine(context, afterCommit(reactions))
  await announce(address, settings)
}

async function main(): Promise<void> {
  const settings = readSettings(process.env)
  const log = openLog(settings.logLevel === 'info' && settings.mode === 'trial' ? 'warn' : settings.logLevel)
  const store = await openStore(settings, log)
  try {
    await run(settings, log, store)
  } catch (error) {
    await store.database.close()
    await store.embedded?.leave()
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
