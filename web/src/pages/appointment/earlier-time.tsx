// Asks for an earlier time than that of a visit, which is given back for it. The sheet comes with the tap.
import type { Appointment } from '@soigne/contract/appointments'
import { Suspense, useState } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { lazily } from '#/ui/lazily.tsx'
import { Button } from '#/ui/button.tsx'

const WaitingSheet = lazily(async () => (await import('#/features/waiting/waiting-sheet.tsx')).WaitingSheet)

export function EarlierTime({ appointment, now }: { appointment: Appointment; now: number }) {
  const { t } = useTranslation('appointments')
  const [isOpen, setIsOpen] = useState(false)
  const { institute, segments } = appointment
  const items = segments.map(({ serviceId, staffId }) => ({ serviceId, staffId }))
  return (
    <>
      <Button variant="outline" icon="clock" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {t('earlier')}
      </Button>
      {isOpen && (
        <Suspense>
          <WaitingSheet wish={{ institute, items, day: null, visit: appointment, now }} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
