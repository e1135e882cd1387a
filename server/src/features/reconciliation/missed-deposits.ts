/**
 * Deposits of visits whose client was marked as missing by a release that did not keep them: they stood among what is paid beforehand for ever. Nothing else leaves
 * a visit so, with its deposit paid, its client missed and nothing kept: a mark keeps it in its own transaction. It is posted as that mark would post it, on the
 * day on which it is found, since the days before may be closed.
 */
import { keepMissed } from '#/features/payments/service.ts'
import { changeWithin } from '#/features/unit-of-work/service.ts'
import { findVisit } from '#/features/visits/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import type { Fill } from '#/platform/fills.ts'
import { missedAfter } from './store.ts'

const system = systemScope('keep deposits of missed visits')

const keepOf = (context: AppContext, transaction: Db, { id, instituteId }: { id: string; instituteId: string }): Promise<void> =>
  changeWithin(context, transaction, { instituteId, by: system }, async (unit) => {
    const visit = await findVisit(unit.db, system.institute(instituteId), { id, lock: true })
    const isMissed = visit?.life === 'booked' && visit.attendance === 'no_show'
    const amount = isMissed ? await keepMissed(unit, system.actor, visit) : 0
    if (visit && amount > 0) unit.record('deposit.kept', id, { amount, currency: visit.currency })
    else unit.nothingChanged()
  })

/** Runs once over all visits; each page is one commit, and its institutes are locked in their order. */
export const missedDeposits = (context: AppContext): Fill => ({
  name: '0372_deposits_of_missed_visits',
  rowsAtOnce: 1000,
  async fill(transaction, after, rows) {
    const found = await missedAfter(transaction, system, { after, rows })
    if (!found) return null
    for (const [at, id] of found.missed.entries()) await keepOf(context, transaction, { id, instituteId: found.institutes[at] ?? '' })
    return { cursor: found.last, rows: found.rows }
  },
})
