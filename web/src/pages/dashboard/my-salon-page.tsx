// My Salon, with the days off of who signs in.
import { DashboardContent, handle as dashboardHandle } from '#/features/dashboard/dashboard.tsx'
import { OwnTimeOff } from '#/features/leave-requests/own-time-off.tsx'

export { links } from '#/features/dashboard/dashboard.tsx'

export const handle = { namespaces: [...dashboardHandle.namespaces, 'leave-requests', 'forms'] }

export default function MySalonPage() {
  return <DashboardContent timeOff={<OwnTimeOff />} />
}
