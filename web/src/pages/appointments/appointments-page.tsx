// `/appointment/list`: the visits of the signed-in person, what they wait for, and how visits reach their calendar.
import { AppointmentList } from '#/features/appointments/appointment-list.tsx'
import { CalendarCard } from '#/features/calendars/calendar-card.tsx'
import { OwnPackages } from '#/features/vouchers/own-packages.tsx'
import { OwnProposals, useOwnProposals } from '#/features/waiting/proposals-section.tsx'
import { useWaiting } from '#/features/waiting/use-waiting.ts'
import { WaitingOffers, WaitingRows } from '#/features/waiting/waiting-section.tsx'

export const handle = { namespaces: ['appointments', 'availability', 'calendars', 'labels', 'prices'] }

export default function AppointmentsPage() {
  const { isKnown, ...waiting } = useWaiting()
  const { proposed, isKnown: areKnown } = useOwnProposals()
  const before = (
    <>
      <OwnProposals proposed={proposed} />
      <WaitingOffers {...waiting} />
    </>
  )
  return (
    <AppointmentList isReady={isKnown && areKnown} before={before}>
      <WaitingRows {...waiting} />
      <OwnPackages />
      <CalendarCard />
    </AppointmentList>
  )
}
