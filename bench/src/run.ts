/** npm run bench: every figure as one JSON line. `npm run bench -- slots start` runs the named ones; see docs/operations.md. */
import { parseArgs } from 'node:util'
import { type Figure, meets, type Options, printFigure } from './figure.ts'
import { dropDataDir, newDataDir, type Product, startProduct } from './product.ts'

type Run = (options: Options) => readonly Figure[] | Promise<readonly Figure[]>

const withDemo =
  (run: (product: Product) => Promise<Figure[]>): Run =>
  async () => {
    const dataDir = newDataDir()
    try {
      const product = await startProduct({ dataDir })
      try {
        return await run(product)
      } finally {
        await product.stop()
      }
    } finally {
      dropDataDir(dataDir)
    }
  }

const runs: Record<string, Run> = {
  slots: async () => (await import('./slots.ts')).run(),
  day: async () => (await import('./institute-day.ts')).run(),
  month: async (options) => (await import('./month.ts')).run(options),
  search: async (options) => (await import('./search.ts')).run(options),
  bookings: async (options) => (await import('./bookings.ts')).run(options),
  events: async () => (await import('./events.ts')).run(),
  figures: async (options) => (await import('./dashboard-figures.ts')).run(options),
  calendar: async () => (await import('./calendar.ts')).run(),
  chat: async () => (await import('./chat.ts')).run(),
  live: async () => (await import('./live.ts')).run(),
  pages: async (options) => (await import('./pages.ts')).run(options),
  memory: async (options) => (await import('./memory.ts')).run(options),
  scale: async (options) => (await import('./scale.ts')).run(options),
  start: async () => (await import('./start-time.ts')).run(),
  scripts: async () => withDemo((await import('./page-scripts.ts')).run)({}),
  paint: async () => withDemo((await import('./first-paint.ts')).run)({}),
  lighthouse: async () => withDemo((await import('./lighthouse.ts')).run)({}),
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'boolean', default: false }, requests: { type: 'string' }, sizes: { type: 'string' } },
})
const unknown = positionals.filter((name) => !(name in runs))
if (unknown.length > 0) {
  process.stderr.write(`no such bench: ${unknown.join(', ')}; there are ${Object.keys(runs).join(', ')}\n`)
  process.exit(2)
}
const options: Options = {
  keep: values.keep,
  ...(values.requests !== undefined && { requests: Number(values.requests) }),
  ...(values.sizes !== undefined && { sizes: values.sizes.split(',').map(Number) }),
}
const all: Figure[] = []
const failed: string[] = []
for (const name of positionals.length > 0 ? positionals : Object.keys(runs)) {
  try {
    const figures = (await runs[name]?.(options)) ?? []
    for (const figure of figures) printFigure(figure)
    all.push(...figures)
  } catch (error) {
    // One that fails must not take the others' figures with it.
    failed.push(name)
    process.stderr.write(`${name} failed: ${(error as Error).stack}\n`)
  }
}
if (values.keep && all.length > 0) process.stderr.write(`kept in ${(await import('./results.ts')).keep(all)}\n`)
for (const figure of all.filter((one) => !meets(one)))
  process.stderr.write(`missed: ${figure.name} ${figure.value} ${figure.unit} (goal ${figure.limit})\n`)
process.exit(failed.length > 0 ? 1 : 0)
