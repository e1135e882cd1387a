// Five weeks of visits around today, and some before, as rows: who came, what it cost, how it ended.
import { dayMs, hourMs, type Instant, minuteMs } from '@soigne/contract/time'
import { instantText, parseInstant } from '#/rows/instants.ts'
import type { InstituteText, People } from '#/content/read-content.ts'
import type { DayOfRota } from '#/diaries/working-time.ts'
import { type Random, randomFrom } from '#/random.ts'
import type { InstituteRow } from '#/rows/institute.ts'
import { type CustomerRow, customerRow } from '#/rows/people.ts'
import { type InstituteRows, noVisits, type VisitRows } from '#/rows/tables.ts'
import { seatRow, sessionOccupations, sessionRow } from '#/rows/sessions.ts'
import { rotaAnchorDay } from '#/rows/team.ts'
import { type AppointmentRow, appointmentRow, occupationRow, segmentRow, type Standing } from '#/rows/visits.ts'
import { daysOfReviews } from './reviews.ts'
import { type DayToFill, indexDiary, type PlacedVisit, visitsOfDay } from './visits-of-day.ts'

export const firstDay = -7
/** The institute of the mockups has five full weeks behind it, so that its figures have something to compare; the smallest have some, so that they have sales to show. */
const firstDays: Readonly<Record<string, number>> = { 'atelier-nacre': -35, sourcil: -21, 'al-mizan': -14, 'bleu-volet': -14 }
const firstDayOf = (slug: string): number => firstDays[slug] ?? firstDay
export const lastDay = 28
/** Some visits of the weeks before are written too, for those who have said how they were. */
const reviewedFrom = -80
/** How full such a day is: what else was that day is nobody's concern any more. */
const fillOfReviewed = 0.12

const referenceLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ23456789'

const customersOf = 48
/** The share of visits that clients booked themselves. */
const bookedOnline = 0.7

function customerRows({ institute }: InstituteRows, people: People, random: Random, at: number): CustomerRow[] {
  const { country_code: country, id } = institute
  const names = people.names[country]
  if (!names) throw new Error(`no names for ${country}`)
  return Array.from({ length: customersOf }, (_, index) => {
    const first = random.pick(names[random.chance(institute.audience[0] === 'Men' ? 0.05 : 0.7) ? 'f' : 'm'])
    return customerRow({
      id: random.uuid(at),
      instituteId: id,
      firstName: first,
      lastName: random.pick(names.last),
      birthday: `${random.between(1955, 2004)}-${String(random.between(1, 12)).padStart(2, '0')}-${String(random.between(1, 28)).padStart(2, '0')}`,
      notes: index % 9 === 0 ? 'Prefers the first hour.' : '',
      createdAt: instantText(at),
    })
  })
}

/** How full a day is: full behind us, thinner the further ahead; a few institutes have no time left today. */
function fillOf({ ratings }: InstituteText, offset: number, isFullToday: boolean, random: Random): number {
  if (offset === 0 && isFullToday) return 1
  const popularity = Math.min(0.7, 0.34 + ratings.count / 900)
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
  institute: InstituteRow
  now: Instant
  customers: CustomerRow[]
  references: Set<string>
}

export function newReference(random: Random, used: Set<string>): string {
  for (;;) {
    const letters = Array.from({ length: 7 }, () => referenceLetters[random.between(0, referenceLetters.length - 1)]).join('')
    const made = `${letters.slice(0, 4)}-${letters.slice(4)}`
    if (used.has(made)) continue
    used.add(made)
    return made
  }
}

/** How a visit stands at `now`: over and paid, missed, called off, going on, or still to come. */
function standingOf(startsAt: number, endsAt: number, now: Instant, mayBeCancelled: boolean, random: Random): Standing {
  const fate = random.next()
  if (fate < 0.05 && mayBeCancelled) return { life: 'cancelled', payment: 'none', attendance: 'expected' }
  if (endsAt + hourMs <= now)
    return fate < 0.08
      ? { life: 'booked', payment: 'none', attendance: 'no_show' }
      : { life: 'booked', payment: 'paid', attendance: 'done' }
  return { life: 'booked', payment: 'none', attendance: startsAt <= now ? 'in_service' : 'expected' }
}

/** When a visit was booked: of those far ahead at some time of the last ten days. Beside the source of the day, too. */
function bookedAt(wanted: Instant, { now }: Context, name: string): Instant {
  const latest = now - 5 * minuteMs
  return wanted <= latest ? wanted : latest - randomFrom(`booked ${name}`).between(0, (10 * dayMs) / minuteMs) * minuteMs
}

function datedAppointment(context: Context, { visit, base, mayBeCancelled }: Dated, random: Random): AppointmentRow {
  const { institute } = context
  const startsAt = base + Math.min(...visit.segments.map((segment) => segment.startsAt)) * minuteMs
  const endsAt = base + Math.max(...visit.segments.map((segment) => segment.endsAt)) * minuteMs
  const made = bookedAt(startsAt - random.between(2, 20 * 24) * hourMs, context, `${startsAt} ${visit.segments[0]?.member.id}`)
  const standing = standingOf(startsAt, endsAt, context.now, mayBeCancelled, random)
  const id = random.uuid(made)
  return appointmentRow({
    id,
    // Beside the source of the day, so that it tells the same as ever.
    madeBy: randomFrom(`made ${id}`).chance(bookedOnline) ? 'client' : 'institute',
    institute,
    customerId: random.pick(context.customers).id,
    reference: newReference(random, context.references),
    standing,
    startsAt,
    endsAt,
    createdAt: made,
    lines: visit.segments.map(({ service, member, priceAmount }) => ({ serviceId: service.id, memberId: member.id, priceAmount })),
    cancelled:
      standing.life === 'cancelled'
        ? {
            at: Math.min(context.now, startsAt - 2 * hourMs, made + hourMs),
            by: random.pick(['client', 'client', 'client', 'institute'] as const),
          }
        : null,
  })
}

/** What a visit consists of, and the time it takes. */
export function writePlan(
  appointment: AppointmentRow,
  { visit, base }: Pick<Dated, 'visit' | 'base'>,
  random: Random,
  rows: VisitRows,
): void {
  const made = parseInstant(appointment.created_at)
  visit.segments.forEach((segment, position) => {
    rows.segments.push(
      segmentRow({
        id: random.uuid(made),
        appointment,
        position,
        service: segment.service,
        memberId: segment.member.id,
        resourceId: segment.resourceId,
        startsAt: base + segment.startsAt * minuteMs,
        endsAt: base + segment.endsAt * minuteMs,
        minutes: segment.minutes,
        priceAmount: segment.priceAmount,
      }),
    )
  })
  // A cancelled visit keeps its segments as a record and takes no time.
  if (appointment.life === 'cancelled') return
  for (const { subject, id, from, to } of visit.taken) {
    const stretch = { from: base + from * minuteMs, to: base + to * minuteMs }
    rows.occupations.push(occupationRow({ id: random.uuid(made), appointment, subject, subjectId: id, ...stretch }))
  }
}

function addVisit(context: Context, dated: Dated, random: Random, rows: VisitRows): void {
  const appointment = datedAppointment(context, dated, random)
  rows.appointments.push(appointment)
  writePlan(appointment, dated, random, rows)
}

/** A class with the seats that are taken: the fuller the day, the more; the last one only where a day has nothing left. */
function addClass(context: Context, dated: Dated, fill: number, random: Random, rows: VisitRows): void {
  const [segment] = dated.visit.segments
  if (!segment) return
  const { service, member, resourceId, priceAmount, minutes } = segment
  const capacity = service.capacity ?? 1
  const times = { startsAt: dated.base + segment.startsAt * minuteMs, endsAt: dated.base + segment.endsAt * minuteMs }
  const createdAt = parseInstant(context.institute.created_at)
  const facts = { id: random.uuid(createdAt), service, memberId: member.id, resourceId, ...times, capacity, createdAt }
  const session = sessionRow(facts)
  rows.sessions.push(session)
  rows.occupations.push(...sessionOccupations(facts, () => random.uuid(createdAt)))
  const seats = fill === 1 ? capacity : Math.min(capacity - 1, Math.round(capacity * fill * (0.8 + random.next() * 0.9)))
  for (let seat = 1; seat <= seats; seat++) {
    const appointment = datedAppointment(context, dated, random)
    rows.appointments.push(appointment)
    rows.segments.push(
      segmentRow({
        id: random.uuid(createdAt),
        appointment,
        position: 0,
        service,
        memberId: member.id,
        resourceId,
        ...times,
        minutes,
        priceAmount,
      }),
    )
    rows.seats.push(seatRow(session, seat, appointment))
  }
}

/** Minutes of a zone's wall clock become instants by this day's offset at noon: no zone of the demo changes its clock in opening hours. */
export function wallBase(day: Temporal.PlainDate, zone: string): number {
  return day.toZonedDateTime({ timeZone: zone, plainTime: '12:00' }).epochMilliseconds - 12 * hourMs
}

/** A day as rotas count it. */
export const dayOfRota = (day: Temporal.PlainDate): DayOfRota => ({
  day: day.toString(),
  weekday: day.dayOfWeek,
  weeksSinceAnchor: Math.floor(Temporal.PlainDate.from(rotaAnchorDay).until(day).days / 7),
})

export interface VisitsRequest {
  rows: InstituteRows
  text: InstituteText
  people: People
  now: Temporal.Instant
  references: Set<string>
}

/** Every visit of one institute from some full weeks behind to four weeks ahead, and some of the weeks before. Each day has its own random source. */
export function buildVisits({ rows, text, people, now, references }: VisitsRequest): VisitRows {
  const { slug, time_zone: zone } = rows.institute
  const today = now.toZonedDateTimeISO(zone).toPlainDate()
  const visits = {
    ...noVisits(),
    customers: customerRows(rows, people, randomFrom(`customers ${slug}`), parseInstant(rows.institute.created_at)),
  }
  const context: Context = { institute: rows.institute, now: now.epochMilliseconds, customers: visits.customers, references }
  const index = indexDiary(rows)
  const addDay = (offset: number, fillOn: (random: Random) => number): void => {
    const day = today.add({ days: offset })
    const random = randomFrom(`day ${slug} ${day.toString()}`)
    const toFill: DayToFill = { ...dayOfRota(day), fill: fillOn(random) }
    const base = wallBase(day, zone)
    const ofDay = visitsOfDay(index, toFill, random)
    for (const visit of ofDay.classes) addClass(context, { visit, base, mayBeCancelled: false }, toFill.fill, random, visits)
    for (const visit of ofDay.visits) addVisit(context, { visit, base, mayBeCancelled: toFill.fill < 1 }, random, visits)
  }
  const full = firstDayOf(slug)
  for (const offset of daysOfReviews(text, randomFrom(`reviewed ${slug}`), { from: reviewedFrom, to: full }))
    addDay(offset, () => fillOfReviewed)
  for (let offset = full; offset <= lastDay; offset++) addDay(offset, (random) => fillOf(text, offset, isFullToday(slug), random))
  return visits
}
