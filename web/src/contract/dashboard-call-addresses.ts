// Method and path of every call that a screen of the dashboard makes. Made from contract/src by `npm run generate`; not to be changed here.
import type { Calls } from '@soigne/contract/calls'

export const dashboardCallAddresses = {
  instituteVisits: 'GET /api/v1/secure/mysalon/appointments',
} as const satisfies Partial<Record<keyof Calls, string>>
