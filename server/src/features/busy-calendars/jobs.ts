import type { AppContext } from '#/platform/app-context.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { readBusyCalendar, readDue } from './reading.ts'

export const busyCalendarJobs = (context: AppContext): Jobs => ({
  read_busy_calendars: () => readDue(context),
  read_busy_calendar: (payload) => readBusyCalendar(context, (payload as { id: string }).id),
})
