/** npm run import -- --source osm FILE…: takes open data into unclaimed institutes, in the database that `npm start` uses. */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type SourceName, sourceNames } from '../server/src/features/listing-facts/sources.ts'

const usage = `npm run import -- --source ${sourceNames.join('|')} [--report FILE] FILE…

  Each line of a file is one place (GeoJSON, a point with tags). Places become unclaimed institutes: listed with
  their source, not bookable. A second import updates them; what a newer file of the same area no longer has is
  taken off. The report goes to stderr, its counts as one line of JSON to stdout. Each line refused and each fact
  lost goes with its reason to the file of --report, one JSON a line; else to import-SOURCE.ndjson in DATA_DIR.`

interface Options {
  source: SourceName
  files: string[]
  report: string | undefined
}

function readOptions(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { source: { type: 'string' }, report: { type: 'string' } },
  })
  const source = sourceNames.find((name) => name === values.source)
  if (!source) throw new Error(`--source is one of ${sourceNames.join(', ')}`)
  if (positionals.length === 0) throw new Error('no file was named')
  return { source, files: positionals.map((file) => resolve(file)), report: values.report && resolve(values.report) }
}

/** What a wrong call has no use for is read only now. */
async function importFiles({ source, files, report }: Options): Promise<void> {
  const [{ importListings, summary }, { loadPlaces }, { readSettings }, { withDatabase }] = await Promise.all([
    import('../server/src/features/listings/service.ts'),
    import('../server/src/features/places/service.ts'),
    import('../server/src/settings.ts'),
    import('./with-database.ts'),
  ])
  const settings = readSettings(process.env)
  const path = report ?? join(settings.dataDir, `import-${source}.ndjson`)
  await withDatabase(settings, async (database, { now }) => {
    await loadPlaces(database.db)
    const began = performance.now()
    mkdirSync(dirname(path), { recursive: true })
    const remarks = openSync(path, 'w')
    const counts = await importListings(database.db, {
      source,
      files,
      now,
      say: (line) => console.error(line),
      tell: (remark) => writeSync(remarks, `${JSON.stringify(remark)}\n`),
    })
    closeSync(remarks)
    console.error(`${source}, ${((performance.now() - began) / 1000).toFixed(1)} s: ${summary(counts)}`)
    console.error(`lines refused and facts lost, with reasons: ${path}`)
    console.log(JSON.stringify(counts))
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
  await importFiles(options)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
