/**
 * The dashboard's figures and the totals of sales of an institute with 200,000 visits that are over, over HTTP: the middle and p95 of the answer, and processor
 * time of server and database for each. Before each time that all time is asked for, somebody changes a visit of last year, so that its month is counted anew.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { dayMs, hourMs, minuteMs } from '@soigne/contract/time'
import { noVisits } from '@soigne/demo/rows/tables'
import type { Standing } from '@soigne/demo/rows/visits'
import type pg from 'pg'
import { cpuOf, parentOf } from './cpu-time.ts'
import { loopback, openPool, settled } from './crowd.ts'
import { copyVisits, type DeskInstitute, makeDeskInstitute } from './desk-institute.ts'
import { type Figure, type Options, percentile } from './figure.ts'
import { addCut } from './full-institute.ts'
import { dropDataDir, newDataDir, startProduct } from './product.ts'

const visitsOver = 200_000
const goalMs = 150
const chunk = 20_000
const aDay = 20
const keptWithinMs = minuteMs

/** Of fifty: one did not come, two cancelled, the others were there. */
function standingOf(n: number): Standing {
  if (n % 50 === 7) return { life: 'booked', payment: 'none', attendance: 'no_show' }
  if (n % 25 === 11) return { life: 'cancelled', payment: 'none', attendance: 'expected' }
  return { life: 'booked', payment: 'paid', attendance: 'done' }
}

/** Twenty a day of each of twenty members, back from yesterday: about five hundred days. */
async function fill(db: pg.Pool, { rows, customerId }: DeskInstitute, now: number): Promise<void> {
  const team = rows.members
  const yesterday = Math.floor(now / dayMs) * dayMs - dayMs
  for (let from = 0; from < visitsOver; from += chunk) {
    const visits = noVisits()
    for (let n = from; n < from + chunk; n++) {
      const place = n % (aDay * team.length)
      const day = Math.floor(n / (aDay * team.length))
      const startsAt = yesterday - day * dayMs + 7 * hourMs + Math.floor(place / team.length) * 30 * minuteMs
      const memberId = team[place % team.length]?.id ?? ''
      addCut(visits, rows, now, { memberId, customerId, startsAt, minutes: 30, number: n, standing: standingOf(n) })
    }
    await copyVisits(db, visits)
  }
  // Each visit that was paid: its sale, and one payment at its end.
  await db.query(
    `insert into sales (id, institute_id, appointment_id, customer_id, currency, sold_at)
     select id, institute_id, id, customer_id, currency, ends_at from appointments where institute_id = $1 and payment = 'paid'`,
    [rows.institute.id],
  )
  await db.query(
    `insert into payments (institute_id, sale_id, kind, method, amount, currency, at, day, actor)
     select institute_id, id, 'payment', (array['cash', 'terminal', 'card'])[1 + abs(hashtext(id::text)) % 3], total_amount, currency, ends_at, ends_at::date, '{"kind":"system","job":"bench"}'
     from appointments where institute_id = $1 and payment = 'paid' and total_amount > 0`,
    [rows.institute.id],
  )
}

/** Somebody who was there did not come, or did after all. */
async function changeLastYear(db: pg.Pool, { rows }: DeskInstitute, turn: number): Promise<void> {
  const changed = await db.query(
    `update appointments set attendance = $2 where id = (select id from appointments where institute_id = $1 and life = 'booked'
       and starts_at < now() - interval '300 days' and attendance = $3 order by starts_at desc limit 1)`,
    [rows.institute.id, ...(turn % 2 === 0 ? ['no_show', 'done'] : ['done', 'no_show'])],
  )
  if (changed.rowCount !== 1) throw new Error('no visit of last year was changed')
}

/** Opens the dashboard, and waits for the job that keeps the months. */
async function keptMonths(db: pg.Pool, open: () => Promise<unknown>): Promise<number> {
  await open()
  const end = Date.now() + keptWithinMs
  const kept = async () => (await db.query<{ count: number }>('select count(*)::int as count from monthly_totals')).rows[0]?.count ?? 0
  const waiting = async () =>
    (await db.query<{ is: boolean }>(`select exists (select from graphile_worker.jobs where task_identifier = 'keep_months') as is`))
      .rows[0]?.is
  const began = performance.now()
  while ((await waiting()) === true) {
    if (Date.now() > end) throw new Error('the months were not kept')
    await sleep(100)
  }
  if ((await kept()) < 20) throw new Error(`only ${await kept()} totals of months were kept`)
  return performance.now() - began
}

export async function run({ requests = 40 }: Options): Promise<Figure[]> {
  const dataDir = newDataDir()
  const product = await startProduct({ dataDir, env: { SEED: 'none' } })
  const db = openPool(dataDir)
  try {
    const institute = await makeDeskInstitute(db, 'bench-figures')
    await fill(db, institute, Date.now())
    await db.query('vacuum analyze')
    await settled(db)
    const { rows } = await db.query<{ pid: number }>('select pg_backend_pid() as pid')
    const family = [product.pid, parentOf(rows[0]?.pid ?? 0)]
    const base = `${loopback(product)}/api/v1/secure/mysalon`
    const asked = {
      today: '/dashboard',
      last_month: '/dashboard/figures?period=lastMonth',
      all_time: '/dashboard/figures?period=allTime',
      sales_last_month: '/sales?period=lastMonth',
      sales_all_time: '/sales?period=allTime',
      sales_searched_of_all_time: '/sales?period=allTime&what=zz',
      sales_by_method_of_all_time: '/sales?period=allTime&method=cash',
    }
    const keeping = await keptMonths(db, () => fetch(`${base}/dashboard`, { headers: { authorization: `Bearer ${institute.token}` } }))
    const figures: Figure[] = [{ name: 'figures.months_kept', value: keeping, unit: 'ms' }]
    for (const [name, path] of Object.entries(asked)) {
      const once = async (turn: number): Promise<number> => {
        if (name.endsWith('all_time')) await changeLastYear(db, institute, turn)
        const began = performance.now()
        const answer = await fetch(base + path, { headers: { authorization: `Bearer ${institute.token}` } })
        const text = await answer.text()
        if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text.slice(0, 200)}`)
        return performance.now() - began
      }
      for (let turn = 0; turn < 8; turn++) await once(turn)
      const before = cpuOf(...family)
      const times: number[] = []
      for (let turn = 0; turn < requests; turn++) times.push(await once(turn))
      const cpu = (cpuOf(...family) - before) / requests
      figures.push(
        { name: `figures.${name}.p50`, value: percentile(times, 0.5), unit: 'ms', ...(name.includes('_of_') ? {} : { limit: goalMs }) },
        { name: `figures.${name}.p95`, value: percentile(times, 0.95), unit: 'ms' },
        { name: `figures.${name}.cpu`, value: cpu, unit: 'ms' },
      )
    }
    return figures
  } finally {
    await db.end()
    await product.stop()
    dropDataDir(dataDir)
  }
}
