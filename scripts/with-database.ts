/** The database that `npm start` uses, up to date, for a command that ends. */
import { resolve } from 'node:path'
import { type OpenDatabase, openDatabase } from '../server/src/platform/database.ts'
import { openEmbeddedPostgres } from '../server/src/platform/embedded-postgres.ts'
import { migrate } from '../server/src/platform/migrations.ts'
import { productNow } from '../server/src/platform/trial-clock.ts'
import type { Settings } from '../server/src/platform/settings.ts'

export async function withDatabase(
  settings: Settings,
  work: (database: OpenDatabase, found: { applied: string[]; now: number }) => Promise<void>,
): Promise<void> {
  const embedded = settings.databaseUrl ? null : await openEmbeddedPostgres(settings.dataDir)
  const database = openDatabase(settings.ownerDatabaseUrl ?? settings.databaseUrl ?? embedded?.url ?? '', {
    size: 2,
    onError: (error) => console.error(error.message),
  })
  try {
    const applied = await migrate(database.pool, resolve(import.meta.dirname, '../server/migrations'), {
      onPutOff: (name, why) => console.error(`${name} is put off: ${why}`),
    })
    await work(database, { applied, now: settings.mode === 'trial' ? await productNow(database.db) : Date.now() })
  } finally {
    await database.close()
    await embedded?.leave()
  }
}
