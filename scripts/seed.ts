/** npm run seed -- --demo: makes the demo anew around today, in the database that `npm start` uses. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { demoAccounts, reseedDemo } from '../server/src/features/demo/seed-demo.ts'
import { loadPlaces } from '../server/src/features/places/service.ts'
import { migrate, openDatabase } from '../server/src/platform/database.ts'
import { openEmbeddedPostgres } from '../server/src/platform/embedded-postgres.ts'
import { readSettings } from '../server/src/platform/settings.ts'

const usage = `npm run seed -- --demo

  --demo   take the demo's institutes, visits and accounts away and make them again around today;
           what other people made stays`

function readFlags(args: string[]): { demo: boolean } {
  const { values } = parseArgs({ args, options: { demo: { type: 'boolean', default: false } } })
  return values
}

async function seed(): Promise<void> {
  const settings = readSettings(process.env)
  if (settings.mode === 'production') throw new Error('the demo has known passwords and is not for MODE=production')
  const embedded = settings.databaseUrl ? null : await openEmbeddedPostgres(settings.dataDir)
  const database = openDatabase(settings.databaseUrl ?? embedded?.url ?? '', {
    size: 2,
    onError: (error) => console.error(error.message),
  })
  try {
    await migrate(database.pool, resolve(import.meta.dirname, '../server/migrations'))
    await loadPlaces(database.db)
    const counts = await reseedDemo(database.db, { now: Date.now() })
    console.log(JSON.stringify(counts))
    for (const account of demoAccounts) console.log(`${account.label.padEnd(8)} ${account.email}  ${account.password}`)
  } finally {
    await database.close()
    await embedded?.leave()
  }
}

let flags: { demo: boolean }
try {
  flags = readFlags(process.argv.slice(2))
} catch (error) {
  console.error(`${(error as Error).message}\n\n${usage}`)
  process.exit(2)
}
if (!flags.demo) {
  console.error(`Nothing to seed was named.\n\n${usage}`)
  process.exit(2)
}
await seed()
