/** What was proposed for a visit that was settled another way is free again. */
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import { findVisit } from '#/features/visits/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { giveBackHold } from './sending.ts'
import { changeState, findOpen } from './store.ts'

const system = systemScope('settle what was rearranged')

interface Settled {
  instituteId: string
  appointmentId: string
  state: 'settled' | 'other_time' | 'declined'
}

const settle = (context: AppContext, { instituteId, appointmentId, state }: Settled): Promise<void> =>
  changeInstitute(context, { instituteId, by: system }, async (unit) => {
    const scope = system.institute(instituteId)
    const one = await findOpen(unit.db, scope, appointmentId)
    const row = await findVisit(unit.db, scope, { id: appointmentId, lock: true })
    // Proposed anew meanwhile, for the visit as it stands now.
    if (!one || !row || (row.life === 'booked' && row.startsAt === one.beforeStartsAt)) return unit.nothingChanged()
    await giveBackHold(unit, row, one)
    await changeState(unit, { id: one.id, state, proposed: null })
    unit.record('visit.rearranged', row.id, { rearrangementId: one.id, state, startsAt: row.startsAt, endsAt: row.endsAt })
  })

export const rearrangingJobs = (context: AppContext): Jobs => ({
  settle_rearrangement: async (payload) => settle(context, payload as Settled),
})
