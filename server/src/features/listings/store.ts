import { sql } from 'kysely'
import type { Db } from '#/platform/database.ts'
import type { InstituteColumns } from './combine.ts'
import type { Facts } from './facts.ts'
import type { SourceName } from './sources.ts'
import type { WeekRow } from './weeks.ts'

export interface StoredListing {
  id: string
  instituteId: string
  source: SourceName
  sourceId: string
  area: string
  digest: Buffer
  version: number | null
  editedAt: string | null
  seenIn: string
  goneAt: string | null
  facts: Facts
}

const columns = sql`l.id, l.institute_id as "instituteId", l.source, l.source_id as "sourceId", l.area, l.digest, l.source_version as version,
  l.source_edited_at as "editedAt", l.seen_in as "seenIn", l.gone_at as "goneAt", l.facts`

export async function readListings(db: Db, source: SourceName, sourceIds: readonly string[]): Promise<StoredListing[]> {
  const { rows } =
    await sql<StoredListing>`select ${columns} from listings l where l.source = ${source} and l.source_id = any(${sourceIds}::text[])`.execute(
      db,
    )
  return rows
}

export async function readListingsOfInstitutes(db: Db, instituteIds: readonly string[]): Promise<StoredListing[]> {
  const { rows } =
    await sql<StoredListing>`select ${columns} from listings l where l.institute_id = any(${instituteIds}::uuid[]) order by l.id`.execute(
      db,
    )
  return rows
}

export interface Neighbour {
  instituteId: string
  name: string
  categories: string[]
  lat: number
  lon: number
  city: string
}

/** Published institutes in some cells of the map that other sources list and this one does not. */
export async function readInstitutesOfCells(
  db: Db,
  { source, cells }: { source: SourceName; cells: readonly number[] },
): Promise<Neighbour[]> {
  const { rows } = await sql<Neighbour>`
    select distinct i.id as "instituteId", i.name, i.categories, i.lat, i.lon, i.city from listings l join institutes i on i.id = l.institute_id
    where l.cell = any(${cells}::bigint[]) and l.source <> ${source} and l.gone_at is null and i.state = 'published'
      and not exists (select from listings own where own.institute_id = i.id and own.source = ${source})
    order by i.id`.execute(db)
  return rows
}

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

/** Writes what the sources say, new or changed; a listing stays with its institute. */
export async function writeListings(db: Db, rows: readonly NewListing[]): Promise<void> {
  await sql`insert into listings (${listingColumns})
    select ${listingColumns} from json_populate_recordset(null::listings, ${JSON.stringify(rows)}::json)
    on conflict (source, source_id) do update set area = excluded.area, attribution = excluded.attribution, attribution_url = excluded.attribution_url,
      licence = excluded.licence, licence_url = excluded.licence_url, digest = excluded.digest, source_version = excluded.source_version,
      source_edited_at = excluded.source_edited_at, facts = excluded.facts, cell = excluded.cell, seen_in = excluded.seen_in, updated_at = now(), gone_at = null`.execute(
    db,
  )
}

/** What was read again and says the same. */
export async function touchListings(db: Db, ids: readonly string[], { run, area }: { run: string; area: string }): Promise<void> {
  await sql`update listings set seen_in = ${run}, area = ${area} where id = any(${ids}::uuid[])`.execute(db)
}

export async function takenSlugs(db: Db, slugs: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ slug: string }>`select slug from institutes where slug = any(${slugs}::text[])`.execute(db)
  return new Set(rows.map(({ slug }) => slug))
}

const factColumns = sql.raw(
  'name, categories, phone, website, address_line, quarter, postal_code, city, country_code, lat, lon, time_zone, currency, audience, languages',
)

/** Inserts unclaimed, published institutes; their ids by slug. Nothing is known of how one could pay there. */
export async function insertInstitutes(db: Db, rows: readonly (InstituteColumns & { slug: string })[]): Promise<Map<string, string>> {
  const { rows: made } = await sql<{ id: string; slug: string }>`
    insert into institutes (slug, state, claimed, published_at, payment_methods, ${factColumns})
    select slug, 'published', false, now(), '{}', ${factColumns} from json_populate_recordset(null::institutes, ${JSON.stringify(rows)}::json)
    returning id, slug`.execute(db)
  return new Map(made.map(({ id, slug }) => [slug, id]))
}

/** Puts new facts into unclaimed institutes; a claimed one belongs to its owner and is left alone. Those that were written. */
export async function updateInstitutes(db: Db, rows: readonly (InstituteColumns & { id: string })[]): Promise<string[]> {
  const { rows: written } = await sql<{ id: string }>`
    update institutes i set name = n.name, categories = n.categories, phone = n.phone, website = n.website, address_line = n.address_line, quarter = n.quarter,
      postal_code = n.postal_code, city = n.city, country_code = n.country_code, lat = n.lat, lon = n.lon, time_zone = n.time_zone, currency = n.currency,
      audience = n.audience, languages = n.languages
    from json_populate_recordset(null::institutes, ${JSON.stringify(rows)}::json) n where n.id = i.id and not i.claimed returning i.id`.execute(
    db,
  )
  return written.map(({ id }) => id)
}

/** Replaces the weeks of institutes. */
export async function writeHours(
  db: Db,
  instituteIds: readonly string[],
  rows: readonly (WeekRow & { instituteId: string })[],
): Promise<void> {
  await sql`delete from opening_hours where institute_id = any(${instituteIds}::uuid[])`.execute(db)
  if (rows.length === 0) return
  const json = rows.map((row) => ({ institute_id: row.instituteId, weekday: row.weekday, opens_at: row.opensAt, closes_at: row.closesAt }))
  await sql`insert into opening_hours (institute_id, weekday, opens_at, closes_at)
    select institute_id, weekday, opens_at, closes_at from json_populate_recordset(null::opening_hours, ${JSON.stringify(json)}::json)`.execute(
    db,
  )
}

/** Marks what the area no longer has; the listings and their institutes. */
export async function markGone(
  db: Db,
  { source, area, run }: { source: SourceName; area: string; run: string },
): Promise<{ id: string; instituteId: string }[]> {
  const { rows } = await sql<{ id: string; instituteId: string }>`
    update listings set gone_at = now() where source = ${source} and area = ${area} and seen_in <> ${run} and gone_at is null
    returning id, institute_id as "instituteId"`.execute(db)
  return rows
}

/** Takes unclaimed institutes off the marketplace that no source lists any more. */
export async function hideUnlisted(db: Db, instituteIds: readonly string[]): Promise<void> {
  await sql`update institutes i set state = 'suspended' where i.id = any(${instituteIds}::uuid[]) and not i.claimed and i.state = 'published'
    and not exists (select from listings l where l.institute_id = i.id and l.gone_at is null)`.execute(db)
}

/** Brings institutes back whose listing has come back; only those that were hidden for its absence. */
export async function showListed(db: Db, instituteIds: readonly string[]): Promise<void> {
  await sql`update institutes set state = 'published' where id = any(${instituteIds}::uuid[]) and not claimed and state = 'suspended'`.execute(
    db,
  )
}

/** Day of the newest file read of an area, `YYYY-MM-DD`. */
export async function readSnapshot(db: Db, source: SourceName, area: string): Promise<string | null> {
  const { rows } = await sql<{ snapshot: string }>`select snapshot from listing_areas where source = ${source} and area = ${area}`.execute(
    db,
  )
  return rows[0]?.snapshot ?? null
}

export async function writeSnapshot(db: Db, source: SourceName, area: string, snapshot: string): Promise<void> {
  await sql`insert into listing_areas (source, area, snapshot) values (${source}, ${area}, ${snapshot})
    on conflict (source, area) do update set snapshot = greatest(listing_areas.snapshot, excluded.snapshot), imported_at = now()`.execute(
    db,
  )
}

/** Figures for the planner after much has changed. */
export async function refreshStatistics(db: Db): Promise<void> {
  await sql`analyze institutes, opening_hours, listings`.execute(db)
}
