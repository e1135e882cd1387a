// The tables of the summary.
import { sql } from 'kysely'
import type { Db } from '#/platform/database.ts'
import { isAmong } from '#/platform/prepared.ts'
import type { DaysOfCover, StartBits } from './starts.ts'
import { bitsOf } from './starts.ts'
import type { InstituteSummary } from './summarise.ts'

/** Whoever writes the summary of an institute, or reads its diary to do so, does it alone until the transaction ends; taken after every other lock. */
export async function lockSummaries(db: Db, instituteIds: readonly string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(key) from (select distinct hashtextextended(id, 727) as key from unnest(${instituteIds}::text[]) as id order by 1) k`.execute(
    db,
  )
}

/** Takes the marks of institutes away: who takes them writes the summary in the same transaction. */
export async function takeMarks(db: Db, instituteIds: readonly string[]): Promise<void> {
  await sql`delete from free_time_marks where ${isAmong(sql`institute_id`, instituteIds)}`.execute(db)
}

export interface Behind {
  /** What the marks span, in milliseconds since the epoch; null when one of them means everything. */
  marked: { from: number; to: number } | null
  /** Null when there is no summary of free time. */
  cover: StoredCover | null
}

/** Takes the marks of one institute away and says what they and its summary span; null when there was none. */
export async function takeMarksOf(db: Db, instituteId: string): Promise<Behind | null> {
  const { rows } = await sql<{ isAll: boolean; from: number; to: number; cover: StoredCover | null }>`
    with taken as (delete from free_time_marks where institute_id = ${instituteId} returning from_at, to_at)
    select bool_or(from_at is null or to_at is null) as "isAll", date_part('epoch', min(from_at)) * 1000 as "from", date_part('epoch', max(to_at)) * 1000 as "to",
      (select json_build_object('instituteId', institute_id, 'classes', classes, 'nearFrom', near_from, 'nearCount', near_count, 'firstDay', first_day, 'dayCount', day_count, 'coarse', coarse)
        from free_time where institute_id = ${instituteId}) as cover
    from taken having count(*) > 0`.execute(db)
  const behind = rows[0]
  return behind ? { marked: behind.isAll ? null : { from: behind.from, to: behind.to }, cover: behind.cover } : null
}

/** Institutes whose summary is behind, or does not reach far enough ahead any more. */
export async function readBehind(db: Db, { nearFrom, limit }: { nearFrom: number; limit: number }): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    (select distinct institute_id as id from free_time_marks limit ${limit})
    union (select institute_id from free_time where near_from < ${nearFrom} order by near_from limit ${limit})`.execute(db)
  return rows.map(({ id }) => id)
}

/** Institutes that are marked. */
export async function readMarked(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select distinct institute_id as id from free_time_marks limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Ids of institutes after one, in the order of the ids. */
export async function readIdsAfter(db: Db, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{
    id: string
  }>`select id from institutes where id > ${after}::uuid order by id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export async function longestHorizon(db: Db, instituteIds: readonly string[]): Promise<number> {
  const { rows } = await sql<{
    days: number
  }>`select coalesce(max(horizon_days), 0)::int as days from institutes where id = any(${instituteIds}::uuid[])`.execute(db)
  return rows[0]?.days ?? 0
}

export interface StoredCover {
  instituteId: string
  classes: string
  nearFrom: number
  nearCount: number
  firstDay: string
  dayCount: number
  coarse: boolean
}

/** Writes whole summaries, words and services too. */
export async function writeSummaries(db: Db, summaries: readonly InstituteSummary[]): Promise<void> {
  if (summaries.length === 0) return
  const ids = summaries.map(({ instituteId }) => instituteId)
  const words = JSON.stringify(summaries.map((one) => ({ id: one.instituteId, words: one.words })))
  const services = JSON.stringify(summaries.flatMap((one) => one.services))
  const times = JSON.stringify(summaries.flatMap((one) => one.freeTime ?? []))
  const vocabulary = [...new Set(summaries.flatMap((one) => one.vocabulary))].sort()
  await sql`insert into vocabulary (word) select word from unnest(${vocabulary}::text[]) as word on conflict do nothing`.execute(db)
  await sql`update institutes i set words = w.words::tsvector from jsonb_to_recordset(${words}::jsonb) as w(id uuid, words text)
    where i.id = w.id and i.words is distinct from w.words::tsvector`.execute(db)
  await sql`delete from bookable_services where institute_id = any(${ids}::uuid[])`.execute(db)
  await sql`insert into bookable_services (service_id, institute_id, position, category, audience, duration_minutes, price_amount, minor_units, notice_minutes, time_class, words)
    select "serviceId", "instituteId", position, category, audience, "durationMinutes", "priceAmount", "minorUnits", "noticeMinutes", "timeClass", words::tsvector
    from jsonb_to_recordset(${services}::jsonb) as s("serviceId" uuid, "instituteId" uuid, position smallint, category text, audience text, "durationMinutes" smallint,
      "priceAmount" int, "minorUnits" int, "noticeMinutes" int, "timeClass" smallint, words text)`.execute(db)
  await sql`delete from free_time where institute_id = any(${ids}::uuid[]) and institute_id not in (select "instituteId" from jsonb_to_recordset(${times}::jsonb) as t("instituteId" uuid))`.execute(
    db,
  )
  await sql`insert into free_time (institute_id, classes, near_from, near_count, first_day, day_count, near, near_all, far, coarse)
    select "instituteId", classes, "nearFrom", "nearCount", "firstDay", "dayCount", near::varbit, "nearAll"::varbit, far::varbit, coarse
    from jsonb_to_recordset(${times}::jsonb) as t("instituteId" uuid, classes text, "nearFrom" int, "nearCount" int, "firstDay" date, "dayCount" int, near text, "nearAll" text, far text, coarse boolean)
    on conflict (institute_id) do update set classes = excluded.classes, near_from = excluded.near_from, near_count = excluded.near_count, first_day = excluded.first_day,
      day_count = excluded.day_count, near = excluded.near, near_all = excluded.near_all, far = excluded.far, coarse = excluded.coarse`.execute(
    db,
  )
}

export interface Patch {
  cover: StoredCover
  asked: DaysOfCover
  /** First day of the patch, counted from the first day of the cover. */
  dayIndex: number
  /** One for each class. */
  classes: readonly StartBits[]
}

/** Replaces the bits of some days in the summary of one institute. */
export async function patchFreeTime(db: Db, { cover, asked, dayIndex, classes }: Patch): Promise<void> {
  let near = sql`near`
  let far = sql`far`
  let nearAll = sql`near_all`
  const nearPlace = (number: number): number => number * cover.nearCount + asked.nearFrom - cover.nearFrom + 1
  for (const [number, bits] of classes.entries()) {
    if (asked.nearCount > 0) near = sql`overlay(${near} placing ${bitsOf(bits.near)}::varbit from ${nearPlace(number)}::int)`
    if (asked.nearCount > 0 && bits.nearAll)
      nearAll = sql`overlay(${nearAll} placing ${bitsOf(bits.nearAll)}::varbit from ${nearPlace(number)}::int)`
    for (const [part, row] of bits.far.entries())
      far = sql`overlay(${far} placing ${bitsOf(row)}::varbit from ${(number * 3 + part) * cover.dayCount + dayIndex + 1}::int)`
  }
  const coarse = cover.coarse || classes.some(({ offBins }) => offBins)
  await sql`update free_time set near = ${near}, near_all = ${nearAll}, far = ${far}, coarse = ${coarse} where institute_id = ${cover.instituteId}`.execute(
    db,
  )
}

/** What is stored of institutes, in the form in which it is compared. */
export interface StoredSummary {
  instituteId: string
  marked: boolean
  words: boolean
  services: string
  freeTime: (StoredCover & { near: string; nearAll: string | null; far: string }) | null
}

export async function readSummaries(db: Db, summaries: readonly InstituteSummary[]): Promise<StoredSummary[]> {
  const asked = JSON.stringify(summaries.map((one) => ({ id: one.instituteId, words: one.words })))
  const { rows } =
    await sql<StoredSummary>`select i.id as "instituteId", exists (select from free_time_marks m where m.institute_id = i.id) as marked, i.words = a.words::tsvector as words,
      coalesce((select string_agg(concat_ws(' ', s.service_id, s.position, s.category, s.audience, s.duration_minutes, coalesce(s.price_amount::text, '-'), s.minor_units, s.notice_minutes, s.time_class), '|' order by s.position) from bookable_services s where s.institute_id = i.id), '') as services,
      (select json_build_object('instituteId', f.institute_id, 'classes', f.classes, 'nearFrom', f.near_from, 'nearCount', f.near_count, 'firstDay', f.first_day, 'dayCount', f.day_count, 'coarse', f.coarse, 'near', f.near::text, 'nearAll', f.near_all::text, 'far', f.far::text)
        from free_time f where f.institute_id = i.id) as "freeTime"
    from jsonb_to_recordset(${asked}::jsonb) as a(id uuid, words text) join institutes i on i.id = a.id`.execute(db)
  return rows
}
