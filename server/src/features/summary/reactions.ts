/** The index of free time is true in the transaction of every change. */
import type { EventKind } from '#/event-kinds.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { WithinTransaction } from '#/platform/reactions.ts'
import { refreshAvailabilityIndex } from './service.ts'

export const summaryReactions: WithinTransaction<AppContext, EventKind>[] = [
  {
    name: 'index of free time',
    // What changed nothing left no mark, and costs two small statements.
    kinds: 'all',
    within: (_context, transaction, { instituteId, now }) => refreshAvailabilityIndex(transaction, instituteId, now),
  },
]
