import { sql } from 'kysely'
import type { InstituteScope, SelfScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import type { Fill } from '#/platform/fills.ts'
import { c, known, type RowOf, someId, statement } from '#/platform/statement.ts'
import { waitingPurposes } from './purposes.ts'

export interface Variant {
  size: number
  width: number
  height: number
  bytes: number
}

export interface NewFile {
  key: string
  purpose: string
  kind: 'image' | 'document'
  mediaType: string
  name: string | null
  bytes: number
  width: number | null
  height: number | null
  isPrivate: boolean
  variants: Variant[]
}

const ownerOf = (scope: SelfScope | InstituteScope<never>) => ({
  user_id: scope.kind === 'self' ? scope.userId : null,
  institute_id: scope.kind === 'institute' ? scope.instituteId : null,
})

/** Notes a file before its bytes are put, so that none are ever there without a row. */
export async function insertFile(db: Db, scope: SelfScope | InstituteScope<never>, file: NewFile, now: Date): Promise<string> {
  const { id } = await db
    .insertInto('files')
    .values({
      ...ownerOf(scope),
      key: file.key,
      purpose: file.purpose,
      kind: file.kind,
      media_type: file.mediaType,
      name: file.name,
      bytes: file.bytes,
      width: file.width,
      height: file.height,
      private: file.isPrivate,
      variants: JSON.stringify(file.variants),
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** From now on the file is kept; false when it waited too long and was dropped. */
export async function markUsed(db: Db, scope: SelfScope | InstituteScope<never>, id: string): Promise<boolean> {
  const { user_id: userId, institute_id: instituteId } = ownerOf(scope)
  const made = await db
    .updateTable('files')
    .set({ state: 'used' })
    .where('id', '=', id)
    .where('state', '=', 'arriving')
    .where(userId === null ? 'institute_id' : 'user_id', '=', userId ?? instituteId)
    .executeTakeFirst()
  return made.numUpdatedRows === 1n
}

export async function markDropped(db: Db, scope: SelfScope | InstituteScope<never>, key: string): Promise<void> {
  const { user_id: userId, institute_id: instituteId } = ownerOf(scope)
  await db
    .updateTable('files')
    .set({ state: 'dropped' })
    .where('key', '=', key)
    .where(userId === null ? 'institute_id' : 'user_id', '=', userId ?? instituteId)
    .execute()
}

const removable = { key: c.text, sizes: known(c.list(c.int)) }
export type Removable = RowOf<typeof removable>

interface Due {
  before: Date
  /** For those that wait in a draft. */
  draftsBefore: Date
  most: number
}
const toRemove = statement(
  {
    name: 'files.toRemove',
    row: removable,
    tries: [{ before: new Date(0), draftsBefore: new Date(0), most: 1 }],
  },
  // Dropped first, so that nobody can use what is about to go.
  ({ before, draftsBefore, most }: Due) => sql`with gone as (
      select id from files
      where (state <> 'used' or (user_id is null and institute_id is null))
        and (state <> 'arriving' or created_at < case when purpose = any(${[...waitingPurposes]}::text[]) then ${draftsBefore}::timestamptz else ${before}::timestamptz end)
      order by created_at limit ${most} for update skip locked)
    update files f set state = 'dropped' from gone where f.id = gone.id
    returning f.key, array(select (v ->> 'size')::int from jsonb_array_elements(coalesce(f.variants, '[]')) v) as sizes`,
)
/** Files nobody needs: dropped ones, those whose owner is gone, and those that arrived before `before` and were never used. */
export const findRemovable = (db: Db, _system: SystemScope, due: Due): Promise<Removable[]> => toRemove.all(db, due)

export interface GivenFile {
  id: string
  ownerId: string
  instituteId: string
  purpose: string
}
/** A picture that somebody sent is an institute's from now on; its key, or null when they have no such picture. */
export const passFile = async (db: Db, _system: SystemScope, { id, ownerId, instituteId, purpose }: GivenFile): Promise<string | null> =>
  (
    await db
      .updateTable('files')
      .set({ state: 'used', user_id: null, institute_id: instituteId })
      .where('id', '=', id)
      .where('user_id', '=', ownerId)
      .where('purpose', '=', purpose)
      .where('state', '<>', 'dropped')
      .returning('key')
      .executeTakeFirst()
  )?.key ?? null

/** Whether pictures of a draft are kept for good or wait to be used again; how many are theirs. */
export async function setWaiting(
  db: Db,
  _system: SystemScope,
  ownerId: string,
  ids: readonly string[],
  isWaiting: boolean,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('files')
    .set({ state: isWaiting ? 'arriving' : 'used' })
    .where('id', 'in', ids)
    .where('user_id', '=', ownerId)
    .where('purpose', 'in', waitingPurposes)
    .where('state', '<>', 'dropped')
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

const dropOldest = statement(
  { name: 'files.dropOldest', row: {}, tries: [{ userId: someId, most: 1 }] },
  ({ userId, most }: { userId: string; most: number }) => sql`update files set state = 'dropped' where id in (
    select id from files where user_id = ${userId} and state = 'arriving' and purpose = any(${[...waitingPurposes]}::text[])
    order by created_at desc, id desc offset ${most})`,
)
/** Of pictures that wait in a draft the newest stay. */
export const dropOldestWaiting = async (db: Db, scope: SelfScope, most: number): Promise<void> =>
  void (await dropOldest.run(db, { userId: scope.userId, most }))

/** After its bytes are gone. */
export async function deleteFile(db: Db, _system: SystemScope, key: string): Promise<void> {
  await db.deleteFrom('files').where('key', '=', key).where('state', '=', 'dropped').execute()
}

/** A private file in use: what it is called. */
export async function findUsed(
  db: Db,
  _system: SystemScope,
  key: string,
): Promise<{ kind: 'image' | 'document'; name: string | null } | null> {
  const found = await db.selectFrom('files').select(['kind', 'name']).where('key', '=', key).where('state', '=', 'used').executeTakeFirst()
  return found ?? null
}

/** Pictures of before, whose smaller sizes have not been made. */
export const findWithoutVariants = (db: Db, _system: SystemScope, most: number): Promise<{ key: string; purpose: string }[]> =>
  db.selectFrom('files').select(['key', 'purpose']).where('variants', 'is', null).orderBy('id').limit(most).execute()

export async function setVariants(db: Db, _system: SystemScope, key: string, variants: Variant[]): Promise<void> {
  await db
    .updateTable('files')
    .set({ variants: JSON.stringify(variants) })
    .where('key', '=', key)
    .where('variants', 'is', null)
    .execute()
}

const adopted = statement(
  { name: 'files.adoptPictures', row: { id: c.uuid, rows: known(c.int) }, tries: [{ after: null, only: null, most: 1 }] },
  ({ after, only, most }: { after: string | null; only: string | null; most: number }) => sql`with next as (
      select id, image_key from users
      where image_key is not null and (${after}::uuid is null or id > ${after}) and (${only}::uuid is null or id = ${only})
      order by id limit ${most}),
    adopted as (
      insert into files (key, user_id, purpose, kind, media_type, width, height, private, state)
      select image_key, id, 'profile_picture', 'image', 'image/webp', 512, 512, false, 'used' from next
      on conflict do nothing)
    select id, (count(*) over ())::int as rows from next order by id desc limit 1`,
)
/** Profile pictures of before the table: all are squares of 512 pixels, their smaller sizes are made by `tidy_files`. */
export const adoptPictures: Fill = {
  name: '0018_pictures_adopted',
  async fill(transaction, after, most) {
    const last = await adopted.one(transaction, { after, only: null, most })
    return last && { cursor: last.id, rows: last.rows }
  },
}
/** The picture of one person, when the fill has not come to it yet. */
export const adoptPictureOf = async (transaction: Db, scope: SelfScope): Promise<void> =>
  void (await adopted.one(transaction, { after: null, only: scope.userId, most: 1 }))
