// `/appointment/list`: the visits of the signed-in person, and how they reach their calendar.
import { AppointmentList } from '#/features/appointments/appointment-list.tsx'
import { CalendarCard } from '#/features/calendars/calendar-card.tsx'

export const handle = { namespaces: ['appointments', 'calendars', 'labels'] }

export default function AppointmentsPage() {
  return (
    <AppointmentList>
      <CalendarCard />
    </AppointmentList>
  )
}
