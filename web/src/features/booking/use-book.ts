// Turns a hold into an appointment, once: a lost answer is asked for again with the same key.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Appointment } from '@soigne/contract/appointments'
import { useRef } from 'react'
import { api } from '#/platform/api.ts'
import { ApiError } from '#/platform/api-error.ts'
import { queryKeys } from '#/query-keys.ts'
import type { PayAsk } from '#/pay-ask.ts'

const pausesMs = [400, 1500]

/** Whether the request may have been carried out although its answer did not arrive. */
function isUnknownOutcome(error: unknown): boolean {
  return !(error instanceof ApiError) || (error.status >= 500 && error.code !== 'payment_unavailable')
}

type Booking = { holdId: string; note: string; pay?: PayAsk['body'] | undefined }

async function bookOnce({ holdId, note, pay }: Booking, idempotencyKey: string): Promise<Appointment> {
  const body = { holdId, ...(note.trim() !== '' && { note: note.trim() }), ...pay }
  for (const pause of pausesMs) {
    try {
      return await api.book({ body, idempotencyKey })
    } catch (error) {
      if (!isUnknownOutcome(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, pause))
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
  return useMutation({
    mutationFn: (booking: Booking) => bookOnce(booking, keyOf(booking)),
    retry: false,
    // Answered: what is sent next is another request, be it another checkout or another try.
    onSettled(_answer, error, booking) {
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
}
