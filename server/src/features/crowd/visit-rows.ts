// Visits as rows: who came, what it cost, how it ended.
import type { AppointmentRow, CustomerRow, Random } from '#/features/demo/service.ts'
import type { Content } from './menu.ts'
import type { Speech } from './names.ts'
import { crowdFrom, type CrowdHouse, type CrowdVisits } from './rows.ts'
import { inventPerson } from './team.ts'
import type { PlacedVisit } from './visits.ts'

const hour = 3_600_000
const minute = 60_000
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ23456789'
/** References of the crowd begin with this letter, so that only these need comparing with what people have. */
export const referenceLetter = 'Q'
const room = letters.length ** 6
// Odd, not a multiple of 17, so that stepping by it meets every reference once.
const stride = 1_000_003n
/** No institute has more visits than this. */
const mostVisits = 1024

/** The n-th reference of the crowd: all of them different, none like the one before. */
function referenceOf(number: number): string {
  let rest = Number((BigInt(number) * stride) % BigInt(room))
  let text = ''
  for (let place = 0; place < 6; place++) {
    text += letters[rest % letters.length]
    rest = Math.floor(rest / letters.length)
  }
  return `${referenceLetter}${text.slice(0, 3)}-${text.slice(3)}`
}

export interface VisitsWish {
  house: CrowdHouse
  index: number
  speech: Speech
  /** Milliseconds since the epoch. */
  now: number
  /** References that people have. */
  taken: ReadonlySet<string>
}

function customerRows({ house, index, speech }: VisitsWish, count: number, content: Content, random: Random): CustomerRow[] {
  return Array.from({ length: count }, () => {
    const { first, last } = inventPerson(speech, content, random)
    return {
      id: random.uuid(crowdFrom + index),
      institute_id: house.institute.id,
      user_id: null,
      first_name: first,
      last_name: last,
      email: null,
      phone: null,
      birthday: null,
      notes: '',
      created_at: house.institute.created_at,
    }
  })
}

/** How a visit stands: over and paid, missed, called off, or still to come. */
function standing(visit: PlacedVisit, now: number, random: Random): Pick<AppointmentRow, 'status' | 'attendance'> {
  const fate = random.next()
  if (fate < 0.04 && visit.mayBeCancelled) return { status: 'cancelled', attendance: 'expected' }
  if (visit.endsAt * minute <= now)
    return fate < 0.07 ? { status: 'pending', attendance: 'no_show' } : { status: 'completed', attendance: 'done' }
  return { status: 'pending', attendance: visit.startsAt * minute <= now ? 'in_service' : 'expected' }
}

function appointmentRow(wish: VisitsWish, visit: PlacedVisit, reference: string, customerId: string, random: Random): AppointmentRow {
  const { institute } = wish.house
  const iso = (at: number): string => new Date(at).toISOString()
  const start = visit.startsAt * minute
  const made = Math.min(start - random.between(2, 20 * 24) * hour, wish.now - 5 * minute)
  const { status, attendance } = standing(visit, wish.now, random)
  const isCancelled = status === 'cancelled'
  return {
    id: random.uuid(crowdFrom + wish.index),
    institute_id: institute.id,
    user_id: null,
    customer_id: customerId,
    reference,
    status,
    attendance,
    starts_at: iso(start),
    ends_at: iso(visit.endsAt * minute),
    time_zone: institute.time_zone,
    cart: [{ serviceId: visit.service.id, staffId: visit.member.id }],
    total_amount: visit.own.price_amount ?? visit.service.price_amount ?? 0,
    currency: institute.currency,
    terms: {
      cancelWindowMinutes: institute.cancel_window_minutes,
      rescheduleWindowMinutes: institute.reschedule_window_minutes,
      freeUntil: iso(start - institute.cancel_window_minutes * minute),
    },
    payment_method: null,
    note: null,
    expires_at: null,
    hold_extended: false,
    cancelled_at: isCancelled ? iso(Math.min(wish.now, start - 2 * hour, made + hour)) : null,
    cancelled_by: isCancelled ? random.pick(['client', 'client', 'institute'] as const) : null,
    cancel_reason: null,
    moved_count: 0,
    first_starts_at: iso(start),
    created_at: iso(made),
    confirmed_at: iso(made),
  }
}

/** A cancelled visit keeps its segment as a record and takes no time. */
export function visitRows(wish: VisitsWish, visits: readonly PlacedVisit[], content: Content, random: Random): CrowdVisits {
  const at = crowdFrom + wish.index
  const instituteId = wish.house.institute.id
  const rows: CrowdVisits = { customers: [], appointments: [], segments: [], occupations: [] }
  rows.customers = customerRows(wish, Math.ceil(visits.length * 0.7), content, random)
  let number = wish.index * mostVisits
  for (const visit of visits.slice(0, mostVisits)) {
    const reference = referenceOf(number++)
    // Somebody has this one already; the visit did not happen.
    if (wish.taken.has(reference)) continue
    const customer = random.pick(rows.customers)
    const appointment = appointmentRow(wish, visit, reference, customer.id, random)
    rows.appointments.push(appointment)
    rows.segments.push({
      id: random.uuid(at),
      appointment_id: appointment.id,
      institute_id: instituteId,
      position: 0,
      service_id: visit.service.id,
      member_id: visit.member.id,
      resource_id: visit.resourceId,
      starts_at: appointment.starts_at,
      ends_at: appointment.ends_at,
      snapshot: { name: visit.service.name, priceKind: visit.service.price_kind, line: 0, ...visit.parts },
      price_amount: visit.own.price_amount ?? visit.service.price_amount,
    })
    if (appointment.status === 'cancelled') continue
    for (const { subject, id, from, to } of visit.taken)
      rows.occupations.push({
        id: random.uuid(at),
        institute_id: instituteId,
        appointment_id: appointment.id,
        subject_kind: subject,
        subject_id: id,
        during: `[${new Date(from * minute).toISOString()},${new Date(to * minute).toISOString()})`,
        expires_at: null,
      })
  }
  return rows
}
