/** Every call of the product under its name. */
import { appointmentCalls } from './appointments.ts'
import { businessCheckCalls } from './business-check.ts'
import { busyCalendarCalls } from './busy-calendars.ts'
import { calendarCalls } from './calendars.ts'
import { chatCalls } from './chat.ts'
import { customerCalls } from './customers.ts'
import { diaryTimeCalls } from './diary-times.ts'
import { diaryCalls } from './diary.ts'
import { dashboardCalls } from './dashboard.ts'
import { exportCalls } from './exports.ts'
import { feeCalls } from './fees.ts'
import { favouriteCalls } from './favourites.ts'
import { gapCalls } from './gaps.ts'
import { groupSessionCalls } from './group-sessions.ts'
import { diaryHomeCalls, homeAddressCalls } from './home-addresses.ts'
import { instituteSettingsCalls } from './institute-settings.ts'
import { availabilityCalls, instituteCalls } from './institutes.ts'
import { leaveRequestCalls } from './leave-requests.ts'
import { memberCalls } from './members.ts'
import { notificationCalls } from './notifications.ts'
import { passkeyCalls } from './passkeys.ts'
import { passwordCalls } from './password.ts'
import { paymentAccountCalls } from './payment-accounts.ts'
import { paymentCalls } from './payments.ts'
import { placeCalls } from './places.ts'
import { payoutCalls } from './payouts.ts'
import { diaryRemovalCalls, removedServiceCalls } from './removed-services.ts'
import { resourceCalls } from './resources.ts'
import { productCalls } from './products.ts'
import { rearrangingCalls } from './rearranging.ts'
import { reviewCalls } from './reviews.ts'
import { saleCalls, tillCalls } from './sales.ts'
import { seriesCalls } from './series.ts'
import { serviceCalls } from './services.ts'
import { sessionCalls } from './session.ts'
import { settingsCalls } from './settings.ts'
import { setupCalls } from './setup.ts'
import { suggestionCalls } from './suggestions.ts'
import { teamCalls } from './team.ts'
import { verificationCalls } from './verification.ts'
import { giftCardCalls, packageCalls, visitSessionCalls } from './vouchers.ts'
import { waitingCalls } from './waiting.ts'
import { whatIfCalls } from './what-if.ts'

/** Every call by its name. */
export const calls = {
  ...sessionCalls,
  ...verificationCalls,
  ...businessCheckCalls,
  ...passwordCalls,
  ...passkeyCalls,
  ...placeCalls,
  ...suggestionCalls,
  ...instituteCalls,
  ...availabilityCalls,
  ...appointmentCalls,
  ...removedServiceCalls,
  ...homeAddressCalls,
  ...payoutCalls,
  ...diaryCalls,
  ...diaryTimeCalls,
  ...diaryRemovalCalls,
  ...diaryHomeCalls,
  ...dashboardCalls,
  ...gapCalls,
  ...instituteSettingsCalls,
  ...whatIfCalls,
  ...paymentAccountCalls,
  ...exportCalls,
  ...groupSessionCalls,
  ...memberCalls,
  ...notificationCalls,
  ...favouriteCalls,
  ...reviewCalls,
  ...settingsCalls,
  ...calendarCalls,
  ...chatCalls,
  ...waitingCalls,
  ...seriesCalls,
  ...customerCalls,
  ...teamCalls,
  ...busyCalendarCalls,
  ...leaveRequestCalls,
  ...serviceCalls,
  ...setupCalls,
  ...resourceCalls,
  ...rearrangingCalls,
  ...saleCalls,
  ...tillCalls,
  ...productCalls,
  ...giftCardCalls,
  ...packageCalls,
  ...visitSessionCalls,
  ...paymentCalls,
  ...feeCalls,
} as const
/** The calls with their literal types. */
export type Calls = typeof calls
