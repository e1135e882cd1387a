// Reads institutes: those of a page of results, those near a point, and one institute's page.
import { sql } from 'kysely'
import type { Db } from '#/platform/database.ts'
import type { Point } from './filters.ts'
import { distanceKm, rating, within } from './filters-store.ts'

export type Words = Partial<Record<string, string>>

export interface InstituteRow {
  id: string
  slug: string
  name: string
  categories: string[]
  lat: number
  lon: number
  quarter: string | null
  city: string
  countryCode: string
  timeZone: string
  currency: string
  claimed: boolean
  audience: string[]
  languages: string[]
  atHome: boolean
  ratingCount: number
  rating: number | null
  coverUrl: string
  distanceKm: number | null
}

const coverUrl = sql`coalesce((select p.url from institute_pictures p where p.institute_id = i.id order by p.position limit 1), '/art/cover/' || i.categories[1] || '/' || i.slug || '.svg')`
const columns = sql`i.id, i.slug, i.name, i.categories, i.lat, i.lon, i.quarter, i.city, i.country_code as "countryCode",
  i.time_zone as "timeZone", i.currency, i.claimed, i.audience, i.languages, i.at_home as "atHome",
  i.rating_count as "ratingCount", ${rating}::float8 as rating, ${coverUrl} as "coverUrl"`

/** What the cards of some institutes show, by id. */
export async function readCards(db: Db, ids: readonly string[]): Promise<Map<string, Omit<InstituteRow, 'distanceKm'>>> {
  const { rows } = await sql<InstituteRow>`select ${columns} from institutes i where i.id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Bookable institutes within a distance of a point, nearest first. */
export async function readBookableNear(
  db: Db,
  { point, radiusKm, limit }: { point: Point; radiusKm: number; limit: number },
): Promise<InstituteRow[]> {
  const { rows } = await sql<InstituteRow>`select ${columns}, ${distanceKm(point)} as "distanceKm" from institutes i
    where i.state = 'published' and i.claimed and ${within(point, radiusKm)} order by "distanceKm", i.id limit ${limit}`.execute(db)
  return rows
}

/** Where most published institutes are: the city's name and the middle of them. */
export async function readMainCity(db: Db): Promise<{ name: string; lat: number; lon: number } | null> {
  const { rows } = await sql<{
    name: string
    lat: number
    lon: number
  }>`with most as (select country_code, city from institutes where state = 'published' and claimed group by country_code, city order by count(*) desc, sum(rating_count) desc, city limit 1)
    select i.city as name, avg(i.lat) as lat, avg(i.lon) as lon from institutes i join most m on m.city = i.city and m.country_code = i.country_code
    where i.state = 'published' and i.claimed group by i.city`.execute(db)
  return rows[0] ?? null
}

export interface PageRow {
  id: string
  slug: string
  name: string
  description: Words
  categories: string[]
  claimed: boolean
  sources: { attribution: string; attributionUrl: string; licence: string; licenceUrl: string }[] | null
  phone: string | null
  website: string | null
  addressLine: string
  quarter: string | null
  postalCode: string | null
  city: string
  countryCode: string
  lat: number
  lon: number
  timeZone: string
  currency: string
  atHome: boolean
  audience: string[]
  languages: string[]
  paymentMethods: string[]
  ratingCount: number
  rating: number | null
  welcoming: number | null
  hygiene: number | null
  atmosphere: number | null
  serviceQuality: number | null
  pictures: { url: string; alt: Words }[] | null
  closures: { fromDay: string; toDay: string; reason: Words; wholeDay: boolean }[] | null
  descriptions: Record<string, Words> | null
  members: { id: string; bio: Words; languages: string[]; absences: { kind: string; fromDay: string; toDay: string }[] | null }[] | null
}

/** What a published institute's page shows beside its diary. Closures and absences before `sinceDay` are left out. */
export async function readInstitute(db: Db, { slug, sinceDay }: { slug: string; sinceDay: string }): Promise<PageRow | null> {
  const { rows } = await sql<PageRow>`
    select i.id, i.slug, i.name, i.description, i.categories, i.claimed, i.phone, i.website, i.address_line as "addressLine", i.quarter, i.postal_code as "postalCode",
      i.city, i.country_code as "countryCode", i.lat, i.lon, i.time_zone as "timeZone", i.currency, i.at_home as "atHome", i.audience, i.languages, i.payment_methods as "paymentMethods",
      i.rating_count as "ratingCount", ${rating}::float8 as rating, i.average_welcoming as welcoming, i.average_hygiene as hygiene, i.average_atmosphere as atmosphere, i.average_service_quality as "serviceQuality",
      (select json_agg(l) from (select distinct attribution, attribution_url as "attributionUrl", licence, licence_url as "licenceUrl" from listings where institute_id = i.id and gone_at is null order by attribution) l) as sources,
      (select json_agg(json_build_object('url', p.url, 'alt', p.alt) order by p.position) from institute_pictures p where p.institute_id = i.id) as pictures,
      (select json_agg(c) from (select from_day as "fromDay", to_day as "toDay", reason, opens_at is null as "wholeDay" from closures where institute_id = i.id and to_day >= ${sinceDay}::date order by from_day, id limit 30) c) as closures,
      (select json_object_agg(s.id, s.description) from services s where s.institute_id = i.id and s.active) as descriptions,
      (select json_agg(json_build_object('id', m.id, 'bio', m.bio, 'languages', m.languages,
        'absences', (select json_agg(json_build_object('kind', a.kind, 'fromDay', a.from_day, 'toDay', a.to_day)) from absences a
          where a.member_id = m.id and a.opens_at is null and a.to_day >= ${sinceDay}::date and a.from_day <= ${sinceDay}::date + 3)))
        from team_members m where m.institute_id = i.id and m.active) as members
    from institutes i where i.slug = ${slug} and i.state = 'published'`.execute(db)
  return rows[0] ?? null
}

/** Every zone that a published institute is in, and perhaps some that none is in any more. */
export async function timeZonesInUse(db: Db): Promise<string[]> {
  const { rows } = await sql<{ timeZone: string }>`select time_zone as "timeZone" from zones_in_use order by 1`.execute(db)
  return rows.map(({ timeZone }) => timeZone)
}
