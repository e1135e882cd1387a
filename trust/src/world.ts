/** Small true worlds, written as rows: people with a session, salons with a team, a menu and machines. */
import { createHash } from 'node:crypto'
import { randomBytes } from 'node:crypto'
import type pg from 'pg'

export interface Person {
  id: string
  token: string
}

export async function makePeople(db: pg.Pool, count: number): Promise<Person[]> {
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
       select email, 'isClient', 'Nour', 'Benali', 'en', now(), now() from given returning id, email)
     insert into sessions (user_id, token_hash, expires_at) select made.id, given.hash, '2099-01-01T00:00:00Z' from made join given on given.email = made.email::text order by given.n returning user_id`,
    [emails, hashes],
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
}

export interface SalonWish {
  members: number
  services: Service[]
  resources?: { type: string; count: number }[]
}

export interface Salon {
  id: string
  members: string[]
  services: { id: string; rule: Service }[]
  resources: { id: string; type: string }[]
}

let made = 0

/** Open every day from eight to eight in a zone without clock changes; starts every five minutes. */
export async function makeSalon(db: pg.Pool, wish: SalonWish): Promise<Salon> {
  const slug = `trust-${process.pid}-${++made}`
  const services = wish.services.map((service) => ({ idle: 0, after: 0, bufferBefore: 0, bufferAfter: 0, resource: null, ...service }))
  const resources = (wish.resources ?? []).flatMap(({ type, count }) => Array.from({ length: count }, () => type))
  const { rows } = await db.query<{ id: string; services: string[]; team: string[]; resources: { id: string; type: string }[] | null }>(
    `with made as (
       insert into institutes (slug, state, name, categories, city, country_code, lat, lon, time_zone, currency, grid_minutes, notice_minutes, horizon_days, max_wait_minutes, gap_policy, service_order, cancel_window_minutes, reschedule_window_minutes, published_at)
       values ($1, 'published', 'Trust', '{hair}', 'Abidjan', 'CI', 5.3, -4.0, 'Africa/Abidjan', 'EUR', 5, 0, 90, 0, 'off', 'given', 120, 120, now()) returning id),
     hours as (insert into opening_hours (institute_id, weekday, opens_at, closes_at) select id, d, 480, 1200 from made, generate_series(1, 7) d),
     menu as (
       insert into services (institute_id, position, category, name, active_minutes, idle_minutes, active_after_minutes, buffer_before_minutes, buffer_after_minutes, price_amount, resource_type)
       select made.id, s.n, 'hair', jsonb_build_object('en', 'Service ' || s.n), s.active, s.idle, s.after, s."bufferBefore", s."bufferAfter", 3000, s.resource
       from made, rows from (jsonb_to_recordset($2::jsonb) as (active int, idle int, after int, "bufferBefore" int, "bufferAfter" int, resource text)) with ordinality as s(active, idle, after, "bufferBefore", "bufferAfter", resource, n)
       returning id, institute_id, position),
     team as (insert into team_members (institute_id, position, name, image_url) select id, n, 'Member ' || n, '/art/face/' || id || n || '.svg' from made, generate_series(1, $3::int) n returning id, institute_id, position),
     skills as (insert into member_services (member_id, service_id, institute_id) select t.id, m.id, m.institute_id from team t, menu m),
     rotas as (insert into rotas (institute_id, member_id, anchor_day) select institute_id, id, '2026-01-05' from team returning id, institute_id),
     shifts as (insert into rota_shifts (rota_id, institute_id, week, weekday, opens_at, closes_at) select id, institute_id, 1, d, 480, 1200 from rotas, generate_series(1, 7) d),
     machines as (insert into resources (institute_id, type, name, position) select id, r.type, r.type || ' ' || r.n, r.n from made, unnest($4::text[]) with ordinality as r(type, n) returning id, type)
     select made.id, (select array_agg(id order by position) from menu) as services, (select array_agg(id order by position) from team) as team,
       (select json_agg(json_build_object('id', id, 'type', type)) from machines) as resources from made`,
    [slug, JSON.stringify(services), wish.members, resources],
  )
  const row = rows[0]
  if (!row) throw new Error('the salon was not made')
  return {
    id: row.id,
    members: row.team,
    services: row.services.map((id, at) => ({ id, rule: wish.services[at] ?? { active: 0 } })),
    resources: row.resources ?? [],
  }
}

/** Midnight (UTC, which is the salons' wall clock) some days ahead. */
export const dayAhead = (days: number): number => Math.floor(Date.now() / 86_400_000) * 86_400_000 + days * 86_400_000
export const instant = (day: number, minute: number): string => new Date(day + minute * 60_000).toISOString()

/** The body of a hold: lines of a place in the menu with a place in the team, or anybody. */
export const holdBody = (salon: Salon, startsAt: string, lines: readonly (readonly [service: number, member: number | 'any'])[]) => ({
  instituteId: salon.id,
  services: lines.map(([service, member]) => ({
    serviceId: salon.services[service]?.id,
    staffId: member === 'any' ? 'any' : salon.members[member],
  })),
  startsAt,
})
