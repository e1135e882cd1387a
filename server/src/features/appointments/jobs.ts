/** Periodic tidying. Nothing depends on it being punctual: expiry is in the queries. */
import { sql } from 'kysely'
import { refreshAvailabilityIndex } from '#/features/summary/service.ts'
import { inTransaction } from '#/platform/database.ts'
import { forgetOldKeys } from '#/platform/idempotency.ts'
import type { Jobs } from '#/platform/jobs.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { forgetOldHolds, freeLapsedHolds, institutesWithLapsedHolds } from './store.ts'

/** Institute by institute, so that nobody waits long. */
async function freeTimeOfLapsedHolds({ database: { db }, clock }: AppContext): Promise<void> {
  const now = clock.now()
  for (const instituteId of await institutesWithLapsedHolds(db, new Date(now))) {
    await inTransaction(db, async (transaction) => {
      await freeLapsedHolds(transaction, instituteId, new Date(now))
      await refreshAvailabilityIndex(transaction, instituteId, now)
    })
  }
}

export const appointmentJobs = (context: AppContext): Jobs => ({
  async tidy_up() {
    const { db } = context.database
    await freeTimeOfLapsedHolds(context)
    await forgetOldHolds(db, new Date(context.clock.now()))
    await forgetOldKeys(db)
    await sql`delete from rate_limits where expire < ${context.clock.now()}`.execute(db)
    const now = new Date(context.clock.now())
    await sql`delete from sessions where expires_at < ${now}`.execute(db)
    await sql`delete from password_resets where expires_at < ${now}::timestamptz - interval '1 day'`.execute(db)
  },
})
