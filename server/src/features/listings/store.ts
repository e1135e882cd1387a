import { audience, category } from '@soigne/contract/wire'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'
import { type Facts, type SourceName, sourceNames, type WeekRow } from '#/features/listing-facts/service.ts'
import type { InstituteColumns } from './combine.ts'

const facts: z.ZodMiniType<Facts> = z.object({
  name: z.string(),
  categories: z.array(category),
  addressLine: z.string(),
  quarter: z.nullable(z.string()),
  postalCode: z.nullable(z.string()),
  city: z.string(),
  cityGiven: z.boolean(),
  countryCode: z.string(),
  timeZone: z.string(),
  lat: z.number(),
  lon: z.number(),
  phone: z.nullable(z.string()),
  website: z.nullable(z.string()),
  audience: z.array(audience),
  hours: z.array(z.object({ weekday: z.int(), opensAt: z.int(), closesAt: z.int() })),
})
const listing = {
  id: c.uuid,
  instituteId: c.uuid,
  source: c.oneOf(sourceNames),
  sourceId: c.text,
  area: c.text,
  digest: c.bytes,
  version: orNull(c.int),
  editedAt: orNull(c.instant),
  seenIn: c.uuid,
  goneAt: orNull(c.instant),
  facts: c.json(facts),
}
export type StoredListing = RowOf<typeof listing>
const columns = sql`l.id, l.institute_id as "instituteId", l.source, l.source_id as "sourceId", l.area, l.digest, l.source_version as version,
  l.source_edited_at as "editedAt", l.seen_in as "seenIn", l.gone_at as "goneAt", l.facts`

const ofSource = statement(
  { name: 'listings.ofSource', row: listing, tries: [{ source: 'osm', sourceIds: [] }] },
  ({ source, sourceIds }: { source: SourceName; sourceIds: readonly string[] }) =>
    sql`select ${columns} from listings l where l.source = ${source} and l.source_id = any(${sourceIds}::text[])`,
)
export const readListings = (db: Db, source: SourceName, sourceIds: readonly string[]): Promise<StoredListing[]> =>
  ofSource.all(db, { source, sourceIds })

const ofInstitutes = statement(
  { name: 'listings.ofInstitutes', row: listing, tries: [[]] },
  (instituteIds: readonly string[]) =>
    sql`select ${columns} from listings l where l.institute_id = any(${instituteIds}::uuid[]) order by l.source_id, l.id`,
)
export const readListingsOfInstitutes = (db: Db, instituteIds: readonly string[]): Promise<StoredListing[]> =>
  ofInstitutes.all(db, instituteIds)

const neighbour = {
  instituteId: c.uuid,
  name: c.text,
  categories: c.list(c.text),
  lat: c.float,
  lon: c.float,
  city: c.text,
  phone: orNull(c.text),
  addressLine: c.text,
  /** This source lists it. */
  isOwn: known(c.bool),
}
export type Neighbour = RowOf<typeof neighbour>
interface CellsAsked {
  source: SourceName
  cells: readonly number[]
}
const ofCells = statement(
  { name: 'listings.ofCells', row: neighbour, tries: [{ source: 'osm', cells: [1] }] },
  ({ source, cells }: CellsAsked) => sql`
    select distinct i.id as "instituteId", i.name, i.categories, i.lat, i.lon, i.city, i.phone, i.address_line as "addressLine",
      exists (select from listings own where own.institute_id = i.id and own.source = ${source}) as "isOwn"
    from listings l join institutes i on i.id = l.institute_id
    where l.cell = any(${cells}::bigint[]) and l.gone_at is null and i.state = 'published'
    order by i.id`,
)
/** Published institutes that are listed in some cells of the map. */
export const readInstitutesOfCells = (db: Db, asked: CellsAsked): Promise<Neighbour[]> => ofCells.all(db, asked)

export interface NewListing {
  institute_id: string
  source: SourceName
  source_id: string
  area: string
  attribution: string
  attribution_url: string
  licence: string
  licence_url: string
  digest: string
  source_version: number | null
  source_edited_at: string | null
  facts: Facts
  /** Of the map, for finding what is near. */
  cell: number
  seen_in: string
}

const listingColumns = sql.raw(
  'institute_id, source, source_id, area, attribution, attribution_url, licence, licence_url, digest, source_version, source_edited_at, facts, cell, seen_in',
)

const write = statement(
  { name: 'listings.write', row: {}, tries: [[]] },
  (rows: readonly NewListing[]) => sql`insert into listings (${listingColumns})
    select ${listingColumns} from json_populate_recordset(null::listings, ${JSON.stringify(rows)}::json)
    on conflict (source, source_id) do update set area = excluded.area, attribution = excluded.attribution, attribution_url = excluded.attribution_url,
      licence = excluded.licence, licence_url = excluded.licence_url, digest = excluded.digest, source_version = excluded.source_version,
      source_edited_at = excluded.source_edited_at, facts = excluded.facts, cell = excluded.cell, seen_in = excluded.seen_in, updated_at = now(), gone_at = null`,
)
/** Writes what the sources say, new or changed; a listing stays with its institute. */
export async function writeListings(db: Db, rows: readonly NewListing[]): Promise<void> {
  await write.run(db, rows)
}

const touch = statement(
  { name: 'listings.touch', row: {}, tries: [{ ids: [], run: someId, area: 'a' }] },
  ({ ids, run, area }: { ids: readonly string[]; run: string; area: string }) =>
    sql`update listings set seen_in = ${run}, area = ${area} where id = any(${ids}::uuid[])`,
)
/** What was read again and says the same. */
export async function touchListings(db: Db, ids: readonly string[], { run, area }: { run: string; area: string }): Promise<void> {
  await touch.run(db, { ids, run, area })
}

const taken = statement(
  { name: 'listings.takenSlugs', row: { slug: known(c.text) }, tries: [[]] },
  (slugs: readonly string[]) => sql`
    select slug from institutes where slug = any(${slugs}::text[]) union select slug from former_slugs where slug = any(${slugs}::text[])`,
)
export const takenSlugs = async (db: Db, slugs: readonly string[]): Promise<Set<string>> =>
  new Set((await taken.all(db, slugs)).map(({ slug }) => slug))

const named = {
  id: c.uuid,
  slug: c.text,
  source: c.oneOf(sourceNames),
  sourceId: c.text,
  name: c.text,
  city: c.text,
  addressLine: c.text,
  categories: c.list(c.text),
}
interface NamesAsked {
  instituteIds: readonly string[]
  listingIds: readonly string[]
}
const otherLetters = statement(
  { name: 'listings.inOtherLetters', row: named, tries: [{ instituteIds: [], listingIds: [] }] },
  ({ instituteIds, listingIds }: NamesAsked) => sql`
    select distinct on (i.id) i.id, i.slug, l.source, l.source_id as "sourceId", i.name, i.city, i.address_line as "addressLine", i.categories
    from listings l join institutes i on i.id = l.institute_id
    where (l.id = any(${listingIds}::uuid[]) or l.institute_id = any(${instituteIds}::uuid[])) and not i.claimed and i.name !~ '[A-Za-z0-9]'
    order by i.id, l.source, l.source_id`,
)
/** Unclaimed institutes without one Latin letter in their name: named ones, and those of some listings. */
export const readInOtherLetters = (db: Db, asked: NamesAsked): Promise<RowOf<typeof named>[]> => otherLetters.all(db, asked)

const move = statement(
  { name: 'listings.moveSlugs', row: {}, tries: [[]] },
  (rows: readonly { id: string; slug: string }[]) => sql`
    with moved as (select id, slug from json_to_recordset(${JSON.stringify(rows)}::json) as m(id uuid, slug text)),
      kept as (insert into former_slugs (slug, institute_id) select i.slug, i.id from institutes i join moved on moved.id = i.id)
    update institutes i set slug = moved.slug from moved where moved.id = i.id`,
)
/** Gives institutes other addresses; those they had keep leading to them. */
export async function moveSlugs(db: Db, rows: readonly { id: string; slug: string }[]): Promise<void> {
  await move.run(db, rows)
}

const factColumns = sql.raw(
  'name, categories, phone, website, address_line, quarter, postal_code, city, country_code, lat, lon, time_zone, currency, audience, languages',
)

type NewInstitute = InstituteColumns & { slug: string }
const insert = statement(
  { name: 'listings.insertInstitutes', row: { id: c.uuid, slug: c.text }, tries: [[]] },
  (rows: readonly NewInstitute[]) => sql`
    insert into institutes (slug, state, claimed, published_at, payment_methods, ${factColumns})
    select slug, 'published', false, now(), '{}', ${factColumns} from json_populate_recordset(null::institutes, ${JSON.stringify(rows)}::json)
    returning id, slug`,
)
/** Inserts unclaimed, published institutes; their ids by slug. Nothing is known of how one could pay there. */
export const insertInstitutes = async (db: Db, rows: readonly NewInstitute[]): Promise<Map<string, string>> =>
  new Map((await insert.all(db, rows)).map(({ id, slug }) => [slug, id]))

type ChangedInstitute = InstituteColumns & { id: string }
const update = statement(
  { name: 'listings.updateInstitutes', row: { id: c.uuid }, tries: [[]] },
  (rows: readonly ChangedInstitute[]) => sql`
    update institutes i set name = n.name, categories = n.categories, phone = n.phone, website = n.website, address_line = n.address_line, quarter = n.quarter,
      postal_code = n.postal_code, city = n.city, country_code = n.country_code, lat = n.lat, lon = n.lon, time_zone = n.time_zone, currency = n.currency,
      audience = n.audience, languages = n.languages
    from json_populate_recordset(null::institutes, ${JSON.stringify(rows)}::json) n where n.id = i.id and not i.claimed returning i.id`,
)
/** Puts new facts into unclaimed institutes; a claimed one belongs to its owner and is left alone. Those that were written. */
export const updateInstitutes = async (db: Db, rows: readonly ChangedInstitute[]): Promise<string[]> =>
  (await update.all(db, rows)).map(({ id }) => id)

const forgetHours = statement(
  { name: 'listings.forgetHours', row: {}, tries: [[]] },
  (instituteIds: readonly string[]) => sql`delete from opening_hours where institute_id = any(${instituteIds}::uuid[])`,
)
type Hours = WeekRow & { instituteId: string }
const insertHours = statement({ name: 'listings.insertHours', row: {}, tries: [[]] }, (rows: readonly Hours[]) => {
  const json = rows.map((row) => ({ institute_id: row.instituteId, weekday: row.weekday, opens_at: row.opensAt, closes_at: row.closesAt }))
  return sql`insert into opening_hours (institute_id, weekday, opens_at, closes_at)
    select institute_id, weekday, opens_at, closes_at from json_populate_recordset(null::opening_hours, ${JSON.stringify(json)}::json)`
})
/** Replaces the weeks of institutes. */
export async function writeHours(db: Db, instituteIds: readonly string[], rows: readonly Hours[]): Promise<void> {
  await forgetHours.run(db, instituteIds)
  if (rows.length > 0) await insertHours.run(db, rows)
}

interface AreaRead {
  source: SourceName
  area: string
  run: string
}
const gone = statement(
  { name: 'listings.markGone', row: { id: c.uuid, instituteId: c.uuid }, tries: [{ source: 'osm', area: 'a', run: someId }] },
  ({ source, area, run }: AreaRead) => sql`
    update listings set gone_at = now() where source = ${source} and area = ${area} and seen_in <> ${run} and gone_at is null
    returning id, institute_id as "instituteId"`,
)
/** Marks what the area no longer has; the listings and their institutes. */
export const markGone = (db: Db, read: AreaRead): Promise<{ id: string; instituteId: string }[]> => gone.all(db, read)

const hide = statement(
  { name: 'listings.hideUnlisted', row: {}, tries: [[]] },
  (
    instituteIds: readonly string[],
  ) => sql`update institutes i set state = 'suspended' where i.id = any(${instituteIds}::uuid[]) and not i.claimed and i.state = 'published'
    and not exists (select from listings l where l.institute_id = i.id and l.gone_at is null)`,
)
/** Takes unclaimed institutes off the marketplace that no source lists any more. */
export async function hideUnlisted(db: Db, instituteIds: readonly string[]): Promise<void> {
  await hide.run(db, instituteIds)
}

const show = statement(
  { name: 'listings.showListed', row: {}, tries: [[]] },
  (instituteIds: readonly string[]) =>
    sql`update institutes set state = 'published' where id = any(${instituteIds}::uuid[]) and not claimed and state = 'suspended'`,
)
/** Brings institutes back whose listing has come back; only those that were hidden for its absence. */
export async function showListed(db: Db, instituteIds: readonly string[]): Promise<void> {
  await show.run(db, instituteIds)
}

/** Day of the newest file read of an area, `YYYY-MM-DD`. */
export async function readSnapshot(db: Db, source: SourceName, area: string): Promise<string | null> {
  const found = await db
    .selectFrom('listing_areas')
    .select('snapshot')
    .where('source', '=', source)
    .where('area', '=', area)
    .executeTakeFirst()
  return found?.snapshot ?? null
}

const keepSnapshot = statement(
  { name: 'listings.writeSnapshot', row: {}, tries: [{ source: 'osm', area: 'a', snapshot: '2026-05-01' }] },
  ({
    source,
    area,
    snapshot,
  }: {
    source: SourceName
    area: string
    snapshot: string
  }) => sql`insert into listing_areas (source, area, snapshot) values (${source}, ${area}, ${snapshot})
    on conflict (source, area) do update set snapshot = greatest(listing_areas.snapshot, excluded.snapshot), imported_at = now()`,
)
export async function writeSnapshot(db: Db, source: SourceName, area: string, snapshot: string): Promise<void> {
  await keepSnapshot.run(db, { source, area, snapshot })
}

const analyze = statement({ name: 'listings.analyze', row: {} }, () => sql`analyze institutes, opening_hours, listings`)
/** Figures for the planner after much has changed. */
export async function refreshStatistics(db: Db): Promise<void> {
  await analyze.run(db)
}
