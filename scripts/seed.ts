/** npm run seed -- --demo | --institutes N: makes the demo or a crowd anew around today, in the database that `npm start` uses. */
import { parseArgs } from 'node:util'
import { mostInstitutes, usualSeedNumber } from '../demo/src/crowd/ids.ts'

const usage = `npm run seed -- --demo | --institutes N [--seed-number S]

  --demo           take the demo's institutes, visits and accounts away and make them again around today;
                   what other people made stays
  --institutes N   make N invented institutes where people live, with teams, menus and six weeks of visits around today,
                   instead of those made before; 0 only takes these away. What people made elsewhere stays
  --seed-number S  another number makes another crowd; the same number on the same day the same (usually ${usualSeedNumber})`

interface Options {
  demo: boolean
  institutes: number | null
  seedNumber: number
}

function wholeNumber(name: string, text: string, most: number): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value > most) throw new Error(`--${name} is a whole number from 0 to ${most}`)
  return value
}

function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      demo: { type: 'boolean', default: false },
      institutes: { type: 'string' },
      'seed-number': { type: 'string', default: String(usualSeedNumber) },
    },
  })
  if (!values.demo && values.institutes === undefined) throw new Error('Nothing to seed was named.')
  return {
    demo: values.demo,
    institutes: values.institutes === undefined ? null : wholeNumber('institutes', values.institutes, mostInstitutes),
    seedNumber: wholeNumber('seed-number', values['seed-number'], Number.MAX_SAFE_INTEGER),
  }
}

/** What a wrong call has no use for is read only now. */
async function seed(options: Options): Promise<void> {
  const [{ seedCrowd }, { demoAccounts, reseedDemo }, { loadPlaces }, { readSettings }, { demoHost }, { withDatabase }] = await Promise.all(
    [
      import('../demo/src/crowd/seed-crowd.ts'),
      import('../demo/src/showcase/seed-demo.ts'),
      import('../server/src/features/places/service.ts'),
      import('../server/src/settings.ts'),
      import('../server/src/seeding/demo-host.ts'),
      import('./with-database.ts'),
    ],
  )
  const settings = readSettings(process.env)
  if (settings.mode === 'production')
    throw new Error('what is seeded is invented, and the demo has known passwords: not for MODE=production')
  await withDatabase(settings, async (database, { now }) => {
    await loadPlaces(database.db)
    if (options.demo) {
      const counts = await reseedDemo(database.pool, { host: demoHost, now })
      console.log(JSON.stringify(counts))
      for (const account of demoAccounts) console.log(`${account.label.padEnd(8)} ${account.email}  ${account.password}`)
    }
    if (options.institutes !== null) {
      console.error(`a crowd of ${options.institutes} institutes, seed number ${options.seedNumber}`)
      const { institutes, seedNumber } = options
      const say = (line: string): void => console.error(line)
      const counts = await seedCrowd(database.pool, { host: demoHost, institutes, seedNumber, now, say })
      console.log(JSON.stringify(counts))
    }
  })
}

let options: Options
try {
  options = readOptions(process.argv.slice(2))
} catch (error) {
  console.error(`${(error as Error).message}\n\n${usage}`)
  process.exit(2)
}
try {
  await seed(options)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
