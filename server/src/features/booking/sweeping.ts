/** Frees the time of holds that have run out. Nothing depends on it being punctual: their end is asked wherever it counts. */
import { dayMs } from '@soigne/contract/time'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { deleteOldHolds, freeLapsedHolds, institutesWithLapsedHolds, institutesWithOldHolds } from './store.ts'

const system = systemScope('free the time of lapsed holds')

/**
 * Frees the time of holds that have run out when the unit begins. Whatever plans within a unit and writes into the wall does this first:
 * the plan counts that time as free, and its rows would still be in the way. How many there were.
 */
export async function freeLapsed(unit: Unit): Promise<number> {
  const freed = await freeLapsedHolds(unit)
  for (const { id, startsAt, endsAt } of freed) unit.record('visit.lapsed', id, { startsAt, endsAt })
  return freed.length
}

export const sweepInstitute = (context: AppContext, instituteId: string): Promise<void> =>
  changeInstitute(context, { instituteId, by: system }, async (unit) => {
    if ((await freeLapsed(unit)) === 0) unit.nothingChanged()
  })

/** Institute by institute, so that nobody waits long. */
export async function sweepAll(context: AppContext): Promise<void> {
  for (const instituteId of await institutesWithLapsedHolds(context.database.db, system, new Date(context.clock.now())))
    await sweepInstitute(context, instituteId)
}

const keptMs = dayMs

/** Holds that ran out more than a day ago are forgotten. Their time has long been freed; where it has not, it is now, and is heard of. */
export async function forgetOldHolds(context: AppContext): Promise<void> {
  const before = new Date(context.clock.now() - keptMs)
  for (const instituteId of await institutesWithOldHolds(context.database.db, system, before))
    await changeInstitute(context, { instituteId, by: system }, async (unit) => {
      const freed = await freeLapsed(unit)
      await deleteOldHolds(unit, before)
      if (freed === 0) unit.nothingChanged()
    })
}
