/** The product with a crowd of so many institutes. A crowd is made once for each number and kept when BENCH_DATA names a directory for it. */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { dropDataDir, newDataDir, type Product, root, startProduct } from './product.ts'

export interface Crowd {
  url: string
  db: pg.Pool
  institutes: number
}

/** Connections of our own to the embedded database of a data directory. */
export function openPool(dataDir: string, size = 4): pg.Pool {
  const host = `/tmp/soigne-${readFileSync(join(dataDir, 'cluster-id'), 'utf8').trim()}`
  const db = new pg.Pool({ host, user: 'postgres', database: 'soigne', max: size })
  db.on('error', () => {})
  return db
}

/** What a first start brings along in the background is done: places are read, fills made, and free time of what was written as rows is in its index. */
export async function settled(db: pg.Pool): Promise<void> {
  let quiet = 0
  for (let look = 0; look < 1200; look++) {
    const { rows } = await db.query<{ busy: boolean }>(
      `select exists (select from graphile_worker.jobs where locked_at is not null or (run_at <= now() and attempts < max_attempts))
        or exists (select from free_time_marks) as busy`,
    )
    quiet = rows[0]?.busy === true ? 0 : quiet + 1
    if (quiet === 8) return
    await sleep(250)
  }
  throw new Error('the product is still busy with itself after five minutes')
}

/** The product's address without the name that may be looked up twice. */
export const loopback = (product: Product): string => product.url.replace('localhost', '127.0.0.1')

function dataDirOf(institutes: number): { dataDir: string; kept: boolean } {
  const base = process.env['BENCH_DATA']
  if (!base) return { dataDir: newDataDir(), kept: false }
  const dataDir = join(base, `crowd-${institutes}`)
  mkdirSync(dataDir, { recursive: true })
  chmodSync(dataDir, 0o755)
  return { dataDir, kept: true }
}

/** Fills a data directory unless it was filled today: visits are made around the day. */
async function fill(dataDir: string, institutes: number): Promise<void> {
  const mark = join(dataDir, 'seeded-on')
  const today = new Date().toISOString().slice(0, 10)
  if (existsSync(mark) && readFileSync(mark, 'utf8') === today) return
  const code = await new Promise<number | null>((done) => {
    const child = spawn(process.execPath, [join(root, 'scripts/seed.ts'), '--institutes', String(institutes)], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DATA_DIR: dataDir, NODE_ENV: 'production' },
    })
    child.once('exit', done)
  })
  if (code !== 0) throw new Error(`npm run seed -- --institutes ${institutes} ended with ${code}`)
  writeFileSync(mark, today)
}

async function run<T>(dataDir: string, institutes: number, work: (crowd: Crowd) => Promise<T>): Promise<T> {
  const product = await startProduct({ dataDir, env: { SEED: institutes > 0 ? 'none' : 'demo', LIMIT_HOLDS: '1000' } })
  try {
    const db = openPool(dataDir)
    try {
      return await work({ url: loopback(product), db, institutes })
    } finally {
      await db.end()
    }
  } finally {
    await product.stop()
  }
}

/** Runs each work against the product with a crowd, started anew for each; 0 institutes is the demo. */
export async function withCrowd<T extends unknown[]>(
  institutes: number,
  ...works: { [K in keyof T]: (crowd: Crowd) => Promise<T[K]> }
): Promise<T> {
  const { dataDir, kept } = dataDirOf(institutes)
  try {
    if (institutes > 0) await fill(dataDir, institutes)
    const results: unknown[] = []
    for (const work of works) results.push(await run(dataDir, institutes, work))
    return results as T
  } finally {
    if (!kept) dropDataDir(dataDir)
  }
}
