/** npm run sql: checks every statement of the server against the migrated schema, on a database that is made for it. */
import { checkAll } from '../server/src/testing/check-statements.ts'
import { cloneTemplate, prepareTemplate } from '../server/src/testing/test-database.ts'

const server = await prepareTemplate()
const clone = await cloneTemplate(server.url)
try {
  const { statements, faults } = await checkAll(clone.url)
  for (const fault of faults) console.log(fault)
  console.log(`${statements} statements, ${faults.length} faults`)
  if (faults.length > 0) process.exitCode = 1
} finally {
  await clone.drop()
  await server.leave()
}
