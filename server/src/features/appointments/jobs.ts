/** Periodic tidying. Nothing depends on it being punctual: expiry is in the queries. */
import { sql } from 'kysely'
import { forgetOldKeys } from '#/platform/idempotency.ts'
import type { Jobs } from '#/platform/jobs.ts'
import type { Parts } from '#/platform/parts.ts'
import { tidyHolds } from './store.ts'

export const appointmentJobs = (parts: Parts): Jobs => ({
  async tidy_up() {
    const { db } = parts.database
    await tidyHolds(db, new Date(parts.clock.now()))
    await forgetOldKeys(db)
    await sql`delete from rate_limits where expire < ${parts.clock.now()}`.execute(db)
    const now = new Date(parts.clock.now())
    await sql`delete from sessions where expires_at < ${now}`.execute(db)
    await sql`delete from password_resets where expires_at < ${now}::timestamptz - interval '1 day'`.execute(db)
  },
})
