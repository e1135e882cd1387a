/** What is sent when it is due, and what is forgotten. */
import type { AppContext } from '#/platform/app-context.ts'
import type { Fill } from '#/platform/fills.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { fillReminders } from './reminder-store.ts'
import { sendReminders } from './reminders.ts'
import { forgetOldNotifications } from './service.ts'

/** Visits from before there were reminders. */
export const notificationFills: readonly Fill[] = [
  {
    name: '0067_reminders',
    rowsAtOnce: 1000,
    fill: async (transaction, after, rows) => {
      const filled = await fillReminders(transaction, { after: after ?? '00000000-0000-0000-0000-000000000000', rows })
      return filled && { cursor: filled.id, rows: filled.rows }
    },
  },
]

export const notificationJobs = (context: AppContext): Jobs => ({
  send_reminders: () => sendReminders(context),
  async tidy_notifications() {
    await forgetOldNotifications(context)
  },
})
