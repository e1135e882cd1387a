/** One day of an institute of 20 members for a cart of three services, over HTTP: p95 of the answer, SQL statements for each, and how many a second. */
import { dayMs } from '@soigne/contract/time'
import { loopback, openPool, settled } from './crowd.ts'
import { type Figure, percentile } from './figure.ts'
import { makeFullInstitute } from './full-institute.ts'
import { ask, strangers } from './load.ts'
import { dropDataDir, newDataDir, startProduct } from './product.ts'

async function statementsOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^database_statements_total (\d+)/m.exec(text)?.[1] ?? Number.NaN)
}

export async function run(): Promise<Figure[]> {
  const dataDir = newDataDir()
  const product = await startProduct({ dataDir, env: { SEED: 'none' } })
  const db = openPool(dataDir)
  try {
    const { id, services } = await makeFullInstitute(db)
    await db.query('analyze')
    await settled(db)
    const from = new Date(Date.now() + 3 * dayMs).toISOString().slice(0, 10)
    const url = loopback(product)
    const path = `/api/v1/client/institutes/${id}/availability?${services.map((service) => `service=${service}`).join('&')}&from=${from}&days=1`
    const times: number[] = []
    let offered = 0
    for (let turn = 0; turn < 30; turn++) await (await fetch(url + path)).arrayBuffer()
    const before = await statementsOf(product.url)
    const turns = 300
    for (let turn = 0; turn < turns; turn++) {
      const began = performance.now()
      const answer = (await (await fetch(url + path)).json()) as { days: { times: unknown[] }[] }
      times.push(performance.now() - began)
      offered = answer.days[0]?.times.length ?? 0
    }
    const statements = ((await statementsOf(product.url)) - before) / turns
    if (offered === 0) throw new Error('no time was offered: the bench measures nothing')
    const crowd = await ask({ url, requests: [{ path }], connections: 8, seconds: 5 })
    if (strangers(crowd, [200]) > 0) throw new Error(JSON.stringify(crowd.statuses))
    return [
      { name: 'day.p50', value: percentile(times, 0.5), unit: 'ms' },
      { name: 'day.p95', value: percentile(times, 0.95), unit: 'ms', limit: 3 },
      { name: 'day.statements', value: statements, unit: 'statements', limit: 3 },
      { name: 'day.per_second', value: crowd.perSecond, unit: 'days/s', limit: 2000, atLeast: true },
    ]
  } finally {
    await db.end()
    await product.stop()
    dropDataDir(dataDir)
  }
}
