/** The index of free time is true in the transaction of every change. */
import type { AppContext } from '#/platform/app-context.ts'
import type { WithinTransaction } from '#/platform/events.ts'
import { refreshAvailabilityIndex } from './service.ts'

export const summaryReactions: WithinTransaction<AppContext>[] = [
  {
    name: 'index of free time',
    kinds: [
      'visit.held',
      'visit.released',
      'visit.lapsed',
      'visit.moved',
      'visit.cancelled',
      'visit.overbooked',
      'time.blocked',
      'time.unblocked',
      'leave.set',
      'leave.removed',
      'session.opened',
      'session.resized',
      'session.closed',
      'seat.held',
      'seat.released',
      'external.synced',
      'institute.changed',
    ],
    within: (_context, transaction, { instituteId, now }) => refreshAvailabilityIndex(transaction, instituteId, now),
  },
]
