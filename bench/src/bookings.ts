/** Bookings confirmed per second over HTTP by 16 clients, against a bare loop of the very statements those bookings send, in the same run and with durable settings. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { book, clients, hangUp, makePeople, rate, type Wish } from './booking-clients.ts'
import { loopback, openPool } from './crowd.ts'
import type { Figure, Options } from './figure.ts'
import { type FullInstitute, makeFullInstitute } from './full-institute.ts'
import { dropDataDir, newDataDir, startProduct } from './product.ts'
import { replay, type Statement } from './replay-statements.ts'

const institutes = 50
const goal = 0.5

/** Wishes nobody else has: a member each, at a quarter past nine of a day far enough ahead, then the next day, and so on. */
async function wishesOf(url: string, salons: readonly FullInstitute[], tokens: readonly string[], count: number): Promise<Wish[]> {
  const first = salons[0]
  const from = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)
  const answer = (await (
    await fetch(`${url}/api/v1/client/institutes/${first?.id}/availability?service=${first?.services[2]}&from=${from}&days=20`)
  ).json()) as { days: { times: { startsAt: string }[] }[] }
  // The brow takes 20 minutes and 5 of buffer: every second start of the day leaves room for it.
  const starts = answer.days.flatMap(({ times }) => times.filter((_, n) => n % 3 === 0).map(({ startsAt }) => startsAt))
  return Array.from({ length: count }, (_, n) => {
    const salon = salons[n % salons.length]!
    const member = Math.floor(n / salons.length) % salon.team.length
    const start = starts[Math.floor(n / (salons.length * salon.team.length))]
    if (start === undefined) throw new Error('not enough starts for so many bookings')
    return {
      instituteId: salon.id,
      serviceId: salon.services[2]!,
      staffId: salon.team[member]!,
      startsAt: start,
      token: tokens[n % tokens.length]!,
    }
  })
}

/** Takes away what was booked, so that each round begins with the same diaries. */
const clear = async (db: pg.Pool): Promise<void> => {
  await db.query(`delete from appointments where created_at > $1::timestamptz`, [startedAt])
  await db.query('delete from mails; delete from idempotency_keys; delete from customers; delete from graphile_worker._private_jobs')
  await db.query('vacuum analyze')
}
let startedAt = ''

function recorded(file: string): Map<string, Statement[]> {
  const bookings = new Map<string, Statement[]>()
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const { mark, ...statement } = JSON.parse(line) as Statement & { mark: string }
    bookings.set(mark, [...(bookings.get(mark) ?? []), statement])
  }
  return bookings
}

/** Where the bare loop's time went, for whoever makes it faster. */
function tellSlowest(spent: ReadonlyMap<string, number>, bookings: number): void {
  for (const [text, ms] of [...spent].sort((a, b) => b[1] - a[1]).slice(0, 12))
    process.stderr.write(`${(ms / bookings).toFixed(1).padStart(7)} ms a booking  ${text.replaceAll(/\s+/g, ' ').slice(0, 160)}\n`)
}

export async function run({ requests = 2000 }: Options): Promise<Figure[]> {
  const dataDir = newDataDir()
  const file = join(dataDir, 'statements.jsonl')
  const product = await startProduct({
    dataDir,
    env: {
      SEED: 'none',
      LIMIT_HOLDS: '1000',
      RECORD_STATEMENTS: file,
      NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${new URL('./record-statements.ts', import.meta.url).href}`,
    },
  })
  const db = openPool(dataDir, clients)
  try {
    const { rows } = await db.query<{ name: string; setting: string }>(
      `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes') and setting <> 'on'`,
    )
    if (rows.length > 0) throw new Error(`not durable: ${JSON.stringify(rows)}`)
    const url = loopback(product)
    const salons: FullInstitute[] = []
    for (let n = 0; n < institutes; n++) salons.push(await makeFullInstitute(db, n))
    const tokens = await makePeople(db, 1000)
    await db.query('analyze')
    const wishes = await wishesOf(url, salons, tokens, requests)
    await sleep(3000)
    startedAt = (await db.query<{ now: string }>('select now()::text as now')).rows[0]?.now ?? ''
    for (const [n, wish] of wishes.entries()) await book(url, wish, String(n))
    const bookings = [...recorded(file).values()]
    rmSync(file)
    await clear(db)
    const overHttp = await rate(wishes, (wish) => book(url, wish))
    await clear(db)
    const spent = new Map<string, number>()
    const lanes = await Promise.all(Array.from({ length: clients }, () => db.connect()))
    const bare = await rate(bookings, (statements, lane) => replay(lanes[lane]!, statements, spent))
    if (process.env['BENCH_DETAILS']) tellSlowest(spent, requests)
    for (const lane of lanes) lane.release()
    const booked = (
      await db.query<{ n: number }>(`select count(*)::int as n from appointments where status <> 'held' and created_at > $1::timestamptz`, [
        startedAt,
      ])
    ).rows[0]?.n
    if (booked !== requests) throw new Error(`the bare loop booked ${booked} of ${requests}`)
    const ratio = overHttp / bare
    return [
      { name: 'bookings.statements', value: bookings.reduce((sum, one) => sum + one.length, 0) / bookings.length, unit: 'statements' },
      { name: 'bookings.bare', value: bare, unit: 'bookings/s' },
      { name: 'bookings.http', value: overHttp, unit: 'bookings/s' },
      { name: 'bookings.ratio', value: ratio, unit: 'of bare', limit: goal, atLeast: true, ratio },
    ]
  } finally {
    hangUp()
    await db.end()
    await product.stop()
    dropDataDir(dataDir)
  }
}
