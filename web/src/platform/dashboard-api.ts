// The calls that only screens of the dashboard make, and those of paying, which come late: apart from those every page brings.
import { dashboardCallAddresses } from '#/contract/dashboard-call-addresses.ts'
import { bindCalls } from './api.ts'

export const dashboardApi = bindCalls(dashboardCallAddresses)
