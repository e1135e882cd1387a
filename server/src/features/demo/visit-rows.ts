// Five weeks of visits around today as rows: who came, what it cost, how it ended.
import type { People } from './content.ts'
import { rotaAnchorDay } from './diary-rows.ts'
import { type Random, randomFrom } from './random.ts'
import type { AppointmentRow, CustomerRow, DemoInstitute, DemoVisits } from './rows.ts'
import { type DayQuestion, indexDiary, type PlacedVisit, visitsOfDay } from './visits-of-day.ts'

export const firstDay = -7
export const lastDay = 28

const hour = 3_600_000
const minute = 60_000
const referenceLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ23456789'

const customersOf = 48

function customerRows(demo: DemoInstitute, people: People, random: Random, at: number): CustomerRow[] {
  const { country_code: country, id } = demo.institute
  const names = people.names[country]
  if (!names) throw new Error(`no names for ${country}`)
  return Array.from({ length: customersOf }, (_, index) => {
    const first = random.pick(names[random.chance(demo.institute.audience[0] === 'Men' ? 0.05 : 0.7) ? 'f' : 'm'])
    return {
      id: random.uuid(at),
      institute_id: id,
      user_id: null,
      first_name: first,
      last_name: random.pick(names.last),
      email: null,
      phone: null,
      birthday: `${random.between(1955, 2004)}-${String(random.between(1, 12)).padStart(2, '0')}-${String(random.between(1, 28)).padStart(2, '0')}`,
      notes: index % 9 === 0 ? 'Prefers the first hour.' : '',
      created_at: new Date(at).toISOString(),
    }
  })
}

/** How full a day is: full behind us, thinner the further ahead; a few houses have no time left today. */
function fillOf(demo: DemoInstitute, offset: number, isFullToday: boolean, random: Random): number {
  if (offset === 0 && isFullToday) return 1
  const popularity = Math.min(0.7, 0.34 + demo.institute.rating_count / 900)
  const ahead = offset <= 0 ? 1 : Math.max(0.12, 1 - offset * 0.045)
  return Math.min(0.75, popularity * ahead * (0.8 + random.next() * 0.4))
}

export const isFullToday = (slug: string): boolean => slug !== 'atelier-nacre' && randomFrom(`full ${slug}`).chance(0.12)

interface Dated {
  visit: PlacedVisit
  /** The instant of wall minute 0. */ base: number
  /** A full day stays full: nobody calls off. */ mayBeCancelled: boolean
}

interface Context {
  demo: DemoInstitute
  now: number
  customers: CustomerRow[]
  references: Set<string>
}

function reference(random: Random, used: Set<string>): string {
  for (;;) {
    const letters = Array.from({ length: 7 }, () => referenceLetters[random.between(0, referenceLetters.length - 1)]).join('')
    const made = `${letters.slice(0, 4)}-${letters.slice(4)}`
    if (used.has(made)) continue
    used.add(made)
    return made
  }
}

/** How a visit stands at `now`: over and paid, missed, called off, going on, or still to come. */
function standing(
  startsAt: number,
  endsAt: number,
  now: number,
  mayBeCancelled: boolean,
  random: Random,
): Pick<AppointmentRow, 'status' | 'attendance'> {
  const fate = random.next()
  if (fate < 0.05 && mayBeCancelled) return { status: 'cancelled', attendance: 'expected' }
  if (endsAt + hour <= now) return fate < 0.08 ? { status: 'pending', attendance: 'no_show' } : { status: 'completed', attendance: 'done' }
  return { status: 'pending', attendance: startsAt <= now ? 'in_service' : 'expected' }
}

function appointmentRow(context: Context, { visit, base, mayBeCancelled }: Dated, random: Random): AppointmentRow {
  const { institute } = context.demo
  const startsAt = base + Math.min(...visit.segments.map((segment) => segment.startsAt)) * minute
  const endsAt = base + Math.max(...visit.segments.map((segment) => segment.endsAt)) * minute
  const made = Math.min(startsAt - random.between(2, 20 * 24) * hour, context.now - 5 * minute)
  const { status, attendance } = standing(startsAt, endsAt, context.now, mayBeCancelled, random)
  const isCancelled = status === 'cancelled'
  const iso = (at: number): string => new Date(at).toISOString()
  return {
    id: random.uuid(made),
    institute_id: institute.id,
    user_id: null,
    customer_id: random.pick(context.customers).id,
    reference: reference(random, context.references),
    status,
    attendance,
    starts_at: iso(startsAt),
    ends_at: iso(endsAt),
    time_zone: institute.time_zone,
    cart: visit.segments.map((segment) => ({ serviceId: segment.service.id, staffId: segment.member.id })),
    total_amount: visit.segments.reduce((sum, segment) => sum + (segment.priceAmount ?? 0), 0),
    currency: institute.currency,
    terms: {
      cancelWindowMinutes: institute.cancel_window_minutes,
      rescheduleWindowMinutes: institute.reschedule_window_minutes,
      freeUntil: iso(startsAt - institute.cancel_window_minutes * minute),
    },
    payment_method: null,
    note: null,
    expires_at: null,
    hold_extended: false,
    cancelled_at: isCancelled ? iso(Math.min(context.now, startsAt - 2 * hour, made + hour)) : null,
    cancelled_by: isCancelled ? random.pick(['client', 'client', 'client', 'institute'] as const) : null,
    cancel_reason: null,
    moved_count: 0,
    first_starts_at: iso(startsAt),
    created_at: iso(made),
    confirmed_at: iso(made),
  }
}

function addVisit(context: Context, dated: Dated, random: Random, rows: DemoVisits): void {
  const { visit, base } = dated
  const appointment = appointmentRow(context, dated, random)
  rows.appointments.push(appointment)
  const made = Date.parse(appointment.created_at)
  const instituteId = appointment.institute_id
  const iso = (minutes: number): string => new Date(base + minutes * minute).toISOString()
  visit.segments.forEach((segment, position) => {
    rows.segments.push({
      id: random.uuid(made),
      appointment_id: appointment.id,
      institute_id: instituteId,
      position,
      service_id: segment.service.id,
      member_id: segment.member.id,
      resource_id: segment.resourceId,
      starts_at: iso(segment.startsAt),
      ends_at: iso(segment.endsAt),
      snapshot: { name: segment.service.name, priceKind: segment.service.price_kind, line: position, ...segment.parts },
      price_amount: segment.priceAmount,
    })
  })
  // A cancelled visit keeps its segments as a record and takes no time.
  if (appointment.status === 'cancelled') return
  for (const taken of visit.taken) {
    rows.occupations.push({
      id: random.uuid(made),
      institute_id: instituteId,
      appointment_id: appointment.id,
      subject_kind: taken.subject,
      subject_id: taken.id,
      during: `[${iso(taken.from)},${iso(taken.to)})`,
      expires_at: null,
    })
  }
}

/** Minutes of a zone's wall clock become instants by this day's offset at noon: no zone of the demo changes its clock in opening hours. */
function wallBase(day: Temporal.PlainDate, zone: string): number {
  return day.toZonedDateTime({ timeZone: zone, plainTime: '12:00' }).epochMilliseconds - 12 * hour
}

/** Every visit of one institute from a week ago to four weeks ahead. Each day has its own random source. */
export function buildVisits(demo: DemoInstitute, people: People, now: Temporal.Instant, references: Set<string>): DemoVisits {
  const { slug, time_zone: zone } = demo.institute
  const today = now.toZonedDateTimeISO(zone).toPlainDate()
  const customers = customerRows(demo, people, randomFrom(`customers ${slug}`), Date.parse(demo.institute.created_at))
  const rows: DemoVisits = { customers, appointments: [], segments: [], occupations: [] }
  const context: Context = { demo, now: now.epochMilliseconds, customers, references }
  const index = indexDiary(demo)
  const anchor = Temporal.PlainDate.from(rotaAnchorDay)
  for (let offset = firstDay; offset <= lastDay; offset++) {
    const day = today.add({ days: offset })
    const random = randomFrom(`day ${slug} ${day.toString()}`)
    const question: DayQuestion = {
      day: day.toString(),
      weekday: day.dayOfWeek,
      weeksSinceAnchor: Math.floor(anchor.until(day).days / 7),
      fill: fillOf(demo, offset, isFullToday(slug), random),
    }
    const base = wallBase(day, zone)
    for (const visit of visitsOfDay(index, question, random))
      addVisit(context, { visit, base, mayBeCancelled: question.fill < 1 }, random, rows)
  }
  return rows
}
