/**
 * The calendar in a real browser: a day of 400 visits of twenty members, a drag over it, and a month of 2,000 visits. What the main thread itself works is
 * measured, in processor time, so that whatever else the machine does decides nothing; the time on the wall is told beside it.
 */
import { browserArgs, findBrowser } from '@soigne/e2e/browser'
import { dayMs, hourMs, minuteMs } from '@soigne/contract/time'
import { noVisits } from '@soigne/demo/rows/tables'
import type pg from 'pg'
import { type CDPSession, chromium, type Page } from 'playwright-core'
import { loopback, openPool, settled } from './crowd.ts'
import { copyVisits, type DeskInstitute, makeDeskInstitute } from './desk-institute.ts'
import { type Figure, percentile } from './figure.ts'
import { addCut } from './full-institute.ts'
import { dropDataDir, newDataDir, startProduct } from './product.ts'

const visitsOfDay = 400
const visitsOfMonth = 2000
const goals = { day: 200, step: 16, month: 300 }
const rounds = 9
const steps = 60
const path = '/mysalon/appointments/calendar'
/** The day that is full; the one before it is empty, and so is the month before. */
interface Days {
  empty: string
  full: string
  monthBefore: string
}

const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Half an hour each, from nine on, one after the other; the rest of the month on eight later days. */
async function fill(db: pg.Pool, { rows, customerId }: DeskInstitute): Promise<Days> {
  const today = new Date()
  const first = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 2, 1)
  const visits = noVisits()
  const team = rows.members
  for (let number = 0; number < visitsOfMonth; number++) {
    const inDay = number % visitsOfDay
    const at = first + (9 + Math.floor(number / visitsOfDay)) * dayMs + 8 * hourMs + Math.floor(inDay / team.length) * 30 * minuteMs
    const memberId = team[inDay % team.length]?.id ?? ''
    addCut(visits, rows, Date.now(), { memberId, customerId, startsAt: at, minutes: 30, number })
  }
  await copyVisits(db, visits)
  return { empty: dayText(first + 8 * dayMs), full: dayText(first + 9 * dayMs), monthBefore: dayText(first - dayMs) }
}

interface Cost {
  /** Milliseconds of the main thread: all of it, and scripts alone. */
  cpu: number
  script: number
}
async function spent(session: CDPSession): Promise<Cost> {
  const { metrics } = await session.send('Performance.getMetrics')
  const ms = (name: string): number => (metrics.find((one) => one.name === name)?.value ?? Number.NaN) * 1000
  return { cpu: ms('TaskDuration'), script: ms('ScriptDuration') }
}

/** What the main thread worked until something was painted that was not there before. */
async function painting(page: Page, session: CDPSession, key: string, isThere: string): Promise<Cost & { wall: number }> {
  const before = await spent(session)
  // Runs in the page, so it is given as text: nothing here knows its names.
  const wall = await page.evaluate<number>(`(async () => {
    const began = performance.now()
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true }))
    while (!(${isThere})) {
      if (performance.now() - began > ${minuteMs}) throw new Error('it is never there: ${isThere.replaceAll("'", '"')}')
      await new Promise((next) => requestAnimationFrame(next))
    }
    await new Promise((next) => requestAnimationFrame(() => setTimeout(next)))
    return performance.now() - began
  })()`)
  const after = await spent(session)
  return { wall, cpu: after.cpu - before.cpu, script: after.script - before.script }
}

/** Breaks can be moved too; their keys are a day and a person. */
const visitOf = '[data-key]:not([data-key*="|"])'
const blocks = `document.querySelectorAll('${visitOf}').length`
const counted = `[...document.querySelectorAll('td button > span > b')].reduce((sum, one) => sum + Number(one.textContent), 0)`

/** Back and forth between what is empty and what is full; both are read by then, so that only showing it is measured. */
async function turning(
  page: Page,
  session: CDPSession,
  name: string,
  limit: number,
  are: { full: string; empty: string },
): Promise<Figure[]> {
  const all: (Cost & { wall: number })[] = []
  for (let round = -1; round < rounds; round++) {
    const one = await painting(page, session, 'ArrowRight', are.full)
    if (round >= 0) all.push(one)
    await page.waitForLoadState('networkidle')
    await painting(page, session, 'ArrowLeft', are.empty)
    await page.waitForLoadState('networkidle')
  }
  const middle = (of: (one: (typeof all)[number]) => number): number => percentile(all.map(of), 0.5)
  return [
    { name: `calendar.${name}.cpu`, value: middle(({ cpu }) => cpu), unit: 'ms', limit },
    { name: `calendar.${name}.script`, value: middle(({ script }) => script), unit: 'ms' },
    { name: `calendar.${name}.wall`, value: middle(({ wall }) => wall), unit: 'ms' },
  ]
}

/** One visit is carried over the whole day; nothing is dropped. */
async function dragging(page: Page, session: CDPSession): Promise<Figure[]> {
  await painting(page, session, 'ArrowRight', `${blocks} >= ${visitsOfDay}`)
  await page.waitForLoadState('networkidle')
  const box = await page.locator(`[data-column="2"] ${visitOf}`).nth(4).boundingBox()
  if (!box) throw new Error('nothing to drag')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 3]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 8, y + 8, { steps: 2 })
  if (!(await page.locator('[data-part="lifted"]').isVisible())) throw new Error('nothing was lifted')
  const all: Cost[] = []
  let before = await spent(session)
  for (let step = 0; step < steps; step++) {
    await page.mouse.move(x + 8 + step * 6, y + 8 + (step % 20) * 6)
    const after = await spent(session)
    all.push({ cpu: after.cpu - before.cpu, script: after.script - before.script })
    before = after
  }
  await page.keyboard.press('Escape')
  await page.mouse.up()
  const at = (share: number, of: (one: Cost) => number): number => percentile(all.map(of), share)
  return [
    { name: 'calendar.drag_step.script', value: at(0.5, ({ script }) => script), unit: 'ms', limit: goals.step },
    { name: 'calendar.drag_step.script.p95', value: at(0.95, ({ script }) => script), unit: 'ms', limit: goals.step },
    { name: 'calendar.drag_step.cpu', value: at(0.5, ({ cpu }) => cpu), unit: 'ms' },
    { name: 'calendar.drag_step.cpu.p95', value: at(0.95, ({ cpu }) => cpu), unit: 'ms' },
  ]
}

async function measured(url: string, token: string, days: Days): Promise<Figure[]> {
  const browser = await chromium.launch({ ...(await findBrowser()), args: browserArgs })
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    page.setDefaultTimeout(minuteMs)
    await page.goto(`${url}/robots.txt`)
    await page.evaluate((kept) => localStorage.setItem('AuthToken', kept), token)
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    await page.goto(`${url}${path}?day=${days.empty}`, { waitUntil: 'networkidle' })
    await page.locator('[data-column="0"]').waitFor()
    const day = await turning(page, session, 'day', goals.day, { full: `${blocks} >= ${visitsOfDay}`, empty: `${blocks} === 0` })
    const drag = await dragging(page, session)
    await page.goto(`${url}${path}?view=month&day=${days.monthBefore}`, { waitUntil: 'networkidle' })
    await page.locator('td button').first().waitFor()
    const full = `${counted} === ${visitsOfMonth}`
    const month = await turning(page, session, 'month', goals.month, {
      full,
      empty: `${counted} === 0 && document.querySelector('td button') !== null`,
    })
    return [...day, ...drag, ...month]
  } finally {
    await browser.close()
  }
}

export async function run(): Promise<Figure[]> {
  const dataDir = newDataDir()
  const product = await startProduct({ dataDir, env: { SEED: 'none' } })
  const db = openPool(dataDir)
  try {
    const institute = await makeDeskInstitute(db, 'bench-calendar')
    const days = await fill(db, institute)
    await db.query('analyze')
    await settled(db)
    return await measured(loopback(product), institute.token, days)
  } finally {
    await db.end()
    await product.stop()
    dropDataDir(dataDir)
  }
}
