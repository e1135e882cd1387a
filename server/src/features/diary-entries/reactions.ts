/** Leave is reckoned in the transaction that changes days, shifts or the zone. */
import type { EventKind } from '#/event-kinds.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { WithinTransaction } from '#/platform/reactions.ts'
import { reckonMarkedLeave } from './reckoning.ts'

export const leaveReactions: WithinTransaction<AppContext, EventKind>[] = [
  {
    name: 'leave in instants',
    kinds: ['leave.set', 'leave.removed', 'institute.changed'],
    within: (_context, transaction, { instituteId }) => reckonMarkedLeave(transaction, instituteId),
  },
]
