/** Keeps what people look for when they ask for the free times of an institute, without the people: for 60 days. */
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { dayMs, hourMs, type Instant, minuteMs } from '@soigne/contract/time'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { OpenDatabase } from '#/platform/database.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { forgetSearches, forgottenAtOnce, insertSearches, type TimeSearch } from './store.ts'

export { keptSearches, type TimeSearch } from './store.ts'

const system = systemScope('what free times people look for')

const keptMs = 60 * dayMs
const gatherMs = 1000
const mostWaiting = 5000
/** Of one institute in an hour; more would tell no more. */
const mostAnHour = 300
/** Old rows are deleted in so many pieces at most each time. */
const mostPieces = 20
/** A page that stays open asks again and again, and many ask what the page begins with: the same question counts once in this time. */
const onceMs = 30 * minuteMs
const mostRemembered = 20_000

export interface SearchLog {
  note(search: TimeSearch, now: Instant): void
  /** Writes what waits. */
  flush(): Promise<void>
}

function openLog({ database, log }: Pick<AppContext, 'database' | 'log'>): SearchLog {
  let waiting: TimeSearch[] = []
  let writing: Promise<void> = Promise.resolve()
  const lately = new LRUCache<string, Instant>({ max: mostRemembered })
  const ofHour = new LRUCache<string, number>({ max: mostRemembered })
  const write = async (): Promise<void> => {
    const searches = waiting
    waiting = []
    if (searches.length === 0) return
    try {
      await insertSearches(database.db, system, searches)
    } catch (error) {
      log.error({ err: error, lost: searches.length }, 'what people looked for could not be written')
    }
  }
  return {
    note(search, now) {
      if (waiting.length >= mostWaiting) return
      const { instituteId, cart, fromDay, days } = search
      const key = JSON.stringify([instituteId, cart, fromDay, days])
      const before = lately.get(key)
      if (before !== undefined && now - before < onceMs && now >= before) return
      lately.set(key, now)
      const hour = `${instituteId} ${Math.floor(now / hourMs)}`
      const noted = ofHour.get(hour) ?? 0
      if (noted >= mostAnHour) return
      ofHour.set(hour, noted + 1)
      waiting.push(search)
    },
    async flush() {
      writing = writing.then(write)
      await writing
    },
  }
}

const logs = new WeakMap<OpenDatabase, SearchLog>()
/** What a process gathers; one for its database. */
export function searchLog(context: Pick<AppContext, 'database' | 'log'>): SearchLog {
  let log = logs.get(context.database)
  if (!log) logs.set(context.database, (log = openLog(context)))
  return log
}

/** Writes what was gathered once a second, after the answers: nobody waits for it, and what cannot be written is dropped. */
export function watchSearches(app: FastifyInstance, context: AppContext): void {
  const log = searchLog(context)
  const timer = setInterval(() => void log.flush(), gatherMs)
  timer.unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await log.flush()
  })
}

export const timeSearchJobs = ({ database, clock }: AppContext): Jobs => ({
  async tidy_time_searches() {
    const before = new Date(clock.now() - keptMs)
    for (let piece = 0; piece < mostPieces; piece++) if ((await forgetSearches(database.db, system, before)) < forgottenAtOnce) return
  },
})
