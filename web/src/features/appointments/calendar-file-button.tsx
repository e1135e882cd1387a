// Saves one visit as a calendar file.
import type { Appointment } from '@soigne/contract/appointments'
import { useState } from 'react'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { Button } from '#/ui/button.tsx'
import { saveFile } from '#/ui/save-file.ts'
import { showToast } from '#/ui/toasts.ts'

export type CalendarFileButtonProps = { appointment: Pick<Appointment, '_id' | 'reference'>; label: string }

export function CalendarFileButton({ appointment, label }: CalendarFileButtonProps) {
  const [isLoading, setIsLoading] = useState(false)
  async function save() {
    setIsLoading(true)
    try {
      saveFile(await api.appointmentCalendarFile({ params: { id: appointment._id } }), `${appointment.reference}.ics`)
    } catch (error) {
      showToast({ type: 'error', title: failureText(error) })
    } finally {
      setIsLoading(false)
    }
  }
  return (
    <Button variant="outline" icon="calendar" loading={isLoading} onClick={() => void save()}>
      {label}
    </Button>
  )
}
