// The whole diary of one institute with its version, read as it is at one moment.
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, rowAsJson, statement } from '#/platform/statement.ts'
import { busyJson } from './diary-json.ts'
import { diaryColumns, diaryRow, takenColumns } from './store.ts'

const indexCover = z.object({
  instituteId: z.string(),
  classes: z.string(),
  nearFrom: z.int(),
  nearCount: z.int(),
  firstDay: z.string(),
  dayCount: z.int(),
  coarse: z.boolean(),
})
/** What the row of the index of free time covers: the numbers that place its bits. */
export type IndexCover = z.output<typeof indexCover>

const placeFacts = z.object({
  addressLine: z.string(),
  postalCode: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  lat: z.number(),
  lon: z.number(),
  coverUrl: z.nullable(z.string()),
})
/** What is shown of the place beside its diary. */
export type PlaceFacts = z.output<typeof placeFacts>

interface Asked {
  instituteId: string
  fromDay: string
  toDay: string
  /** What ended before is left out. */
  takenFrom: Date
}

const nobody = '00000000-0000-7000-8000-000000000000'
const asked: Asked = { instituteId: nobody, fromDay: '2026-01-01', toDay: '2026-01-02', takenFrom: new Date(0) }

const diaryState = statement(
  {
    name: 'availability.diaryState',
    row: {
      version: c.count,
      diary: known(c.json(rowAsJson(diaryRow))),
      busy: orNull(c.json(busyJson)),
      /** `[subjectId, from, to, expiresAt]`: epoch minutes, and milliseconds. */
      expiring: orNull(c.json(z.array(z.tuple([z.string(), z.int(), z.int(), z.number()])))),
      /** Seats that are held: `[sessionId, expiresAt]`. */
      heldSeats: orNull(c.json(z.array(z.tuple([z.string(), z.number()])))),
      place: known(c.json(placeFacts)),
      cover: orNull(c.json(indexCover)),
    },
    tries: [asked],
  },
  ({ instituteId, fromDay, toDay, takenFrom }: Asked) => sql`select v.version,
      (select to_json(d) from (select ${diaryColumns(fromDay, toDay, 'diaries')} from institutes i where i.id = v.institute_id) d) as diary,
      (select json_agg(b) from (select ${takenColumns} from (
          select o.subject_id, o.during from occupations o where o.institute_id = v.institute_id and o.kind <> 'leave' and o.during && tstzrange(${takenFrom}, null)
          union all select o.subject_id, o.during from soft_occupations o where o.institute_id = v.institute_id and o.during && tstzrange(${takenFrom}, null)) t
        group by t.subject_id) b) as busy,
      (select json_agg(json_build_array(o.subject_id, floor(date_part('epoch', lower(o.during)) / 60)::int, ceil(date_part('epoch', upper(o.during)) / 60)::int,
          date_part('epoch', o.expires_at) * 1000))
        from occupations o where o.institute_id = v.institute_id and o.expires_at is not null and o.during && tstzrange(${takenFrom}, null)) as expiring,
      (select json_agg(json_build_array(t.session_id, date_part('epoch', t.expires_at) * 1000)) from session_seats t
        where t.institute_id = v.institute_id and t.expires_at is not null) as "heldSeats",
      (select json_build_object('addressLine', i.address_line, 'postalCode', i.postal_code, 'phone', i.phone, 'lat', i.lat, 'lon', i.lon,
          'coverUrl', (select p.url from institute_pictures p where p.institute_id = i.id order by p.position limit 1)) from institutes i where i.id = v.institute_id) as place,
      (select json_build_object('instituteId', f.institute_id, 'classes', f.classes, 'nearFrom', f.near_from, 'nearCount', f.near_count, 'firstDay', f.first_day,
          'dayCount', f.day_count, 'coarse', f.coarse) from free_time f where f.institute_id = v.institute_id) as cover
    from diary_versions v where v.institute_id = ${instituteId}`,
)

/** The diary with everything dated from one day to another, and all that is taken from an instant on; null when there is no such institute. */
export const readDiaryState = diaryState.one

const diaryVersion = statement(
  { name: 'availability.diaryVersion', row: { version: c.count }, tries: [{ instituteId: nobody }] },
  ({ instituteId }: { instituteId: string }) => sql`select v.version from diary_versions v where v.institute_id = ${instituteId}`,
)

/** The version of a diary now; null when there is no such institute. */
export const readDiaryVersion = async (db: Db, instituteId: string): Promise<number | null> =>
  (await diaryVersion.one(db, { instituteId }))?.version ?? null

const lockedDiaries = statement(
  { name: 'availability.lockDiaries', row: {}, tries: [{ instituteIds: [nobody] }] },
  ({ instituteIds }: { instituteIds: readonly string[] }) =>
    sql`select from diary_versions v where v.institute_id = any(${instituteIds}::uuid[]) order by v.institute_id for update`,
)

/** Keeps everybody else from changing these diaries until the transaction ends. */
export const lockDiaries = (db: Db, instituteIds: readonly string[]): Promise<unknown> => lockedDiaries.all(db, { instituteIds })
