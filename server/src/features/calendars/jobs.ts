import type { AppContext } from '#/platform/app-context.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { forgetCalendar, pushVisit } from './pushing.ts'

export const calendarJobs = (context: AppContext): Jobs => ({
  push_visit: (payload) => pushVisit(context, payload),
  forget_calendar: (payload) => forgetCalendar(context, payload),
})
