/** npm run bench: every figure as one JSON line. `npm run bench -- slots start` runs the named ones. */
import { type Figure, meets, printFigure } from './figure.ts'
import { dropDataDir, newDataDir, startProduct } from './product.ts'

const asked = process.argv.slice(2)
const wants = (name: string): boolean => asked.length === 0 || asked.includes(name)
const missed: Figure[] = []

function print(figures: readonly Figure[]): void {
  for (const figure of figures) {
    printFigure(figure)
    if (!meets(figure)) missed.push(figure)
  }
}

if (wants('slots')) print((await import('./slots.ts')).run())
if (wants('day')) print(await (await import('./institute-day.ts')).run())
if (wants('start')) print(await (await import('./start-time.ts')).run())
if (wants('scripts') || wants('lighthouse')) {
  const dataDir = newDataDir()
  const product = await startProduct({ dataDir })
  try {
    if (wants('scripts')) print(await (await import('./page-scripts.ts')).run(product))
    if (wants('lighthouse')) print(await (await import('./lighthouse.ts')).run(product))
  } finally {
    await product.stop()
    dropDataDir(dataDir)
  }
}
for (const figure of missed) process.stderr.write(`missed: ${figure.name} ${figure.value} ${figure.unit} (goal ${figure.limit})\n`)
