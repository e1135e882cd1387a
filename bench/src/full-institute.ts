/** A full institute of twenty members with a diary half full for two weeks, of the rows that the demo makes. */
import { randomUUIDv7 } from 'node:crypto'
import { hourMs, minuteMs } from '@soigne/contract/time'
import { customerRow } from '@soigne/demo/rows/people'
import { smallInstitute } from '@soigne/demo/rows/small-institute'
import { type InstituteRows, noVisits, type TableRows, tablesOfInstitute, tablesOfVisits, type VisitRows } from '@soigne/demo/rows/tables'
import { appointmentRow, occupationRow, segmentRow } from '@soigne/demo/rows/visits'
import type pg from 'pg'

const members = 20
const visitsEach = 40
const weekdays = [1, 2, 3, 4, 5, 6, 7]
const chairs = Array.from({ length: members }, (_, n) => ({ type: 'chair', name: `Chair ${n + 1}` }))

/** Shifts with breaks, buffers, an idle part and a resource type; the institute reads its letters. */
function instituteRows(slug: string, now: number): InstituteRows {
  const priced = { category: 'hair', bufferAfterMinutes: 5, priceAmount: 3000 }
  const made = smallInstitute(
    {
      slug,
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

/** Cuts of forty minutes, as many of each member's forty as lie apart. */
function visitRows({ institute, services, members: team }: InstituteRows, from: number, numberOf: () => number): VisitRows {
  const rows = noVisits()
  const [, cut] = services
  if (!cut) return rows
  const named = { firstName: 'Nour', lastName: 'Benali', createdAt: institute.created_at }
  const customer = customerRow({ id: randomUUIDv7(), instituteId: institute.id, ...named })
  rows.customers.push(customer)
  for (const [m, { id: memberId }] of team.entries()) {
    const starts = Array.from(
      { length: visitsEach },
      (_, n) => from + ((1 + ((n * 7 + m * 3) % 300)) * 60 + (n % 3) * 20) * minuteMs,
    ).sort()
    let free = 0
    for (const startsAt of starts) {
      if (startsAt < free) continue
      const endsAt = startsAt + 40 * minuteMs
      free = endsAt
      const appointment = appointmentRow({
        id: randomUUIDv7(),
        institute,
        customerId: customer.id,
        reference: referenceOf(numberOf()),
        standing: { life: 'booked', payment: 'none', attendance: 'expected' },
        cancelled: null,
        startsAt,
        endsAt,
        createdAt: from,
        lines: [{ serviceId: cut.id, memberId, priceAmount: cut.price_amount }],
      })
      rows.appointments.push(appointment)
      rows.segments.push(
        segmentRow({
          id: randomUUIDv7(),
          appointment,
          position: 0,
          service: cut,
          memberId,
          resourceId: null,
          startsAt,
          endsAt,
          minutes: { activeMinutes: 40, idleMinutes: 0, activeAfterMinutes: 0 },
          priceAmount: cut.price_amount,
        }),
      )
      rows.occupations.push(
        occupationRow({ id: randomUUIDv7(), appointment, subject: 'member', subjectId: memberId, from: startsAt, to: endsAt }),
      )
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
