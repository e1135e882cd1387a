/** Keeps what months come to. */
import * as z from 'zod/mini'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { type Countable, keepMonths } from './service.ts'

const system = systemScope('keep totals of months')
const payload = z.object({ instituteId: z.uuid() })

export const monthlyTotalJobs = (context: AppContext, of: readonly Countable<unknown>[]): Jobs => ({
  async keep_months(asked) {
    await keepMonths(context.database.db, system, of, payload.parse(asked).instituteId, new Date(context.clock.now()))
  },
})
