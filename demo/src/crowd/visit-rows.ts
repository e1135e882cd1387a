// Visits as rows: who came, what it cost, how it ended.
import { hourMs, type Instant, minuteMs } from '@soigne/contract/time'
import type { DemoContent } from '#/content/read-content.ts'
import type { Random } from '#/random.ts'
import { rateInstitute, type Ratings } from '#/rows/institute.ts'
import { instantText, parseInstant } from '#/rows/instants.ts'
import { type CustomerRow, customerRow } from '#/rows/people.ts'
import { ratingsOfRows, reviewRow, shownName } from '#/rows/reviews.ts'
import { type InstituteRows, noVisits, type VisitRows } from '#/rows/tables.ts'
import { type AppointmentRow, appointmentRow, occupationRow, segmentRow, type Standing } from '#/rows/visits.ts'
import { crowdFrom } from './ids.ts'
import type { Speech } from '#/content/invented-names.ts'
import { inventPerson } from './teams.ts'
import type { PlacedVisit } from './visits.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ23456789'
/** References of the crowd begin with this letter, so that only these need comparing with what people have. */
export const referenceLetter = 'Q'
const possible = letters.length ** 6
// Odd, not a multiple of 17, so that stepping by it meets every reference once.
const stride = 1_000_003n
/** No institute has more visits than this. */
const mostVisits = 1024

/** The n-th reference of the crowd: all of them different, none like the one before. */
function referenceOf(number: number): string {
  let rest = Number((BigInt(number) * stride) % BigInt(possible))
  let text = ''
  for (let place = 0; place < 6; place++) {
    text += letters[rest % letters.length]
    rest = Math.floor(rest / letters.length)
  }
  return `${referenceLetter}${text.slice(0, 3)}-${text.slice(3)}`
}

export interface VisitsRequest {
  institute: InstituteRows
  index: number
  speech: Speech
  /** Milliseconds since the epoch. */
  now: Instant
  /** References that people have. */
  taken: ReadonlySet<string>
}

function customerRows(
  { institute: { institute }, index, speech }: VisitsRequest,
  count: number,
  content: DemoContent,
  random: Random,
): CustomerRow[] {
  return Array.from({ length: count }, () => {
    const { first, last } = inventPerson(speech, content, random)
    return customerRow({
      id: random.uuid(crowdFrom + index),
      instituteId: institute.id,
      firstName: first,
      lastName: last,
      createdAt: institute.created_at,
    })
  })
}

/** How a visit stands: over and paid, missed, called off, or still to come. */
function standingOf(visit: PlacedVisit, now: Instant, random: Random): Standing {
  const fate = random.next()
  if (fate < 0.04 && visit.mayBeCancelled) return { life: 'cancelled', payment: 'none', attendance: 'expected' }
  if (visit.endsAt * minuteMs <= now)
    return fate < 0.07
      ? { life: 'booked', payment: 'none', attendance: 'no_show' }
      : { life: 'booked', payment: 'paid', attendance: 'done' }
  return { life: 'booked', payment: 'none', attendance: visit.startsAt * minuteMs <= now ? 'in_service' : 'expected' }
}

const priceOf = ({ own, service }: PlacedVisit): number | null => own.price_amount ?? service.price_amount

function inventAppointment(
  request: VisitsRequest,
  visit: PlacedVisit,
  reference: string,
  customerId: string,
  random: Random,
): AppointmentRow {
  const startsAt = visit.startsAt * minuteMs
  const made = Math.min(startsAt - random.between(2, 20 * 24) * hourMs, request.now - 5 * minuteMs)
  const standing = standingOf(visit, request.now, random)
  return appointmentRow({
    id: random.uuid(crowdFrom + request.index),
    institute: request.institute.institute,
    customerId,
    reference,
    standing,
    startsAt,
    endsAt: visit.endsAt * minuteMs,
    createdAt: made,
    lines: [{ serviceId: visit.service.id, memberId: visit.member.id, priceAmount: priceOf(visit) }],
    cancelled:
      standing.life === 'cancelled'
        ? { at: Math.min(request.now, startsAt - 2 * hourMs, made + hourMs), by: random.pick(['client', 'client', 'institute'] as const) }
        : null,
  })
}

/** A cancelled visit keeps its segment as a record and takes no time. */
export function visitRows(request: VisitsRequest, visits: readonly PlacedVisit[], content: DemoContent, random: Random): VisitRows {
  const at = crowdFrom + request.index
  const rows = noVisits()
  rows.customers = customerRows(request, Math.ceil(visits.length * 0.7), content, random)
  let number = request.index * mostVisits
  for (const visit of visits.slice(0, mostVisits)) {
    const reference = referenceOf(number++)
    // Somebody has this one already; the visit did not happen.
    if (request.taken.has(reference)) continue
    const customer = random.pick(rows.customers)
    const appointment = inventAppointment(request, visit, reference, customer.id, random)
    rows.appointments.push(appointment)
    rows.segments.push(
      segmentRow({
        id: random.uuid(at),
        appointment,
        position: 0,
        service: visit.service,
        memberId: visit.member.id,
        resourceId: visit.resourceId,
        startsAt: visit.startsAt * minuteMs,
        endsAt: visit.endsAt * minuteMs,
        minutes: visit.minutes,
        priceAmount: priceOf(visit),
      }),
    )
    if (appointment.life === 'cancelled') continue
    for (const { subject, id, from, to } of visit.taken)
      rows.occupations.push(
        occupationRow({ id: random.uuid(at), appointment, subject, subjectId: id, from: from * minuteMs, to: to * minuteMs }),
      )
  }
  return rows
}

/** Of those who came so many leave grades. */
const share = 0.6

/** Grades and nothing more: words are for the demo. */
export function addReviews({ institute }: InstituteRows, visits: VisitRows, usual: Ratings, now: Instant, random: Random): void {
  if (usual.count === 0) return
  const names = new Map(visits.customers.map((one) => [one.id, shownName(one.first_name, one.last_name)]))
  const grade = (middle: number): number => Math.min(5, Math.max(1, Math.floor(middle + random.next())))
  for (const visit of visits.appointments) {
    if (visit.attendance !== 'done' || !random.chance(share)) continue
    const at = Math.min(now, parseInstant(visit.ends_at) + random.between(2, 90) * hourMs)
    visits.reviews.push(
      reviewRow({
        id: random.uuid(at),
        appointmentId: visit.id,
        instituteId: institute.id,
        author: names.get(visit.customer_id) ?? 'A.',
        language: random.pick(['en', 'fr', 'ar'] as const),
        welcoming: grade(usual.welcoming),
        hygiene: grade(usual.hygiene),
        atmosphere: grade(usual.atmosphere),
        serviceQuality: grade(usual.serviceQuality),
        createdAt: instantText(at),
      }),
    )
  }
  rateInstitute(institute, ratingsOfRows(visits.reviews))
}
