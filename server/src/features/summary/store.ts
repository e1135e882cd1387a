// The tables of the summary.
import type { Instant } from '@soigne/contract/time'
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import type { Db } from '#/platform/database.ts'
import type { Fill } from '#/platform/fills.ts'
import { isAmong } from '#/platform/prepared.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'
import type { DaysOfCover, StartBits } from './starts.ts'
import { bitsOf } from './starts.ts'
import type { InstituteSummary } from './summarise.ts'

const lock = statement(
  { name: 'summary.lock', row: { pg_advisory_xact_lock: known(c.void) }, tries: [[]] },
  (instituteIds: readonly string[]) =>
    sql`select pg_advisory_xact_lock(key) from (select distinct hashtextextended(id, 727) as key from unnest(${instituteIds}::text[]) as id order by 1) k`,
)
/** Whoever writes the summary of an institute, or reads its diary to do so, does it alone until the transaction ends; taken after every other lock. */
export async function lockSummaries(db: Db, instituteIds: readonly string[]): Promise<void> {
  await lock.all(db, instituteIds)
}

const take = statement(
  { name: 'summary.takeMarks', row: {}, tries: [[someId], [someId, someId]] },
  (instituteIds: readonly string[]) => sql`delete from free_time_marks where ${isAmong(sql`institute_id`, instituteIds)}`,
)
/** Takes the marks of institutes away: who takes them writes the summary in the same transaction. */
export async function takeMarks(db: Db, instituteIds: readonly string[]): Promise<void> {
  await take.run(db, instituteIds)
}

const storedCover = z.object({
  instituteId: z.string(),
  classes: z.string(),
  nearFrom: z.int(),
  nearCount: z.int(),
  firstDay: z.string(),
  dayCount: z.int(),
  coarse: z.boolean(),
})
export type StoredCover = z.output<typeof storedCover>

export interface Behind {
  /** What the marks span, in milliseconds since the epoch; null when one of them means everything. */
  marked: { from: Instant; to: Instant } | null
  /** Null when there is no summary of free time. */
  cover: StoredCover | null
}

const coverAsJson = sql`'instituteId', f.institute_id, 'classes', f.classes, 'nearFrom', f.near_from, 'nearCount', f.near_count, 'firstDay', f.first_day, 'dayCount', f.day_count, 'coarse', f.coarse`

const takeOf = statement(
  {
    name: 'summary.takeMarksOf',
    row: { isAll: known(c.bool), from: orNull(c.float), to: orNull(c.float), cover: orNull(c.json(storedCover)) },
    tries: [someId],
  },
  (instituteId: string) => sql`
    with taken as (delete from free_time_marks where institute_id = ${instituteId} returning from_at, to_at)
    select bool_or(from_at is null or to_at is null) as "isAll", date_part('epoch', min(from_at)) * 1000 as "from", date_part('epoch', max(to_at)) * 1000 as "to",
      (select json_build_object(${coverAsJson}) from free_time f where f.institute_id = ${instituteId}) as cover
    from taken having count(*) > 0`,
)
/** Takes the marks of one institute away and says what they and its summary span; null when there was none. */
export async function takeMarksOf(db: Db, instituteId: string): Promise<Behind | null> {
  const behind = await takeOf.one(db, instituteId)
  if (!behind) return null
  const { isAll, from, to, cover } = behind
  return { marked: isAll || from === null || to === null ? null : { from, to }, cover }
}

/** Whether this transaction is the one that mends: one of all processes at a time. */
export async function tryMendingLock(db: Db): Promise<boolean> {
  return (await mendingLock.one(db))?.isOurs ?? false
}
const mendingLock = statement(
  { name: 'summary.mendingLock', row: { isOurs: known(c.bool) } },
  () => sql`select pg_try_advisory_xact_lock(727004) as "isOurs"`,
)

interface BehindQuery {
  limit: number
  without: readonly string[]
}

/** Institutes that are marked. */
export const readMarked = async (db: Db, query: BehindQuery): Promise<string[]> => (await marked.all(db, query)).map(({ id }) => id)
const marked = statement(
  { name: 'summary.marked', row: { id: c.uuid }, tries: [{ limit: 1, without: [someId] }] },
  ({ limit, without }: BehindQuery) =>
    sql`select distinct institute_id as id from free_time_marks where institute_id <> all(${without}::uuid[]) limit ${limit}`,
)

/** Institutes whose summary does not reach far enough ahead any more. */
export const readShort = async (db: Db, query: BehindQuery & { nearFrom: number }): Promise<string[]> =>
  (await short.all(db, query)).map(({ id }) => id)
const short = statement(
  { name: 'summary.short', row: { id: c.uuid }, tries: [{ limit: 1, without: [someId], nearFrom: 1 }] },
  ({ limit, without, nearFrom }: BehindQuery & { nearFrom: number }) =>
    sql`select institute_id as id from free_time where near_from < ${nearFrom} and institute_id <> all(${without}::uuid[]) order by near_from limit ${limit}`,
)

/** Institutes whose services were summarised by the release before, which knew of no lead. */
export const readWithoutLead = async (db: Db, query: BehindQuery): Promise<string[]> =>
  (await withoutLead.all(db, query)).map(({ id }) => id)
const withoutLead = statement(
  { name: 'summary.withoutLead', row: { id: c.uuid }, tries: [{ limit: 1, without: [someId] }] },
  ({ limit, without }: BehindQuery) =>
    sql`select distinct institute_id as id from bookable_services where lead is null and institute_id <> all(${without}::uuid[]) limit ${limit}`,
)

/** How many institutes are marked, counted no further than `most`. */
export const countMarked = async (db: Db, most: number): Promise<number> => (await markedCount.one(db, most))?.marked ?? 0
const markedCount = statement(
  { name: 'summary.markedCount', row: { marked: known(c.count) }, tries: [1] },
  (most: number) => sql`select count(*) as marked from (select distinct institute_id from free_time_marks limit ${most}) m`,
)

/** Ids of institutes after one, in the order of the ids. */
export async function readIdsAfter(db: Db, after: string, limit: number): Promise<string[]> {
  const rows = await db.selectFrom('institutes').select('id').where('id', '>', after).orderBy('id').limit(limit).execute()
  return rows.map(({ id }) => id)
}

const horizon = statement(
  { name: 'summary.longestHorizon', row: { days: known(c.int) }, tries: [[]] },
  (instituteIds: readonly string[]) =>
    sql`select coalesce(max(horizon_days), 0)::int as days from institutes where id = any(${instituteIds}::uuid[])`,
)
export const longestHorizon = async (db: Db, instituteIds: readonly string[]): Promise<number> =>
  (await horizon.one(db, instituteIds))?.days ?? 0

/** Parts of the writing of whole summaries; what is new comes as JSON. */
const write = {
  vocabulary: statement(
    { name: 'summary.writeVocabulary', row: {}, tries: [[]] },
    (words: readonly string[]) =>
      sql`insert into vocabulary (word) select word from unnest(${words}::text[]) as word on conflict do nothing`,
  ),
  words: statement(
    { name: 'summary.writeWords', row: {}, tries: ['[]'] },
    (
      words: string,
    ) => sql`update institutes i set words = w.words::tsvector from jsonb_to_recordset(${words}::jsonb) as w(id uuid, words text)
    where i.id = w.id and i.words is distinct from w.words::tsvector`,
  ),
  forgetServices: statement(
    { name: 'summary.forgetServices', row: {}, tries: [[]] },
    (ids: readonly string[]) => sql`delete from bookable_services where institute_id = any(${ids}::uuid[])`,
  ),
  services: statement(
    { name: 'summary.writeServices', row: {}, tries: ['[]'] },
    (
      services: string,
    ) => sql`insert into bookable_services (service_id, institute_id, position, category, audience, duration_minutes, price_amount, minor_units, notice_minutes, time_class, home_class, lead, words)
    select "serviceId", "instituteId", position, category, audience, "durationMinutes", "priceAmount", "minorUnits", "noticeMinutes", "timeClass", "homeClass", lead, words::tsvector
    from jsonb_to_recordset(${services}::jsonb) as s("serviceId" uuid, "instituteId" uuid, position smallint, category text, audience text, "durationMinutes" smallint,
      "priceAmount" int, "minorUnits" int, "noticeMinutes" int, "timeClass" smallint, "homeClass" smallint, lead int, words text)`,
  ),
  forgetTimes: statement(
    { name: 'summary.forgetTimes', row: {}, tries: [{ ids: [], times: '[]' }] },
    ({ ids, times }: { ids: readonly string[]; times: string }) =>
      sql`delete from free_time where institute_id = any(${ids}::uuid[]) and institute_id not in (select "instituteId" from jsonb_to_recordset(${times}::jsonb) as t("instituteId" uuid))`,
  ),
  times: statement(
    { name: 'summary.writeTimes', row: {}, tries: ['[]'] },
    (
      times: string,
    ) => sql`insert into free_time (institute_id, classes, near_from, near_count, first_day, day_count, near, near_all, far, coarse)
    select "instituteId", classes, "nearFrom", "nearCount", "firstDay", "dayCount", near::varbit, "nearAll"::varbit, far::varbit, coarse
    from jsonb_to_recordset(${times}::jsonb) as t("instituteId" uuid, classes text, "nearFrom" int, "nearCount" int, "firstDay" date, "dayCount" int, near text, "nearAll" text, far text, coarse boolean)
    on conflict (institute_id) do update set classes = excluded.classes, near_from = excluded.near_from, near_count = excluded.near_count, first_day = excluded.first_day,
      day_count = excluded.day_count, near = excluded.near, near_all = excluded.near_all, far = excluded.far, coarse = excluded.coarse`,
  ),
}

/** Writes whole summaries, words and services too. */
export async function writeSummaries(db: Db, summaries: readonly InstituteSummary[]): Promise<void> {
  if (summaries.length === 0) return
  const ids = summaries.map(({ instituteId }) => instituteId)
  const words = JSON.stringify(summaries.map((one) => ({ id: one.instituteId, words: one.words })))
  const times = JSON.stringify(summaries.flatMap((one) => one.freeTime ?? []))
  await write.vocabulary.run(db, [...new Set(summaries.flatMap((one) => one.vocabulary))].sort())
  await write.words.run(db, words)
  await write.forgetServices.run(db, ids)
  await write.services.run(db, JSON.stringify(summaries.flatMap((one) => one.services)))
  await write.forgetTimes.run(db, { ids, times })
  await write.times.run(db, times)
}

export interface Patch {
  cover: StoredCover
  asked: DaysOfCover
  /** First day of the patch, counted from the first day of the cover. */
  dayIndex: number
  /** One for each class. */
  classes: readonly StartBits[]
}

const someBits = new Uint8Array(1)
const someClass: StartBits = { near: someBits, nearAll: someBits, far: [someBits, someBits, someBits], offBins: false }
const somePatch: Patch = {
  cover: { instituteId: someId, classes: '', nearFrom: 0, nearCount: 1, firstDay: '2026-05-01', dayCount: 1, coarse: false },
  asked: { fromDay: '2026-05-01', days: 1, nearFrom: 0, nearCount: 1 },
  dayIndex: 0,
  classes: [someClass, { ...someClass, nearAll: null }],
}

// An institute has as many classes as its menu needs; their parts of the text are alike.
const patch = statement(
  {
    name: 'summary.patch',
    row: {},
    open: true,
    tries: [somePatch, { ...somePatch, asked: { ...somePatch.asked, nearCount: 0 } }, { ...somePatch, classes: [] }],
  },
  ({ cover, asked, dayIndex, classes }: Patch) => {
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
    return sql`update free_time set near = ${near}, near_all = ${nearAll}, far = ${far}, coarse = ${coarse} where institute_id = ${cover.instituteId}`
  },
)
/** Replaces the bits of some days in the summary of one institute. */
export async function patchFreeTime(db: Db, change: Patch): Promise<void> {
  await patch.run(db, change)
}

const storedSummary = {
  instituteId: c.uuid,
  marked: known(c.bool),
  words: known(c.bool),
  services: known(c.text),
  freeTime: orNull(c.json(z.extend(storedCover, { near: z.string(), nearAll: z.nullable(z.string()), far: z.string() }))),
}
/** What is stored of institutes, in the form in which it is compared. */
export type StoredSummary = RowOf<typeof storedSummary>

const stored = statement(
  { name: 'summary.stored', row: storedSummary, tries: ['[]'] },
  (
    asked: string,
  ) => sql`select i.id as "instituteId", exists (select from free_time_marks m where m.institute_id = i.id) as marked, i.words = a.words::tsvector as words,
      coalesce((select string_agg(concat_ws(' ', s.service_id, s.position, s.category, s.audience, s.duration_minutes, coalesce(s.price_amount::text, '-'), s.minor_units, s.notice_minutes, s.time_class, coalesce(s.home_class::text, '-'), coalesce(s.lead::text, '-')), '|' order by s.position) from bookable_services s where s.institute_id = i.id), '') as services,
      (select json_build_object(${coverAsJson}, 'near', f.near::text, 'nearAll', f.near_all::text, 'far', f.far::text) from free_time f where f.institute_id = i.id) as "freeTime"
    from jsonb_to_recordset(${asked}::jsonb) as a(id uuid, words text) join institutes i on i.id = a.id`,
)
export const readSummaries = (db: Db, summaries: readonly InstituteSummary[]): Promise<StoredSummary[]> =>
  stored.all(db, JSON.stringify(summaries.map((one) => ({ id: one.instituteId, words: one.words }))))

interface Marking {
  after: string
  rows: number
}
/** Marks institutes by what is on their menus: no column of theirs is new, what is made of them is. */
const marking = (name: string, menu: RawBuilder<unknown>) =>
  statement(
    { name: `summary.${name}`, row: { id: c.uuid, rows: known(c.int) }, tries: [{ after: someId, rows: 1 }] },
    ({ after, rows }: Marking) => sql`with next as materialized (
        select distinct institute_id from services where ${menu} and active and institute_id > ${after} order by institute_id limit ${rows}),
      marked as (insert into free_time_marks (institute_id) select institute_id from next)
    select institute_id as id, (count(*) over ())::int as rows from next order by institute_id desc limit 1`,
  )
const markOnRequest = marking('markOnRequest', sql`price_kind = 'on_request'`)
const markAtHome = marking('markAtHome', sql`venue <> 'salon'`)
const markDearer = marking(
  'markDearer',
  sql`exists (select from member_services m where m.service_id = services.id and m.price_amount is not null)`,
)

const markedBy = (name: string, mark: typeof markOnRequest): Fill => ({
  name,
  fill: async (transaction, after, rows) => {
    const marked = await mark.one(transaction, { after: after ?? '00000000-0000-0000-0000-000000000000', rows })
    return marked && { cursor: marked.id, rows: marked.rows }
  },
})
export const summaryFills: readonly Fill[] = [
  // Services on request were in the summary before they were asked for alone.
  markedBy('0038_without_on_request', markOnRequest),
  // Times at home were not.
  markedBy('0370_times_at_home', markAtHome),
  // Whoever costs more than the menu was among anyone.
  markedBy('0379_anyone_is_nobody_dearer', markDearer),
]
