/** Small true worlds, written as rows: people with a session, institutes with a team, a menu and machines. */
import { createHash, randomBytes } from 'node:crypto'
import { randomFrom } from '@soigne/demo/random'
import type { BookingRules } from '@soigne/demo/rows/institute'
import { smallInstitute, type SmallInstituteFacts } from '@soigne/demo/rows/small-institute'
import { tablesOfInstitute } from '@soigne/demo/rows/tables'
import { writeRows } from '@soigne/demo/storage/bulk'
import { dayMs, minuteMs } from '@soigne/contract/time'
import type pg from 'pg'

export interface Person {
  id: string
  token: string
}

export async function makePeople(db: pg.Pool, count: number, role: 'isClient' | 'isPro' = 'isClient'): Promise<Person[]> {
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'))
  const emails = tokens.map(
    (token) =>
      `${token
        .slice(0, 16)
        .toLowerCase()
        .replaceAll(/[^a-z0-9]/g, 'x')}@trust.test`,
  )
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest())
  const { rows } = await db.query<{ user_id: string }>(
    `with given as (select * from unnest($1::text[], $2::bytea[]) with ordinality as g(email, hash, n)),
     made as (insert into users (email, role, first_name, last_name, locale, email_verified_at, terms_accepted_at)
       select email, $3, 'Nour', 'Benali', 'en', now(), now() from given returning id, email)
     insert into sessions (user_id, token_hash, expires_at) select made.id, given.hash, '2099-01-01T00:00:00Z' from made join given on given.email = made.email::text order by given.n returning user_id`,
    [emails, hashes, role],
  )
  return rows.map(({ user_id }, at) => ({ id: user_id, token: tokens[at] ?? '' }))
}

/** A service of the menu, in minutes. */
export interface Service {
  active: number
  idle?: number
  after?: number
  bufferBefore?: number
  bufferAfter?: number
  resource?: string
  /** Of a class; alone otherwise. */
  seats?: number
}

export interface InstituteOptions {
  ownerId?: string
  members: number
  services: Service[]
  resources?: { type: string; count: number }[]
  /** UTC all year unless told otherwise. */
  timeZone?: string
}

export interface Institute {
  id: string
  members: string[]
  services: { id: string; rule: Service }[]
  resources: { id: string; type: string }[]
}

const rules: BookingRules = {
  gridMinutes: 5,
  noticeMinutes: 0,
  horizonDays: 90,
  maxWaitMinutes: 0,
  gapPolicy: 'off',
  serviceOrder: 'given',
  cancelWindowMinutes: 120,
  rescheduleWindowMinutes: 120,
}

const serviceFacts = (service: Service, at: number): SmallInstituteFacts['services'][number] => ({
  category: 'hair',
  name: { en: `Service ${at + 1}` },
  activeMinutes: service.active,
  idleMinutes: service.idle ?? 0,
  activeAfterMinutes: service.after ?? 0,
  bufferBeforeMinutes: service.bufferBefore ?? 0,
  bufferAfterMinutes: service.bufferAfter ?? 0,
  priceAmount: 3000,
  capacity: service.seats,
  resourceType: service.resource ?? null,
})

let made = 0

/** Open every day from eight to eight; starts every five minutes. */
export async function makeInstitute(db: pg.Pool, options: InstituteOptions): Promise<Institute> {
  const slug = `trust-${process.pid}-${++made}`
  const random = randomFrom(slug)
  const resources = (options.resources ?? []).flatMap(({ type, count }) =>
    Array.from({ length: count }, (_, n) => ({ type, name: `${type} ${n + 1}` })),
  )
  const rows = smallInstitute(
    {
      slug,
      ownerId: options.ownerId ?? null,
      name: 'Trust',
      categories: ['hair'],
      city: 'Abidjan',
      countryCode: 'CI',
      lat: 5.3,
      lon: -4,
      timeZone: options.timeZone ?? 'Africa/Abidjan',
      currency: 'EUR',
      rules,
      createdAt: new Date().toISOString(),
      weekdays: [1, 2, 3, 4, 5, 6, 7],
      hours: { opensAt: 480, closesAt: 1200 },
      members: options.members,
      services: options.services.map(serviceFacts),
      resources,
    },
    () => random.uuid(Date.now()),
  )
  await writeRows(db, tablesOfInstitute(rows))
  return {
    id: rows.institute.id,
    members: rows.members.map(({ id }) => id),
    services: rows.services.map(({ id }, at) => ({ id, rule: options.services[at] ?? { active: 0 } })),
    resources: rows.resources.map(({ id, type }) => ({ id, type })),
  }
}

/** Midnight (UTC, which is the institutes' wall clock) some days ahead. */
export const dayAhead = (days: number): number => Math.floor(Date.now() / dayMs) * dayMs + days * dayMs
export const instant = (day: number, minute: number): string => new Date(day + minute * minuteMs).toISOString()

/** The body of a hold: lines of a place in the menu with a place in the team, or anybody. */
export const holdBody = (
  institute: Institute,
  startsAt: string,
  lines: readonly (readonly [service: number, member: number | 'any'])[],
) => ({
  instituteId: institute.id,
  services: lines.map(([service, member]) => ({
    serviceId: institute.services[service]?.id,
    staffId: member === 'any' ? 'any' : institute.members[member],
  })),
  startsAt,
})
