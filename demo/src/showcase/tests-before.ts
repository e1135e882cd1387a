// The tests that services ask for, done in time before them: nobody in the demo comes without.
import { dayMs, hourMs, type Instant, minuteMs } from '@soigne/contract/time'
import { prerequisiteHolds } from '@soigne/scheduling/prerequisites'
import { take, type Taken } from '#/diaries/working-time.ts'
import { type Random, randomFrom } from '#/random.ts'
import { instantText, minuteOfText, parseInstant } from '#/rows/instants.ts'
import type { PrerequisiteRow } from '#/rows/menu.ts'
import type { CustomerRow } from '#/rows/people.ts'
import { type InstituteRows, noVisits, type VisitRows } from '#/rows/tables.ts'
import { type AppointmentRow, appointmentRow, spanOf } from '#/rows/visits.ts'
import { type DiaryIndex, indexDiary, type PlacedVisit, placeOne } from './visits-of-day.ts'
import { dayOfRota, newReference, wallBase, writePlan } from './visits.ts'

/** How long before the visit a test is, at most. */
const mostDaysBefore = 45

interface Making {
  index: DiaryIndex
  visits: VisitRows
  now: Instant
  references: Set<string>
  random: Random
  /** What each customer has had or will have done, by the visit. */
  had: Map<string, { id: string; serviceId: string; endsAt: number }[]>
  /** What is taken of everybody and everything, in minutes since the epoch. */
  taken: Taken
}

function note(
  { had, taken }: Making,
  { appointments, segments, occupations }: Pick<VisitRows, 'appointments' | 'segments' | 'occupations'>,
) {
  const counting = new Map(
    appointments.flatMap(({ id, life, attendance, customer_id: customer }) =>
      life === 'cancelled' || attendance === 'no_show' ? [] : [[id, customer] as const],
    ),
  )
  for (const { appointment_id: id, service_id: serviceId, ends_at: end } of segments) {
    const customer = counting.get(id)
    if (customer !== undefined) had.set(customer, [...(had.get(customer) ?? []), { id, serviceId, endsAt: minuteOfText(end) }])
  }
  for (const row of occupations) take(taken, row.subject_id, spanOf(row))
}

/** Whether its client has had a test in time for a visit, by the rule that booking goes by. */
function hasTest({ index, had }: Making, visit: AppointmentRow, asked: PrerequisiteRow): boolean {
  const rule = {
    kind: 'prior_service',
    serviceId: asked.required_service_id,
    minHours: asked.min_hours,
    maxMonths: asked.max_months,
  } as const
  const client = { visits: (had.get(visit.customer_id) ?? []).filter(({ id }) => id !== visit.id) }
  return prerequisiteHolds(index.institute.institute.time_zone, rule, client, minuteOfText(visit.starts_at))
}

/** What the visits of an institute ask for, the first visit first; those that were called off ask for nothing. */
function asksOf({ prerequisites }: InstituteRows, { appointments }: VisitRows): { visit: AppointmentRow; asked: PrerequisiteRow }[] {
  return appointments
    .filter(({ life }) => life !== 'cancelled')
    .flatMap((visit) =>
      prerequisites.filter((row) => visit.cart.some(({ serviceId }) => serviceId === row.service_id)).map((asked) => ({ visit, asked })),
    )
    .toSorted((one, other) => (one.visit.starts_at < other.visit.starts_at ? -1 : 1))
}

/** What is taken on a day, in minutes of its wall clock. */
function takenOn({ taken }: Making, base: Instant): Taken {
  const start = base / minuteMs
  const end = start + dayMs / minuteMs
  return new Map(
    [...taken].map(([id, stretches]) => [
      id,
      stretches.filter(({ from, to }) => to > start && from < end).map(({ from, to }) => ({ from: from - start, to: to - start })),
    ]),
  )
}

/** A free time for a test that is over by an instant, on one of the days before. */
function timeFor(making: Making, serviceId: string, until: Instant): { plan: PlacedVisit; base: Instant } {
  const { index, random } = making
  const zone = index.institute.institute.time_zone
  const last = Temporal.Instant.fromEpochMilliseconds(until).toZonedDateTimeISO(zone).toPlainDate()
  const from = random.between(0, mostDaysBefore)
  for (let turn = 0; turn <= mostDaysBefore; turn++) {
    const day = last.subtract({ days: (from + turn) % (mostDaysBefore + 1) })
    const base = wallBase(day, zone)
    const plan = placeOne(index, dayOfRota(day), { serviceId, taken: takenOn(making, base), until: (until - base) / minuteMs }, random)
    if (plan) return { plan, base }
  }
  throw new Error(`no time for a test at ${index.institute.institute.slug}`)
}

function addTest(making: Making, customer: CustomerRow, asked: PrerequisiteRow, before: Instant): void {
  const { index, visits, now, random } = making
  const until = Math.min(before - asked.min_hours * hourMs, now - hourMs)
  const { plan, base } = timeFor(making, asked.required_service_id, until)
  const [segment] = plan.segments
  if (!segment) return
  const startsAt = base + segment.startsAt * minuteMs
  const createdAt = startsAt - random.between(4, 9 * 24) * hourMs
  const { service, member, priceAmount } = segment
  const appointment = appointmentRow({
    id: random.uuid(createdAt),
    madeBy: random.chance(0.5) ? 'client' : 'institute',
    institute: index.institute.institute,
    customerId: customer.id,
    reference: newReference(random, making.references),
    standing: { life: 'booked', payment: 'paid', attendance: 'done' },
    startsAt,
    endsAt: base + segment.endsAt * minuteMs,
    createdAt,
    lines: [{ serviceId: service.id, memberId: member.id, priceAmount }],
    cancelled: null,
  })
  appointment.user_id = customer.user_id
  if (parseInstant(customer.created_at) > createdAt) customer.created_at = instantText(createdAt)
  const added = { ...noVisits(), appointments: [appointment] }
  writePlan(appointment, { visit: plan, base }, random, added)
  for (const table of ['appointments', 'segments', 'occupations'] as const) (visits[table] as object[]).push(...added[table])
  note(making, added)
}

/** Writes in the tests that are missing. */
export function addTests(rows: InstituteRows, visits: VisitRows, { now, references }: Pick<Making, 'now' | 'references'>): void {
  const making: Making = {
    index: indexDiary(rows),
    visits,
    now,
    references,
    random: randomFrom(`tests ${rows.institute.slug}`),
    had: new Map(),
    taken: new Map(),
  }
  const asks = asksOf(rows, visits)
  if (asks.length === 0) return
  note(making, visits)
  const customers = new Map(visits.customers.map((one) => [one.id, one]))
  for (const { visit, asked } of asks) {
    const customer = customers.get(visit.customer_id)
    if (customer && !hasTest(making, visit, asked)) addTest(making, customer, asked, parseInstant(visit.starts_at))
  }
}
