/** npm run summary -- --verify | --rebuild: compares the stored summary of free time with the diaries, or writes it anew. */
import { parseArgs } from 'node:util'
import { rebuildSummary, verifySummary } from '../server/src/features/summary/service.ts'
import { readSettings } from '../server/src/settings.ts'
import { withDatabase } from './with-database.ts'

const usage = `npm run summary -- --verify | --rebuild

  --verify    reads every diary and says which summaries are not what they should be (exit code 1 when there are any)
  --rebuild   writes every summary anew, a hundred institutes at a time, while the server may go on`

async function run(rebuild: boolean): Promise<void> {
  const settings = readSettings(process.env)
  await withDatabase(settings, async (database, { now }) => {
    const began = performance.now()
    const seconds = (): number => Math.round((performance.now() - began) / 100) / 10
    if (rebuild) {
      const institutes = await rebuildSummary(database.db, now, (done) => {
        if (done % 5000 === 0) console.error(`${done} institutes, ${seconds()} s`)
      })
      console.log(JSON.stringify({ rebuilt: institutes, seconds: seconds() }))
      return
    }
    const { institutes, marked, wrong } = await verifySummary(database.db, now)
    for (const { instituteId, what } of wrong.slice(0, 100)) console.error(`${instituteId}: ${what}`)
    console.log(JSON.stringify({ institutes, marked, wrong: wrong.length, seconds: seconds() }))
    if (wrong.length > 0) process.exitCode = 1
  })
}

const { values } = (() => {
  try {
    return parseArgs({ options: { verify: { type: 'boolean', default: false }, rebuild: { type: 'boolean', default: false } } })
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`)
    process.exit(2)
  }
})()
if (values.verify === values.rebuild) {
  console.error(usage)
  process.exit(2)
}
await run(values.rebuild)
