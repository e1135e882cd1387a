/** What the product does by itself: its jobs, which of them begin every minute, and the columns that are filled after an upgrade. */
import { appointmentJobs } from '#/features/appointments/jobs.ts'
import { bookingFills, bookingJobs } from '#/features/booking/jobs.ts'
import { busyCalendarJobs } from '#/features/busy-calendars/jobs.ts'
import { calendarJobs } from '#/features/calendars/jobs.ts'
import { checkoutJobs } from '#/features/checkout/jobs.ts'
import { reconciliationJobs } from '#/features/reconciliation/jobs.ts'
import { openingPages } from '#/features/checkout/service.ts'
import { chatJobs } from '#/features/chat/jobs.ts'
import { customerFills } from '#/features/customers/jobs.ts'
import { figuresOfMonth } from '#/features/dashboard/service.ts'
import { leaveFills, leaveJobs } from '#/features/diary-entries/jobs.ts'
import { feeJobs } from '#/features/fees/jobs.ts'
import { fileFills, fileJobs } from '#/features/files/jobs.ts'
import { mailJobs } from '#/features/mails/service.ts'
import { notificationFills, notificationJobs } from '#/features/notifications/jobs.ts'
import { monthlyTotalJobs } from '#/features/monthly-totals/jobs.ts'
import { homeJobs } from '#/features/at-home/jobs.ts'
import { peopleJobs } from '#/features/people/jobs.ts'
import { passwordJobs } from '#/features/password/jobs.ts'
import { placeFills } from '#/features/places/jobs.ts'
import { rearrangingJobs } from '#/features/rearranging/jobs.ts'
import { reviewFills, reviewJobs } from '#/features/reviews/jobs.ts'
import { salesOfMonth } from '#/features/sales/service.ts'
import { sandboxJobs } from '#/features/sandbox-payments/jobs.ts'
import { voucherJobs } from '#/features/vouchers/jobs.ts'
import { securityJobs } from '#/features/security/service.ts'
import { sessionJobs } from '#/features/session/jobs.ts'
import { serviceJobs } from '#/features/services/jobs.ts'
import { paymentAccountJobs } from '#/features/payment-accounts/jobs.ts'
import { payoutJobs } from '#/features/payouts/jobs.ts'
import { summaryFills, summaryJobs } from '#/features/summary/jobs.ts'
import { timeSearchJobs } from '#/features/time-searches/service.ts'
import { teamJobs } from '#/features/team/jobs.ts'
import { waitingJobs } from '#/features/waiting/jobs.ts'
import { visitFills } from '#/features/visits/jobs.ts'
import { type Db, forWork } from '#/platform/database.ts'
import { finishBrokenOff, type WorkBeyond } from '#/platform/claimed-keys.ts'
import { type Fill, runFills } from '#/platform/fills.ts'
import { addJob, type Jobs } from '#/platform/jobs.ts'
import { afterCommit, reactionJobs } from '#/platform/reactions.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { forgetOldReadiness } from '#/platform/readiness.ts'

/** What gives new columns their values after an upgrade; one that is done everywhere may go with the next release. */
export const fills: readonly Fill[] = [
  ...visitFills,
  ...bookingFills,
  ...fileFills,
  ...leaveFills,
  ...placeFills,
  ...summaryFills,
  ...notificationFills,
  ...reviewFills,
  ...customerFills,
]

const periodicJobs = [
  'tell_of_changes',
  'tidy_bookings',
  'tidy_sessions',
  'tidy_security',
  'tidy_time_searches',
  'tidy_links',
  'tidy_invitations',
  'tidy_home_addresses',
  'tidy_events',
  'tidy_files',
  'tidy_mails',
  'tidy_readiness',
  'tidy_notifications',
  'send_reminders',
  'ask_for_reviews',
  'write_of_unread',
  'offer_waiting',
  'reckon_leave',
  'end_members',
  'catch_up',
  'rank_services',
  'apply_prices',
  'end_vouchers',
  'read_busy_calendars',
  'settle_checkouts',
  'send_refunds',
  'charge_fees',
  'reconcile_payments',
  'read_payouts',
  'read_payment_accounts',
  'fill_columns',
  'finish_keys',
  'keep_sandbox',
]
/** All of them every minute. */
export const crontab = periodicJobs.map((name) => `* * * * * ${name}`).join('\n')
/** Begins them now: at a start, and when the clock of a trial was moved. */
export async function beginPeriodicJobs(db: Db): Promise<void> {
  for (const name of periodicJobs) await addJob(db, name, {}, { key: name })
}

/** What is done beyond the database under a key, so that a job can finish what was broken off. */
const worksBeyond = (context: AppContext): readonly WorkBeyond<never, unknown, unknown>[] => [openingPages(context)]

/** Each job by its name, as this process does it. */
export function jobsOf(context: AppContext): Jobs {
  const work = forWork(context)
  return {
    ...mailJobs(work),
    ...appointmentJobs(work),
    ...bookingJobs(work),
    ...checkoutJobs(work),
    ...feeJobs(work),
    ...reconciliationJobs(work),
    ...payoutJobs(work),
    ...paymentAccountJobs(work),
    ...sessionJobs(work),
    ...securityJobs(work),
    ...timeSearchJobs(work),
    ...passwordJobs(work),
    ...peopleJobs(work),
    ...homeJobs(work),
    ...teamJobs(work),
    ...reactionJobs(work, afterCommit(context.reactions)),
    ...summaryJobs(work),
    ...fileJobs(work),
    ...leaveJobs(work),
    ...notificationJobs(work),
    ...reviewJobs(work),
    ...chatJobs(work),
    ...calendarJobs(work),
    ...waitingJobs(work),
    ...rearrangingJobs(work),
    ...serviceJobs(work),
    ...monthlyTotalJobs(work, [figuresOfMonth, salesOfMonth]),
    ...voucherJobs(work),
    ...busyCalendarJobs(work),
    ...sandboxJobs(work),
    fill_columns: () => runFills(work.database.db, fills),
    tidy_readiness: async () => void (await forgetOldReadiness(work.database.db)),
    finish_keys: async () => void (await finishBrokenOff(work.database.db, worksBeyond(work), context.log)),
  }
}
