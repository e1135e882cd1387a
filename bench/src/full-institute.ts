/** A full institute of twenty members with a diary half full for two weeks, of the rows that the demo makes. */
import { randomUUIDv7 } from 'node:crypto'
import { dayMs, hourMs, minuteMs } from '@soigne/contract/time'
import { customerRow } from '@soigne/demo/rows/people'
import { smallInstitute } from '@soigne/demo/rows/small-institute'
import { type InstituteRows, noVisits, type TableRows, tablesOfInstitute, tablesOfVisits, type VisitRows } from '@soigne/demo/rows/tables'
import { appointmentRow, occupationRow, segmentRow, type Standing } from '@soigne/demo/rows/visits'
import type pg from 'pg'

const members = 20
const visitsEach = 40
const weekdays = [1, 2, 3, 4, 5, 6, 7]
const chairs = Array.from({ length: members }, (_, n) => ({ type: 'chair', name: `Chair ${n + 1}` }))

/** Shifts with breaks, buffers, an idle part and a resource type; the institute reads its letters. */
export function instituteRows(slug: string, now: number, ownerId: string | null = null): InstituteRows {
  const priced = { category: 'hair', bufferAfterMinutes: 5, priceAmount: 3000 }
  const made = smallInstitute(
    {
      slug,
      ownerId,
      name: 'Bench',
      email: `${slug}@bench.test`,
      categories: ['hair'],
      city: 'Lyon',
      countryCode: 'FR',
      lat: 45.76,
      lon: 4.83,
      timeZone: 'Europe/Paris',
      currency: 'EUR',
      createdAt: new Date(now).toISOString(),
      rules: {
        gridMinutes: 20,
        noticeMinutes: 30,
        horizonDays: 90,
        maxWaitMinutes: 0,
        gapPolicy: 'rank',
        serviceOrder: 'given',
        cancelWindowMinutes: null,
        rescheduleWindowMinutes: null,
      },
      weekdays,
      hours: { opensAt: 540, closesAt: 1140 },
      members,
      services: [
        { ...priced, name: { en: 'Colour' }, activeMinutes: 40, idleMinutes: 30, activeAfterMinutes: 30, resourceType: 'chair' },
        { ...priced, name: { en: 'Cut' }, activeMinutes: 40, resourceType: 'chair' },
        { ...priced, name: { en: 'Brow' }, activeMinutes: 20 },
      ],
      resources: chairs,
    },
    randomUUIDv7,
  )
  return { ...made, shifts: made.shifts.map((shift) => ({ ...shift, breaks: [{ opensAt: 780, closesAt: 840 }] })) }
}

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
/** Another for each of ten million. */
function referenceOf(n: number): string {
  const drawn = Array.from({ length: 7 }, (_, place) => letters[Math.floor(n / 32 ** (6 - place)) % 32]).join('')
  return `${drawn.slice(0, 4)}-${drawn.slice(4)}`
}

/** Everybody's client. */
export function addCustomer(rows: VisitRows, { institute }: InstituteRows, firstName = 'Nour'): string {
  const named = { firstName, lastName: 'Benali', createdAt: institute.created_at }
  const customer = customerRow({ id: randomUUIDv7(), instituteId: institute.id, ...named })
  rows.customers.push(customer)
  return customer.id
}

export interface Cut {
  memberId: string
  customerId: string
  startsAt: number
  minutes: number
  /** Tells references apart. */
  number: number
  standing?: Standing
}

/** A visit of one cut; the time of what is over is nobody's any more. */
export function addCut(rows: VisitRows, { institute, services }: InstituteRows, now: number, cut: Cut): void {
  const [, service] = services
  if (!service) return
  const { memberId, customerId, startsAt, minutes } = cut
  const standing = cut.standing ?? { life: 'booked', payment: 'none', attendance: 'expected' }
  const endsAt = startsAt + minutes * minuteMs
  const appointment = appointmentRow({
    id: randomUUIDv7(),
    institute,
    customerId,
    reference: referenceOf(cut.number),
    standing,
    cancelled: standing.life === 'cancelled' ? { at: startsAt - dayMs, by: 'client' } : null,
    startsAt,
    endsAt,
    createdAt: Math.min(now, startsAt - 2 * dayMs),
    lines: [{ serviceId: service.id, memberId, priceAmount: service.price_amount }],
  })
  const taken = { appointment, memberId, startsAt, endsAt }
  rows.appointments.push(appointment)
  rows.segments.push(
    segmentRow({
      ...taken,
      id: randomUUIDv7(),
      position: 0,
      service,
      resourceId: null,
      minutes: { activeMinutes: minutes, idleMinutes: 0, activeAfterMinutes: 0 },
      priceAmount: service.price_amount,
    }),
  )
  if (endsAt > now && standing.life === 'booked')
    rows.occupations.push(
      occupationRow({ id: randomUUIDv7(), appointment, subject: 'member', subjectId: memberId, from: startsAt, to: endsAt }),
    )
}

/** Cuts of forty minutes, as many of each member's forty as lie apart. */
function visitRows(made: InstituteRows, from: number, numberOf: () => number): VisitRows {
  const rows = noVisits()
  const customerId = addCustomer(rows, made)
  for (const [m, { id: memberId }] of made.members.entries()) {
    const starts = Array.from(
      { length: visitsEach },
      (_, n) => from + ((1 + ((n * 7 + m * 3) % 300)) * 60 + (n % 3) * 20) * minuteMs,
    ).sort()
    let free = 0
    for (const startsAt of starts) {
      if (startsAt < free) continue
      free = startsAt + 40 * minuteMs
      addCut(rows, made, from, { memberId, customerId, startsAt, minutes: 40, number: numberOf() })
    }
  }
  return rows
}

async function insertRows(db: pg.Pool, [table, rows]: TableRows): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first).join(', ')
  await db.query(`insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1::json)`, [
    JSON.stringify(rows),
  ])
}

export interface FullInstitute {
  id: string
  slug: string
  services: string[]
  team: string[]
}

/** `n` tells several apart. Whoever measures lets the database `analyze` afterwards. */
export async function makeFullInstitute(db: pg.Pool, n = 0): Promise<FullInstitute> {
  const slug = `bench-institute-${n}`
  const from = Math.floor(Date.now() / hourMs) * hourMs
  const rows = instituteRows(slug, from)
  let made = n * members * visitsEach
  const visits = visitRows(rows, from, () => made++)
  for (const table of [...tablesOfInstitute(rows), ...tablesOfVisits(visits)]) await insertRows(db, table)
  const idsOf = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id)
  return { id: rows.institute.id, slug, services: idsOf(rows.services), team: idsOf(rows.members) }
}
