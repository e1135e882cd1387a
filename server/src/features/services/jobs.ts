/** When the day of a price has come it moves into the row of its service, which the index of free time and the searches read. */
import { minuteOf } from '@soigne/contract/time'
import { addDays } from '@soigne/scheduling/days'
import { dayOf } from '@soigne/scheduling/wall-clock'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { utcDayOf } from '#/platform/instants.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { applyPrices, institutesWithPrices } from './prices-store.ts'

const system = systemScope('apply dated prices')

export const serviceJobs = (context: AppContext): Jobs => ({
  async apply_prices() {
    const now = context.clock.now()
    // It may be tomorrow there already.
    for (const { instituteId, timeZone, fromDay } of await institutesWithPrices(context.database.db, system, addDays(utcDayOf(now), 1)))
      if (fromDay <= dayOf(timeZone, minuteOf(now)))
        await changeInstitute(context, { instituteId, by: system }, async (unit) => {
          if ((await applyPrices(unit, dayOf(timeZone, minuteOf(unit.now)))) > 0) unit.record('institute.changed', null, { what: 'prices' })
          else unit.nothingChanged()
        })
  },
})
