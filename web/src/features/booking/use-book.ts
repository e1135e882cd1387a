// Turns a hold into an appointment, once: a lost answer is asked for again with the same key.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Appointment } from '@soigne/contract/appointments'
import { useRef, useState } from 'react'
import { api } from '#/platform/api.ts'
import { ApiError } from '#/platform/api-error.ts'
import { queryKeys } from '#/query-keys.ts'
import type { PayAsk } from '#/pay-ask.ts'

/** Between one try and the next, for two minutes; whoever comes back to the net is asked about at once. */
const pausesMs = [400, 1500, 3000, ...Array.from({ length: 23 }, () => 5000)]

/** Whether the request may have been carried out although its answer did not arrive. */
export function isUnknownOutcome(error: unknown): boolean {
  return !(error instanceof ApiError) || (error.status >= 500 && error.code !== 'payment_unavailable')
}

type Booking = { holdId: string; note: string; pay?: PayAsk['body'] | undefined }

/** Waits so long, or until there is a line again. */
function pauseOf(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    addEventListener('online', end)
  })
}

async function bookOnce({ holdId, note, pay }: Booking, idempotencyKey: string, onUnknown: () => void): Promise<Appointment> {
  const body = { holdId, ...(note.trim() !== '' && { note: note.trim() }), ...pay }
  for (const pause of pausesMs) {
    try {
      return await api.book({ body, idempotencyKey })
    } catch (error) {
      if (!isUnknownOutcome(error)) throw error
      onUnknown()
      await pauseOf(pause)
    }
  }
  return api.book({ body, idempotencyKey })
}

/** `onPayment`: it is booked once it is paid there. */
export function useBook(onBooked: (appointment: Appointment) => void, onPayment: (url: string) => void) {
  const queries = useQueryClient()
  const keys = useRef(new Map<string, string>())
  /** The same request keeps its key however often it is sent; a changed note is another request. */
  const requestOf = ({ holdId, note, pay }: Booking): string => JSON.stringify([holdId, note.trim(), pay])
  function keyOf(booking: Booking): string {
    const request = requestOf(booking)
    const key = keys.current.get(request) ?? crypto.randomUUID()
    keys.current.set(request, key)
    return key
  }
  const [isChecking, setChecking] = useState(false)
  const mutation = useMutation({
    mutationFn: (booking: Booking) => bookOnce(booking, keyOf(booking), () => setChecking(true)),
    retry: false,
    // Answered: what is sent next is another request, be it another checkout or another try.
    onSettled(_answer, error, booking) {
      setChecking(false)
      if (!error || !isUnknownOutcome(error)) keys.current.delete(requestOf(booking))
    },
    onSuccess(appointment) {
      if (appointment.payment) {
        onPayment(appointment.payment.url)
        return
      }
      // Where a visit at home is, only its own reading tells.
      if (!appointment.atHome) queries.setQueryData(queryKeys.appointment(appointment._id), appointment)
      void queries.invalidateQueries({ queryKey: queryKeys.appointments.all })
      void queries.invalidateQueries({ queryKey: queryKeys.availability.all })
      onBooked(appointment)
    },
  })
  return { ...mutation, isChecking }
}
