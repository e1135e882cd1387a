// Makes summaries true again that somebody changed past us or that the days have moved on from. One worker of all processes at a time;
// searches that need the truth share what it does and write nothing themselves.
import { dayMs, type Instant, minutesOfDay } from '@soigne/contract/time'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AppContext } from '#/platform/app-context.ts'
import { type Database, type Db, inTransaction } from '#/platform/database.ts'
import { singleFlight } from '#/platform/single-flight.ts'
import { refreshInstitutes } from './build-summaries.ts'
import { nearDays, nearDaysLeft, binMinutes } from './starts.ts'
import { countMarked, readMarked, readShort, readWithoutLead, tryMendingLock } from './store.ts'

/** So many are mended in one transaction, for which bookings there have to wait. */
const together = 20
/** With more than these behind nobody waits: mending them takes longer than a person does. */
const mostWaitedFor = 100
const lookAgainMs = 50
const binsOfDay = minutesOfDay / binMinutes

type Behind = (db: Db, params: { limit: number; without: readonly string[] }) => Promise<string[]>
interface Mended {
  mended: number
  /** Whose diary cannot be summarised: they stay behind, and keep nobody else there. */
  failed: string[]
  /** Another process is at it. */
  isElsewhere: boolean
}

async function mendOne(db: Database, now: Instant, id: string, result: Mended): Promise<void> {
  try {
    await inTransaction(db, (transaction) => refreshInstitutes(transaction, [id], now))
    result.mended++
  } catch {
    result.failed.push(id)
  }
}

/** One transaction of mending. */
async function mendSome(db: Database, now: Instant, behind: Behind, without: readonly string[]): Promise<Mended> {
  const result: Mended = { mended: 0, failed: [], isElsewhere: false }
  let ids: string[] = []
  try {
    await inTransaction(db, async (transaction) => {
      result.isElsewhere = !(await tryMendingLock(transaction))
      ids = result.isElsewhere ? [] : await behind(transaction, { limit: together, without })
      if (ids.length > 0) await refreshInstitutes(transaction, ids, now)
    })
    result.mended = ids.length
  } catch (error) {
    if (ids.length === 0) throw error
    for (const id of ids) await mendOne(db, now, id, result)
    // Not the institutes but the database.
    if (result.mended === 0 && ids.length > 1) throw error
  }
  return result
}

/** Mends all that is behind, no more than `most`, or leaves it to the process that is at it. */
async function mendAll(db: Database, now: Instant, behind: Behind, most: number): Promise<Mended> {
  const all: Mended = { mended: 0, failed: [], isElsewhere: false }
  for (;;) {
    const { mended, failed, isElsewhere } = await mendSome(db, now, behind, all.failed)
    all.mended += mended
    all.failed.push(...failed)
    if (isElsewhere || mended + failed.length < together || all.mended >= most) return { ...all, isElsewhere }
  }
}

/** The work of the job: brings every summary that is behind, or does not reach far enough any more, up to date; how many. */
export async function catchUp(db: Database, now: Instant): Promise<number> {
  const nearFrom = (Math.floor(now / dayMs) - (nearDays - nearDaysLeft)) * binsOfDay
  let done = 0
  const failed: string[] = []
  const short: Behind = (of, params) => readShort(of, { ...params, nearFrom })
  for (const behind of [readMarked, readWithoutLead, short]) {
    const result = await mendAll(db, now, behind, Infinity)
    done += result.mended
    failed.push(...result.failed)
  }
  if (failed.length > 0) throw new Error(`institutes that cannot be summarised: ${[...new Set(failed)].slice(0, 10).join(', ')}`)
  return done
}

export interface Mending {
  /** Resolves when all that was marked before the call is mended, or after a bounded time; what is still marked then is read from the diaries. All who wait share one mending. */
  settled(): Promise<void>
}

/** What the searches of one process share. */
export function openMending({
  database: { db },
  clock,
  log,
  patienceMs,
}: Pick<AppContext, 'database' | 'clock' | 'log' | 'patienceMs'>): Mending {
  const looks = singleFlight<number>()
  const mendings = singleFlight<void>()
  /** Some of what is marked; where another process is at it, until that has done it. */
  const mend = async (): Promise<void> => {
    for (const until = performance.now() + patienceMs; ;) {
      const { isElsewhere } = await mendAll(db, clock.now(), readMarked, 2 * mostWaitedFor)
      if (!isElsewhere || performance.now() > until) return
      const left = await countMarked(db, mostWaitedFor + 1)
      if (left === 0 || left > mostWaitedFor) return
      await sleep(lookAgainMs)
    }
  }
  return {
    async settled() {
      const marked = await looks('marks', () => countMarked(db, mostWaitedFor + 1))
      if (marked === 0) return
      const mending = mendings('marks', mend).catch((error: unknown) => log.error({ err: error }, 'marked summaries could not be mended'))
      if (marked > mostWaitedFor) return
      const waiting = new AbortController()
      await Promise.race([mending, sleep(patienceMs, undefined, { signal: waiting.signal }).catch(() => {})])
      waiting.abort()
    },
  }
}
