/** npm run sql: checks every statement of the server and the body of every function against the migrated schema, on a database made for it. */
import { checkAllFunctions } from '../server/src/testing/check-functions.ts'
import { checkAll } from '../server/src/testing/check-statements.ts'
import { cloneTemplate, prepareTemplate } from '../server/src/testing/test-database.ts'

const server = await prepareTemplate()
const clone = await cloneTemplate(server.url)
try {
  const { statements, faults } = await checkAll(clone.url)
  const bodies = await checkAllFunctions(clone.url)
  const all = [...faults, ...bodies.faults]
  for (const fault of all) console.log(fault)
  console.log(`${statements} statements, ${bodies.functions} functions, ${all.length} faults`)
  if (all.length > 0) process.exitCode = 1
} finally {
  await clone.drop()
  await server.leave()
}
