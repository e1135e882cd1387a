/** npm run ledger -- --verify: whether every sum, number and seal of the books holds. */
import { parseArgs } from 'node:util'
import { verifyLedgers } from '../server/src/features/ledger/service.ts'
import { readSettings } from '../server/src/platform/settings.ts'
import { withDatabase } from './with-database.ts'

const usage = `npm run ledger -- --verify

  --verify   reads the books of every institute and says what is not as it was written (exit code 1 when there is anything)`

const { values } = (() => {
  try {
    return parseArgs({ options: { verify: { type: 'boolean', default: false } } })
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`)
    process.exit(2)
  }
})()
if (!values.verify) {
  console.error(usage)
  process.exit(2)
}
await withDatabase(readSettings(process.env), async ({ db }) => {
  const { institutes, documents, faults } = await verifyLedgers(db)
  for (const { institute, what } of faults.slice(0, 100)) console.error(`${institute}: ${what}`)
  console.log(JSON.stringify({ institutes, documents, faults: faults.length }))
  if (faults.length > 0) process.exitCode = 1
})
