/** The explicit list of features that answer calls. */
import { appointmentCallsServed } from '#/features/appointments/routes.ts'
import { groupSessionCallsServed } from '#/features/group-sessions/routes.ts'
import { availabilityCallsServed } from '#/features/availability/routes.ts'
import { businessCheckCallsServed } from '#/features/business-check/routes.ts'
import { busyCalendarCallsServed } from '#/features/busy-calendars/routes.ts'
import { calendarCallsServed } from '#/features/calendars/routes.ts'
import { feeCallsServed } from '#/features/checkout/fee-routes.ts'
import { paymentCallsServed } from '#/features/checkout/routes.ts'
import { chatCallsServed } from '#/features/chat/routes.ts'
import { customerCallsServed } from '#/features/customers/routes.ts'
import { dashboardCallsServed } from '#/features/dashboard/routes.ts'
import { gapCallsServed } from '#/features/gaps/routes.ts'
import { diaryCallsServed } from '#/features/diary/routes.ts'
import { exportCallsServed } from '#/features/exports/routes.ts'
import { favouriteCallsServed } from '#/features/favourites/routes.ts'
import { instituteSettingsCallsServed } from '#/features/institute-settings/routes.ts'
import { paymentAccountCallsServed } from '#/features/payment-accounts/routes.ts'
import { instituteCallsServed } from '#/features/institutes/routes.ts'
import { leaveRequestCallsServed } from '#/features/leave-requests/routes.ts'
import { notificationCallsServed } from '#/features/notifications/routes.ts'
import { memberCallsServed } from '#/features/people/routes.ts'
import { passkeyCallsServed } from '#/features/passkeys/routes.ts'
import { passwordCallsServed } from '#/features/password/routes.ts'
import { placeCallsServed } from '#/features/places/routes.ts'
import { rearrangingCallsServed } from '#/features/rearranging/routes.ts'
import { reviewCallsServed } from '#/features/reviews/routes.ts'
import { saleCallsServed } from '#/features/sales/routes.ts'
import { tillCallsServed } from '#/features/till/routes.ts'
import { giftCardCallsServed, packageCallsServed } from '#/features/vouchers/routes.ts'
import { serviceCallsServed } from '#/features/services/routes.ts'
import { payoutCallsServed } from '#/features/payouts/routes.ts'
import { removedServiceCallsServed } from '#/features/removed-services/routes.ts'
import { homeAddressCallsServed } from '#/features/home-addresses/routes.ts'
import { seriesCallsServed } from '#/features/series/routes.ts'
import { sessionCallsServed } from '#/features/session/routes.ts'
import { settingsCallsServed } from '#/features/settings/routes.ts'
import { setupCallsServed } from '#/features/setup/routes.ts'
import { suggestionCallsServed } from '#/features/suggestions/routes.ts'
import { searchLog } from '#/features/time-searches/service.ts'
import { resourceCallsServed, teamCallsServed } from '#/features/team/routes.ts'
import { verificationCallsServed } from '#/features/verification/routes.ts'
import { waitingCallsServed } from '#/features/waiting/routes.ts'
import { whatIfCallsServed } from '#/features/what-if/routes.ts'
import { onlyReading } from '#/platform/database.ts'
import { type Served, serveWalled } from '#/platform/calls.ts'
import type { AppContext } from '#/platform/app-context.ts'

/** The calls of each feature. */
const features: readonly ((context: AppContext) => Served[])[] = [
  sessionCallsServed,
  verificationCallsServed,
  businessCheckCallsServed,
  passwordCallsServed,
  passkeyCallsServed,
  placeCallsServed,
  suggestionCallsServed,
  instituteCallsServed,
  (context) => availabilityCallsServed(onlyReading(context), searchLog(context)),
  appointmentCallsServed,
  paymentCallsServed,
  feeCallsServed,
  diaryCallsServed,
  groupSessionCallsServed,
  memberCallsServed,
  notificationCallsServed,
  favouriteCallsServed,
  reviewCallsServed,
  settingsCallsServed,
  calendarCallsServed,
  chatCallsServed,
  waitingCallsServed,
  removedServiceCallsServed,
  homeAddressCallsServed,
  payoutCallsServed,
  seriesCallsServed,
  teamCallsServed,
  busyCalendarCallsServed,
  leaveRequestCallsServed,
  resourceCallsServed,
  customerCallsServed,
  serviceCallsServed,
  setupCallsServed,
  rearrangingCallsServed,
  dashboardCallsServed,
  gapCallsServed,
  saleCallsServed,
  tillCallsServed,
  giftCardCallsServed,
  packageCallsServed,
  exportCallsServed,
  instituteSettingsCallsServed,
  whatIfCallsServed,
  paymentAccountCallsServed,
]
/** All calls of all features. */
export const servedCalls = (context: AppContext): Served[] => features.flatMap((served) => serveWalled(context, served))
