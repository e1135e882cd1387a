/** Periodic tidying. Nothing depends on it being punctual: expiry is in the queries. */
import { sql } from 'kysely'
import { keepSummary } from '#/features/summary/service.ts'
import { inTransaction } from '#/platform/database.ts'
import { forgetOldKeys } from '#/platform/idempotency.ts'
import type { Jobs } from '#/platform/jobs.ts'
import type { Parts } from '#/platform/parts.ts'
import { forgetOldHolds, freeLapsedHolds, institutesWithLapsedHolds } from './store.ts'

/** Institute by institute, so that nobody waits long. */
async function freeTimeOfLapsedHolds({ database: { db }, clock }: Parts): Promise<void> {
  const now = clock.now()
  for (const instituteId of await institutesWithLapsedHolds(db, new Date(now))) {
    await inTransaction(db, async (transaction) => {
      await freeLapsedHolds(transaction, instituteId, new Date(now))
      await keepSummary(transaction, instituteId, now)
    })
  }
}

export const appointmentJobs = (parts: Parts): Jobs => ({
  async tidy_up() {
    const { db } = parts.database
    await freeTimeOfLapsedHolds(parts)
    await forgetOldHolds(db, new Date(parts.clock.now()))
    await forgetOldKeys(db)
    await sql`delete from rate_limits where expire < ${parts.clock.now()}`.execute(db)
    const now = new Date(parts.clock.now())
    await sql`delete from sessions where expires_at < ${now}`.execute(db)
    await sql`delete from password_resets where expires_at < ${now}::timestamptz - interval '1 day'`.execute(db)
  },
})
