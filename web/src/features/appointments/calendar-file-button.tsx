// Saves one visit as a calendar file.
import type { Appointment } from '@soigne/contract/appointments'
import { useState } from 'react'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { Button } from '#/ui/button.tsx'
import { showToast } from '#/ui/toasts.ts'

/** Hands a file to the browser under a name. */
function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Some browsers read the address only after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

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
