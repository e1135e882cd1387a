// Reads institutes: those of a page of results, those near a point, and one institute's page.
import { locales } from '@soigne/contract/wire'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, statement } from '#/platform/statement.ts'
import { distanceKm, type Point, rating, within } from './nearness-store.ts'

const localizedText = z.partialRecord(z.enum(locales), z.string())

const cardRow = {
  id: c.uuid,
  slug: c.text,
  name: c.text,
  categories: c.list(c.text),
  lat: c.float,
  lon: c.float,
  quarter: orNull(c.text),
  city: c.text,
  countryCode: c.text,
  timeZone: c.text,
  currency: c.text,
  claimed: c.bool,
  audience: c.list(c.text),
  languages: c.list(c.text),
  atHome: known(c.bool),
  ratingCount: c.int,
  rating: orNull(c.float),
  coverUrl: known(c.text),
}
type CardRow = RowOf<typeof cardRow>
export type InstituteRow = CardRow & { distanceKm: number | null }

/** Comes to people's homes with a service that is done there. */
export const comesHome = sql`(i.at_home and exists (select from services s where s.institute_id = i.id and s.active and s.venue <> 'salon'))`
const coverUrl = sql`coalesce((select p.url from institute_pictures p where p.institute_id = i.id order by p.position limit 1), '/art/cover/' || i.categories[1] || '/' || i.slug || '.svg')`
const columns = sql`i.id, i.slug, i.name, i.categories, i.lat, i.lon, i.quarter, i.city, i.country_code as "countryCode",
  i.time_zone as "timeZone", i.currency, i.claimed, i.audience, i.languages, ${comesHome} as "atHome",
  i.rating_count as "ratingCount", ${rating}::float8 as rating, ${coverUrl} as "coverUrl"`

const cards = statement(
  { name: 'institutes.cards', row: cardRow, tries: [[]] },
  (ids: readonly string[]) => sql`select ${columns} from institutes i where i.id = any(${ids}::uuid[])`,
)
/** What the cards of some institutes show, by id. */
export const readCards = async (db: Db, ids: readonly string[]): Promise<Map<string, CardRow>> =>
  new Map((await cards.all(db, ids)).map((row) => [row.id, row]))

interface NearAsked {
  point: Point
  radiusKm: number
  limit: number
}
/** Bookable institutes within a distance of a point, nearest first. */
export const bookableNear = statement(
  {
    name: 'institutes.bookableNear',
    row: { ...cardRow, distanceKm: known(c.float) },
    tries: [{ point: { lat: 0, lon: 0 }, radiusKm: 1, limit: 1 }],
  },
  ({ point, radiusKm, limit }: NearAsked) => sql`select ${columns}, ${distanceKm(point)} as "distanceKm" from institutes i
    where i.state = 'published' and i.claimed and ${within(point, radiusKm)} order by "distanceKm", i.id limit ${limit}`,
)

/** Where most published institutes are: the city's name and the middle of them. */
export const mainCity = statement(
  { name: 'institutes.mainCity', row: { name: c.text, lat: known(c.float), lon: known(c.float) } },
  () => sql`with most as (select country_code, city from institutes where state = 'published' and claimed group by country_code, city order by count(*) desc, sum(rating_count) desc, city limit 1)
    select i.city as name, avg(i.lat) as lat, avg(i.lon) as lon from institutes i join most m on m.city = i.city and m.country_code = i.country_code
    where i.state = 'published' and i.claimed group by i.city`,
)

const pageRow = {
  id: c.uuid,
  slug: c.text,
  name: c.text,
  description: c.json(localizedText),
  categories: c.list(c.text),
  claimed: c.bool,
  sources: orNull(
    c.json(z.array(z.object({ attribution: z.string(), attributionUrl: z.string(), licence: z.string(), licenceUrl: z.string() }))),
  ),
  phone: orNull(c.text),
  website: orNull(c.text),
  addressLine: c.text,
  quarter: orNull(c.text),
  postalCode: orNull(c.text),
  city: c.text,
  countryCode: c.text,
  lat: c.float,
  lon: c.float,
  timeZone: c.text,
  currency: c.text,
  atHome: known(c.bool),
  atHomeRadiusKm: orNull(c.int),
  audience: c.list(c.text),
  languages: c.list(c.text),
  paymentMethods: known(c.list(c.text)),
  ratingCount: c.int,
  rating: orNull(c.float),
  welcoming: orNull(c.float),
  hygiene: orNull(c.float),
  atmosphere: orNull(c.float),
  serviceQuality: orNull(c.float),
  pictures: orNull(c.json(z.array(z.object({ url: z.string(), alt: localizedText })))),
  closures: orNull(c.json(z.array(z.object({ fromDay: z.string(), toDay: z.string(), reason: localizedText, wholeDay: z.boolean() })))),
  descriptions: orNull(c.json(z.record(z.string(), localizedText))),
  successors: orNull(c.json(z.record(z.string(), z.object({ serviceId: z.string(), name: localizedText })))),
  members: orNull(
    c.json(
      z.array(
        z.object({
          id: z.string(),
          bio: localizedText,
          languages: z.array(z.string()),
          absences: z.nullable(z.array(z.object({ fromDay: z.string(), toDay: z.string() }))),
        }),
      ),
    ),
  ),
}
export type PageRow = RowOf<typeof pageRow>

/** What a published institute's page shows beside its diary; a slug it had before leads to it too. Closures and absences before `sinceDay` are left out. */
export const instituteOfPage = statement(
  { name: 'institutes.ofPage', row: pageRow, tries: [{ slug: 'a', sinceDay: '2026-05-01', needsAccount: true }] },
  ({ slug, sinceDay, needsAccount }: { slug: string; sinceDay: string; needsAccount: boolean | null }) => sql`
    select i.id, i.slug, i.name, i.description, i.categories, i.claimed, i.phone, i.website, i.address_line as "addressLine", i.quarter, i.postal_code as "postalCode",
      i.city, i.country_code as "countryCode", i.lat, i.lon, i.time_zone as "timeZone", i.currency, ${comesHome} as "atHome", i.at_home_radius_km as "atHomeRadiusKm", i.audience, i.languages,
      case when takes_online(i.id, ${needsAccount}) then i.payment_methods else '{}' end as "paymentMethods",
      i.rating_count as "ratingCount", ${rating}::float8 as rating, i.average_welcoming as welcoming, i.average_hygiene as hygiene, i.average_atmosphere as atmosphere, i.average_service_quality as "serviceQuality",
      (select json_agg(l) from (select distinct attribution, attribution_url as "attributionUrl", licence, licence_url as "licenceUrl" from listings where institute_id = i.id and gone_at is null order by attribution) l) as sources,
      (select json_agg(json_build_object('url', p.url, 'alt', p.alt) order by p.position) from institute_pictures p where p.institute_id = i.id) as pictures,
      (select json_agg(c) from (select from_day as "fromDay", to_day as "toDay", reason, opens_at is null as "wholeDay" from closures where institute_id = i.id and to_day >= ${sinceDay}::date order by from_day, id limit 30) c) as closures,
      (select json_object_agg(s.id, s.description) from services s where s.institute_id = i.id and s.active) as descriptions,
      (with recursive chain as (
          select s.id as old_id, s.name, s.successor_id, 1 as step from services s
            where s.institute_id = i.id and s.archived_at is not null and s.successor_id is not null
          union all select c.old_id, c.name, n.successor_id, c.step + 1 from chain c join services n on n.id = c.successor_id
            where n.archived_at is not null and n.successor_id is not null and c.step < 8)
        select json_object_agg(c.old_id, json_build_object('serviceId', c.successor_id, 'name', c.name)) from chain c join services n on n.id = c.successor_id where n.active) as successors,
      (select json_agg(json_build_object('id', m.id, 'bio', m.bio, 'languages', m.languages,
        'absences', (select json_agg(json_build_object('fromDay', a.from_day, 'toDay', a.to_day)) from absences a
          where a.member_id = m.id and a.opens_at is null and a.to_day >= ${sinceDay}::date and a.from_day <= ${sinceDay}::date + 3)))
        from team_members m where m.institute_id = i.id and m.active) as members
    from institutes i where i.state = 'published' and i.id = coalesce(
      (select id from institutes where slug = ${slug}), (select institute_id from former_slugs where slug = ${slug}))`,
)

/** Every zone that a published institute is in, and perhaps some that none is in any more. */
export async function timeZonesInUse(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('zones_in_use').select('time_zone as timeZone').orderBy('time_zone').execute()
  return rows.map(({ timeZone }) => timeZone)
}
