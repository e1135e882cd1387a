/** A full institute of twenty members with a diary half full for two weeks, written as rows. */
import type pg from 'pg'

const members = 20
const visitsEach = 40

/** A full institute: shifts with breaks, buffers, an idle part, a resource type, and a diary half full for two weeks. */
const world = `
with made as (
  insert into institutes (slug, state, name, categories, city, country_code, lat, lon, time_zone, currency, notice_minutes, published_at)
  values ($1, 'published', 'Bench', '{hair}', 'Lyon', 'FR', 45.76, 4.83, 'Europe/Paris', 'EUR', 30, now()) returning id),
hours as (insert into opening_hours (institute_id, weekday, opens_at, closes_at) select id, d, 540, 1140 from made, generate_series(1, 7) d),
menu as (
  insert into services (institute_id, position, category, name, active_minutes, idle_minutes, active_after_minutes, buffer_after_minutes, price_amount, resource_type)
  select id, s.position, 'hair', jsonb_build_object('en', s.name), s.active, s.idle, s.after, 5, 3000, s.resource from made,
  (values (1, 'Colour', 40, 30, 30, 'chair'), (2, 'Cut', 40, 0, 0, 'chair'), (3, 'Brow', 20, 0, 0, null)) as s(position, name, active, idle, after, resource) returning id, institute_id, position),
team as (insert into team_members (institute_id, position, name, image_url) select id, n, 'Member ' || n, '/art/face/' || n || '.svg' from made, generate_series(1, ${members}) n returning id, institute_id),
skills as (insert into member_services (member_id, service_id, institute_id) select t.id, m.id, m.institute_id from team t, menu m),
rotas as (insert into rotas (institute_id, member_id, anchor_day) select institute_id, id, '2026-01-05' from team returning id, institute_id),
shifts as (insert into rota_shifts (rota_id, institute_id, week, weekday, opens_at, closes_at, breaks) select id, institute_id, 1, d, 540, 1140, '[{"opensAt":780,"closesAt":840}]' from rotas, generate_series(1, 7) d),
chairs as (insert into resources (institute_id, type, name, position) select id, 'chair', 'Chair ' || n, n from made, generate_series(1, ${members}) n)
select made.id, (select array_agg(id order by position) from menu) as services, (select array_agg(id) from team) as team from made`

const visits = `
with wanted as (
  select t.member, date_trunc('hour', now()) + ((1 + (n * 7 + m * 3) % 300) * 60 + (n % 3) * 20) * interval '1 minute' as starts
  from unnest($2::uuid[]) with ordinality as t(member, m), generate_series(1, ${visitsEach}) n),
apart as (select distinct on (member, starts) member, starts from wanted w where not exists (select 1 from wanted o where o.member = w.member and o.starts < w.starts and o.starts > w.starts - interval '40 minutes')),
made as (
  insert into appointments (institute_id, reference, status, starts_at, ends_at, time_zone, cart, total_amount, currency, terms, expires_at, first_starts_at)
  select $1, translate(upper(substr(md5(member::text || starts), 1, 4) || '-' || substr(md5(starts::text || member), 1, 3)), '01', 'XY'), 'held', starts, starts + interval '40 minutes', 'Europe/Paris', '[]', 0, 'EUR', '{}', now() + interval '1 day', starts from apart
  on conflict (reference) do nothing returning id, starts_at)
insert into occupations (institute_id, appointment_id, subject_kind, subject_id, during)
select $1, made.id, 'member', apart.member, tstzrange(apart.starts, apart.starts + interval '40 minutes') from made join apart on apart.starts = made.starts_at on conflict do nothing`

export interface FullInstitute {
  id: string
  slug: string
  services: string[]
  team: string[]
}

/** `n` tells several apart. Whoever measures lets the database `analyze` afterwards. */
export async function makeFullInstitute(db: pg.Pool, n = 0): Promise<FullInstitute> {
  const slug = `bench-institute-${n}`
  const { rows } = await db.query<Omit<FullInstitute, 'slug'>>(world, [slug])
  const made = rows[0]
  if (!made) throw new Error('the institute was not made')
  await db.query(visits, [made.id, made.team])
  return { ...made, slug }
}
