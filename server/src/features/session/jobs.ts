import { dayMs } from '@soigne/contract/time'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { forgetOldLimits } from '#/platform/limits.ts'
import { forgetOldSessions, forgetUnconfirmedAccounts } from './store.ts'

const system = systemScope('forget old sessions and accounts')
/** How long an account waits for its email to be confirmed. */
const unconfirmedMs = 7 * dayMs
/** The demo has an account that nobody has confirmed; other addresses of this ending there are none. */
const ofDemo = '%@soigne.test'

export const sessionJobs = ({ database: { db }, clock, settings }: AppContext): Jobs => ({
  /** Sessions and counts that have run out, and accounts that nobody has confirmed. */
  async tidy_sessions() {
    const now = clock.now()
    await forgetOldSessions(db, new Date(now))
    // Counts go by the machine's clock.
    await forgetOldLimits(db, Date.now())
    await forgetUnconfirmedAccounts(db, system, { before: new Date(now - unconfirmedMs), spared: settings.seed === 'demo' ? ofDemo : '' })
  },
})
