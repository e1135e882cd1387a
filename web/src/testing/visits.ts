// Visits and holds of component tests, made from the institute of the tests.
import type { Appointment } from '@soigne/contract/appointments'
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { gelManicure, ines, nacre } from './institutes.ts'

const hour = 3_600_000

function ahead(startsAt: string, milliseconds: number): string {
  return new Date(Date.parse(startsAt) + milliseconds).toISOString()
}

function segmentAt(startsAt: string): Appointment['segments'][number] {
  return {
    serviceId: gelManicure,
    serviceName: 'Gel manicure',
    staffId: ines,
    staffName: 'Inès',
    staffImageUrl: '/art/face/ines.svg',
    startsAt,
    endsAt: ahead(startsAt, hour),
    price: { amount: 3800, currency: 'EUR' },
  }
}

export function visitAt(startsAt: string, part: Partial<Appointment> = {}): Appointment {
  return {
    _id: '019b0000-0000-7000-8000-00000000aaaa',
    reference: 'K7QD-4MX',
    status: 'pending',
    attendance: 'expected',
    startsAt,
    endsAt: ahead(startsAt, hour),
    institute: {
      _id: nacre._id,
      slug: nacre.slug,
      name: nacre.name,
      timeZone: nacre.timeZone,
      coverUrl: '/art/cover/nails/atelier-nacre.svg',
      address: '14 rue d’Austerlitz, 69004 Lyon',
      phone: nacre.phone,
      location: nacre.location,
    },
    segments: [segmentAt(startsAt)],
    total: { amount: 3800, currency: 'EUR' },
    paymentMethod: null,
    payAtSalon: true,
    note: null,
    terms: { cancelWindowHours: 2, rescheduleWindowHours: 2, freeUntil: ahead(startsAt, -2 * hour) },
    canCancel: true,
    canReschedule: true,
    createdAt: ahead(startsAt, -48 * hour),
    cancelledAt: null,
    ...part,
  }
}

export type Hold = Answer<Calls['makeHold']>

/** A hold of the gel manicure with Inès that lives for some more milliseconds. */
export function holdAt(startsAt: string, livesMs: number, part: Partial<Hold> = {}): Hold {
  const { terms } = visitAt(startsAt)
  return {
    _id: '019b0000-0000-7000-8000-00000000bbbb',
    startsAt,
    endsAt: ahead(startsAt, hour),
    expiresAt: new Date(Date.now() + livesMs).toISOString(),
    total: { amount: 3800, currency: 'EUR' },
    extended: false,
    institute: { _id: nacre._id, slug: nacre.slug, name: nacre.name, timeZone: nacre.timeZone },
    segments: [segmentAt(startsAt)],
    terms,
    ...part,
  }
}
