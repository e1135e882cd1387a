/** Every answer to an event, by feature. Those within the transaction run in this order: the index of free time last. */
import { appointmentReactions } from './features/appointments/reactions.ts'
import { businessCheckReactions } from './features/business-check/reactions.ts'
import { calendarReactions } from './features/calendars/reactions.ts'
import { feeReactions } from '#/features/fees/letters.ts'
import { checkoutReactions } from './features/checkout/reactions.ts'
import { disputeReactions } from '#/features/disputes/reactions.ts'
import { gapReactions } from './features/gaps/reactions.ts'
import { leaveReactions } from './features/diary-entries/reactions.ts'
import { leaveRequestReactions } from './features/leave-requests/reactions.ts'
import { payoutReactions } from './features/payouts/reactions.ts'
import { peopleReactions } from './features/people/reactions.ts'
import { rearrangingReactions } from './features/rearranging/reactions.ts'
import { reviewReactions } from './features/reviews/reactions.ts'
import { saleReactions } from './features/sales/reactions.ts'
import { seriesReactions } from './features/series/reactions.ts'
import { setupReactions } from './features/setup/reactions.ts'
import { visitSessionReactions } from '#/features/till/visit-sessions.ts'
import { summaryReactions } from './features/summary/reactions.ts'
import { waitingReactions } from './features/waiting/reactions.ts'
import type { EventKind } from './event-kinds.ts'
import type { AppContext } from './platform/app-context.ts'
import type { Reaction } from './platform/reactions.ts'

export const reactions: readonly Reaction<AppContext, EventKind>[] = [
  ...appointmentReactions,
  ...checkoutReactions,
  ...disputeReactions,
  ...payoutReactions,
  ...feeReactions,
  ...saleReactions,
  ...visitSessionReactions,
  ...peopleReactions,
  ...leaveReactions,
  ...reviewReactions,
  ...calendarReactions,
  ...waitingReactions,
  ...gapReactions,
  ...seriesReactions,
  ...rearrangingReactions,
  ...leaveRequestReactions,
  ...setupReactions,
  ...businessCheckReactions,
  ...summaryReactions,
]
