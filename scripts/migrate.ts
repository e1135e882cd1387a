/** npm run migrate: brings the schema up to date while servers of the release before go on serving. */
import { fills } from '../server/src/jobs.ts'
import { noteFills } from '../server/src/platform/fills.ts'
import { migrateJobs } from '../server/src/platform/jobs.ts'
import { openLog } from '../server/src/platform/log.ts'
import { grantRights, makeRoles } from '../server/src/platform/roles.ts'
import { readSettings } from '../server/src/settings.ts'
import { tableRights } from '../server/src/table-rights.ts'
import { withDatabase } from './with-database.ts'

try {
  await withDatabase(readSettings(process.env), async (database, { applied }) => {
    await migrateJobs(database.pool, openLog('warn'))
    await makeRoles(database.pool)
    await grantRights(database.pool, tableRights)
    await noteFills(database.db, fills)
    console.log(JSON.stringify({ applied }))
  })
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
