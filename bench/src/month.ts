/** The map of a month of 31 days for an institute of 20 members with a diary half full, over HTTP. */
import { loopback, openPool, settled } from './crowd.ts'
import type { Figure, Options } from './figure.ts'
import { makeFullInstitute } from './full-institute.ts'
import { ask, strangers } from './load.ts'
import { dropDataDir, newDataDir, startProduct } from './product.ts'

/** The next month of 31 days that begins within what may be booked. */
function longMonth(): string {
  const today = Temporal.Now.plainDateISO('Europe/Paris')
  for (let month = today.toPlainYearMonth(); ; month = month.add({ months: 1 })) if (month.daysInMonth === 31) return month.toString()
}

export async function run({ requests = 300 }: Options): Promise<Figure[]> {
  const dataDir = newDataDir()
  const product = await startProduct({ dataDir, env: { SEED: 'none' } })
  const db = openPool(dataDir)
  try {
    const { id, services } = await makeFullInstitute(db)
    await db.query('analyze')
    await settled(db)
    const url = loopback(product)
    const month = longMonth()
    const base = `/api/v1/client/institutes/${id}/availability/month?month=${month}`
    const one = { path: `${base}&service=${services[1]}` }
    const three = { path: `${base}&${services.map((service) => `service=${service}`).join('&')}` }
    const map = (await (await fetch(`${url}${three.path}`)).json()) as { days: { hasRoom: boolean }[] }
    if (map.days.length !== 31 || !map.days.some(({ hasRoom }) => hasRoom)) throw new Error(`${month}: no room, so nothing is measured`)
    const figures: Figure[] = []
    for (const [name, request] of Object.entries({ one_service: one, three_services: three })) {
      await ask({ url, requests: [request], connections: 1, total: 30 })
      const result = await ask({ url, requests: [request], connections: 1, total: requests })
      if (strangers(result, [200]) > 0) throw new Error(JSON.stringify(result.statuses))
      figures.push(
        { name: `month.${name}.p50`, value: result.p50, unit: 'ms' },
        { name: `month.${name}.p95`, value: result.p95, unit: 'ms', limit: 6 },
      )
    }
    return figures
  } finally {
    await db.end()
    await product.stop()
    dropDataDir(dataDir)
  }
}
