/**
 * Totals of all time without counting all of it: months that are over are kept, and what is not kept, or changed since, is counted from the rows. Months
 * are those of UTC, so that their borders are no question of zones; what is told by days and hours is counted in the institute's zone.
 */
import { dayMs, type Day } from '@soigne/contract/time'
import { addDays } from '@soigne/scheduling/days'
import type * as z from 'zod/mini'
import type { SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { utcDayOf } from '#/platform/instants.ts'
import { addJob } from '#/platform/jobs.ts'
import { isBehind, keepMonth, keptMonths, type Kind, pastOf, stateOfMonth, type TotalsScope } from './store.ts'

export { type TotalsScope, withinTotals } from './store.ts'

/** From one instant until another, and the days of documents in it, the last one included. */
export interface Stretch {
  instituteId: string
  timeZone: string
  from: Date
  to: Date
  fromDay: Day
  toDay: Day
}

/** What is counted of a stretch; two stretches beside each other come to the sum of both. */
export interface Countable<T> {
  kind: Kind
  schema: z.ZodMiniType<T>
  count(db: Db, scope: TotalsScope, stretch: Stretch, now: Date): Promise<T>
}

/** Until then whatever happens to a visit by itself has happened. */
const restMs = 3 * dayMs

const monthOf = (at: Date): Day => `${utcDayOf(at.getTime()).slice(0, 7)}-01`
const monthAfter = (month: Day): Day => `${addDays(month, 31).slice(0, 7)}-01`
const startOf = (month: Day): Date => new Date(`${month}T00:00:00Z`)

/** The first month that has not been over for long enough. */
const openMonth = (now: Date): Day => monthOf(new Date(now.getTime() - restMs))

/** Months before that one, from the one of an instant on. */
function monthsOver(from: Date, now: Date): Day[] {
  const months: Day[] = []
  const end = openMonth(now)
  for (let month = monthOf(from); month < end; month = monthAfter(month)) months.push(month)
  return months
}

const ofMonth = (instituteId: string, timeZone: string, month: Day): Stretch => {
  const after = monthAfter(month)
  return { instituteId, timeZone, from: startOf(month), to: startOf(after), fromDay: month, toDay: addDays(after, -1) }
}

/** Kept totals by month; those that another release wrote otherwise are as if they were not. */
function readable<T>(of: Countable<T>, rows: readonly { month: Day; totals: unknown }[]): Map<Day, T> {
  const read = rows.map(({ month, totals }) => ({ month, parsed: of.schema.safeParse(totals) }))
  return new Map(read.flatMap(({ month, parsed }) => (parsed.success ? [[month, parsed.data] as const] : [])))
}

/** The parts that a stretch until now comes to: what is kept of its months, and what was counted of the rest. Months that are not kept are asked for. */
export async function partsOfAllTime<T>(db: Db, scope: TotalsScope, of: Countable<T>, whole: Stretch, now: Date): Promise<T[]> {
  const { instituteId, timeZone } = whole
  const rows = await keptMonths(db, scope, { instituteId, timeZone, kind: of.kind, before: openMonth(now) })
  const kept = readable(of, rows)
  const parts: T[] = []
  let open: Stretch = { ...whole, to: whole.from, toDay: addDays(whole.fromDay, -1) }
  const countOpen = async () => {
    if (open.from < open.to) parts.push(await of.count(db, scope, open, now))
  }
  let isMissing = false
  for (const month of monthsOver(whole.from, now)) {
    const stretch = ofMonth(instituteId, timeZone, month)
    const totals = kept.get(month)
    if (totals === undefined) {
      isMissing = true
      open = { ...open, to: stretch.to, toDay: stretch.toDay }
      continue
    }
    await countOpen()
    parts.push(totals)
    open = { ...stretch, from: stretch.to, fromDay: addDays(stretch.toDay, 1) }
  }
  open = { ...open, to: whole.to, toDay: whole.toDay }
  await countOpen()
  if (isMissing) await askToKeep(db, instituteId)
  return parts
}

const askToKeep = (db: Db, instituteId: string): Promise<void> =>
  addJob(db, 'keep_months', { instituteId }, { key: `keep_months:${instituteId}` })

/** Asked whenever somebody opens the dashboard, so that all time is there by the time they ask for it. */
export async function keepUp(db: Db, scope: TotalsScope, instituteId: string, now: Date): Promise<void> {
  const to = startOf(openMonth(now))
  if (await isBehind(db, scope, { instituteId, month: monthOf(new Date(to.getTime() - dayMs)), to })) await askToKeep(db, instituteId)
}

/** Keeps the months of an institute that are over and are not kept as they are now. @returns how many */
export async function keepMonths(
  db: Db,
  scope: SystemScope,
  of: readonly Countable<unknown>[],
  instituteId: string,
  now: Date,
): Promise<number> {
  const past = await pastOf(db, scope, instituteId)
  if (!past?.firstAt) return 0
  const { timeZone } = past
  let count = 0
  for (const one of of) {
    const rows = await keptMonths(db, scope, { instituteId, timeZone, kind: one.kind, before: openMonth(now) })
    const kept = readable(one, rows)
    for (const month of monthsOver(new Date(past.firstAt), now)) {
      if (kept.has(month)) continue
      const stretch = ofMonth(instituteId, timeZone, month)
      const state = await stateOfMonth(db, scope, { instituteId, month, from: stretch.from, to: stretch.to, now })
      if (!state?.isSettled) continue
      const totals = await one.count(db, scope, stretch, now)
      await keepMonth(db, scope, { instituteId, kind: one.kind, timeZone, month, version: state.version, totals })
      count++
    }
  }
  return count
}
