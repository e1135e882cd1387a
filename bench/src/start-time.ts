/** From the command to `ready`: with an empty DATA_DIR, and on a built checkout with data. */
import type { Figure } from './figure.ts'
import { dropDataDir, newDataDir, startProduct } from './product.ts'

export async function run(): Promise<Figure[]> {
  const dataDir = newDataDir()
  try {
    const first = await startProduct({ dataDir })
    await first.stop()
    const again = await startProduct({ dataDir })
    await again.stop()
    return [
      { name: 'start.empty', value: first.readyAfterMs / 1000, unit: 's', limit: 40 },
      { name: 'start.with_data', value: again.readyAfterMs / 1000, unit: 's', limit: 8 },
    ]
  } finally {
    dropDataDir(dataDir)
  }
}
