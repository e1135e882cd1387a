/** Rate limits counted in Postgres, so that all processes share them. */
import type { Instant } from '@soigne/contract/time'
import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { refuse } from './refuse.ts'
import type { Db } from './database.ts'
import { statement } from './statement.ts'
import { sql } from 'kysely'

export interface Limit {
  /** Counts one; refuses with too_many_requests past the limit. */
  take(key: string): Promise<void>
  /** Refuses when the limit is used up, without counting. */
  check(key: string): Promise<void>
  forget(key: string): Promise<void>
}

const refuseFor = (result: RateLimiterRes) =>
  refuse('too_many_requests', undefined, { retryAfter: Math.max(1, Math.ceil(result.msBeforeNext / 1000)) })

/** A limit of `points` within `seconds`; the same name shares one count. */
export function openLimit(pool: pg.Pool, name: string, points: number, seconds: number): Limit {
  const limiter = new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix: name,
    points,
    duration: seconds,
    clearExpiredByTimeout: false,
  })
  const short = (key: string): string => key.slice(0, 200)
  return {
    async take(key) {
      try {
        await limiter.consume(short(key))
      } catch (error) {
        if (error instanceof RateLimiterRes) throw refuseFor(error)
        throw error
      }
    },
    async check(key) {
      const result = await limiter.get(short(key))
      if (result && result.remainingPoints <= 0) throw refuseFor(result)
    },
    async forget(key) {
      await limiter.delete(short(key))
    },
  }
}

const forgetOldLimitsStatement = statement(
  { name: 'limits.forgetOld', row: {}, tries: [{ now: 0 }] },
  ({ now }: { now: Instant }) => sql`delete from rate_limits where expire < ${now}`,
)
/** Counts whose time is over; `now` in milliseconds since the epoch. */
export const forgetOldLimits = (db: Db, now: Instant): Promise<number> => forgetOldLimitsStatement.run(db, { now })
