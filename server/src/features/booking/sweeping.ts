/** Frees the time of holds that have run out. Nothing depends on it being punctual: their end is asked wherever it counts. */
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { freeLapsedHolds, institutesWithLapsedHolds } from './store.ts'

const system = systemScope('free the time of lapsed holds')

export const sweepInstitute = (context: AppContext, instituteId: string): Promise<void> =>
  changeInstitute(context, { instituteId, by: system }, async (unit) => {
    const freed = await freeLapsedHolds(unit)
    if (freed.length === 0) return unit.nothingChanged()
    for (const { id, startsAt, endsAt } of freed) unit.record('visit.lapsed', id, { startsAt, endsAt })
  })

/** Institute by institute, so that nobody waits long. */
export async function sweepAll(context: AppContext): Promise<void> {
  for (const instituteId of await institutesWithLapsedHolds(context.database.db, system, new Date(context.clock.now())))
    await sweepInstitute(context, instituteId)
}
