/** What a process does before it listens, and the work it begins after. */
import { resolve } from 'node:path'
import type pg from 'pg'
import { beginPeriodicJobs, crontab, fills } from './jobs.ts'
import { loadPlaces } from './features/places/service.ts'
import type { AppContext } from './platform/app-context.ts'
import { forWork, withAdvisoryLock } from './platform/database.ts'
import { adoptRestoredEvents } from './platform/event-upkeep.ts'
import { noteFills } from './platform/fills.ts'
import { type Jobs, migrateJobs, startJobs } from './platform/jobs.ts'
import type { Sockets } from './platform/live.ts'
import { migrate, newestMigration } from './platform/migrations.ts'
import { afterCommit, startSpine } from './platform/reactions.ts'
import type { LeaseOptions } from './platform/worker-leases.ts'
import type { Owner } from './platform/owner.ts'
import { appRole, grantRights, joinRole, makeRoles, userOf, workerRole } from './platform/roles.ts'
import { compareZones } from './platform/zone-check.ts'
import { tableRights } from './table-rights.ts'

const migrations = resolve(import.meta.dirname, '../migrations')

/** Brings the schema up to date, and gives everybody their rights in it. */
async function prepareSchema({ log, settings }: AppContext, owner: pg.Pool): Promise<void> {
  await makeRoles(owner)
  const applied = await migrate(owner, migrations, {
    onPutOff: (name, why) => log.warn({ name, why }, 'a migration is put off until the next start'),
  })
  if (applied.length > 0) log.info({ applied }, 'migrations applied')
  await migrateJobs(owner, log)
  await grantRights(owner, tableRights)
  const user = settings.databaseUrl === null ? null : userOf(settings.databaseUrl)
  if (user !== null) await joinRole(owner, user, settings.workerDatabaseUrl === null ? [appRole, workerRole] : [appRole])
  const worker = settings.workerDatabaseUrl === null ? null : userOf(settings.workerDatabaseUrl)
  if (worker !== null) await joinRole(owner, worker, [workerRole])
}

/** The schema, and what an empty database has to have. It must not take longer than a person waits for a start: everything else is a job. */
export async function prepareDatabase(context: AppContext, owner: Owner, seedDemo?: (owner: Owner) => Promise<void>): Promise<void> {
  const { database, log, settings } = context
  await prepareSchema(context, owner.pool)
  await context.trialClock?.follow()
  await noteFills(database.db, fills)
  if (await adoptRestoredEvents(database.db)) log.info('events of a restored dump go on in this database')
  // One process at a time fills an empty database; the others wait and find it filled.
  await withAdvisoryLock(owner.db, 727003, async (connection) => {
    await loadPlaces(connection)
    if (settings.seed === 'demo') await seedDemo?.(owner)
  })
  const odd = await compareZones(database.db, context.clock.now())
  if (odd.length > 0)
    log.info({ zones: odd }, 'Postgres knows other clock changes than Node for these zones; zones are converted in Node only')
}

/** Jobs, periodic ones too. What is behind after an upgrade, or after days without a process, is made up for while requests are answered. */
export async function startWork(
  context: AppContext,
  jobs: Jobs,
  { sockets, ...options }: LeaseOptions & { sockets?: Pick<Sockets, 'hear' | 'reconnect'> } = {},
): Promise<{ stop(): Promise<void> }> {
  const { database, log, live } = context
  const runner = await startJobs(database.working, jobs, log, {
    crontab,
    knows: newestMigration(migrations),
    ...options,
  })
  await beginPeriodicJobs(database.db)
  const spine = await startSpine(forWork(context), afterCommit(context.reactions), sockets?.hear)
  live.onWake(() => spine.wake())
  // Whoever connected before events were followed may have missed one between what they read and the first that is told: they read again.
  sockets?.reconnect()
  return {
    async stop() {
      live.onWake(() => {})
      await spine.stop()
      await runner.stop()
    },
  }
}
