/** npm run tables: writes what the builder knows of the tables, from the migrated schema. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeTables } from '../server/src/testing/describe-tables.ts'
import { cloneTemplate, prepareTemplate } from '../server/src/testing/test-database.ts'

const server = await prepareTemplate()
const clone = await cloneTemplate(server.url)
try {
  writeFileSync(join(import.meta.dirname, '../server/src/platform/tables.ts'), await describeTables(clone.url))
} finally {
  await clone.drop()
  await server.leave()
}
