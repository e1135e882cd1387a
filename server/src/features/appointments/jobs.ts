/** What is told once it can be taken back no more. */
import type { AppContext } from '#/platform/app-context.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { tellOfChanges } from './untold.ts'

export const appointmentJobs = (context: AppContext): Jobs => ({ tell_of_changes: () => tellOfChanges(context) })
