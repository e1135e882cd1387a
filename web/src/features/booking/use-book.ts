// Turns a hold into an appointment, once: a lost answer is asked for again with the same key.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Appointment } from '@soigne/contract/appointments'
import { useRef } from 'react'
import { api } from '#/platform/api.ts'
import { ApiError } from '#/platform/api-error.ts'
import { queryKeys } from '#/query-keys.ts'

const pausesMs = [400, 1500]

/** Whether the request may have been carried out although its answer did not arrive. */
function isUnknownOutcome(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status >= 500
}

type Booking = { holdId: string; note: string }

async function bookOnce({ holdId, note }: Booking, idempotencyKey: string): Promise<Appointment> {
  const body = note.trim() === '' ? { holdId } : { holdId, note: note.trim() }
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

export function useBook(onBooked: (appointment: Appointment) => void) {
  const queries = useQueryClient()
  const keys = useRef(new Map<string, string>())
  /** The same request keeps its key however often it is sent; a changed note is another request. */
  function keyOf({ holdId, note }: Booking): string {
    const request = `${holdId} ${note.trim()}`
    const key = keys.current.get(request) ?? crypto.randomUUID()
    keys.current.set(request, key)
    return key
  }
  return useMutation({
    mutationFn: (booking: Booking) => bookOnce(booking, keyOf(booking)),
    retry: false,
    onSuccess(appointment) {
      // Where a visit at home is, only its own reading tells.
      if (!appointment.atHome) queries.setQueryData(queryKeys.appointment(appointment._id), appointment)
      void queries.invalidateQueries({ queryKey: queryKeys.appointments.all })
      void queries.invalidateQueries({ queryKey: queryKeys.availability.all })
      onBooked(appointment)
    },
  })
}
