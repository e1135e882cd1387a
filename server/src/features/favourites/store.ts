/** Which institutes people marked, as it is stored. */
import { sql } from 'kysely'
import type { SelfScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, type RowOf, someId, statement } from '#/platform/statement.ts'

interface Change {
  userId: string
  instituteId: string
  /** What it shall be; null: the other of what it is. */
  favourite: boolean | null
  now: Date
}
const changeRow = { isFavourite: known(c.bool), isKnown: known(c.bool) }
/** One statement, so that two taps at once are two changes and never a failure. */
const change = statement(
  { name: 'favourites.change', row: changeRow, tries: [{ userId: someId, instituteId: someId, favourite: null, now: new Date(0) }] },
  ({ userId, instituteId, favourite, now }: Change) => sql`
    with gone as (delete from favourites where user_id = ${userId} and institute_id = ${instituteId}
        and ${favourite}::boolean is distinct from true returning institute_id),
      put as (insert into favourites (user_id, institute_id, created_at)
        select ${userId}, id, ${now} from institutes where id = ${instituteId} and state = 'published'
          and ${favourite}::boolean is distinct from false and not exists (select from gone)
        on conflict do nothing returning institute_id)
    select coalesce(${favourite}::boolean, exists (select from put)) as "isFavourite",
      exists (select from gone) or exists (select from put) or exists (select from institutes where id = ${instituteId} and state = 'published') as "isKnown"`,
)
export const changeFavourite = (db: Db, scope: SelfScope, asked: Omit<Change, 'userId'>): Promise<RowOf<typeof changeRow> | null> =>
  change.one(db, { userId: scope.userId, ...asked })

interface Page {
  userId: string
  offset: number
  limit: number
}
const list = statement(
  { name: 'favourites.list', row: { id: c.uuid, timeZone: c.text }, tries: [{ userId: someId, offset: 0, limit: 1 }] },
  ({
    userId,
    offset,
    limit,
  }: Page) => sql`select i.id, i.time_zone as "timeZone" from favourites f join institutes i on i.id = f.institute_id
    where f.user_id = ${userId} and i.state = 'published' order by f.created_at desc, f.institute_id limit ${limit} offset ${offset}`,
)
/** The last marked first; what is not published now is left out. */
export const listFavourites = (db: Db, scope: SelfScope, page: Omit<Page, 'userId'>): Promise<{ id: string; timeZone: string }[]> =>
  list.all(db, { userId: scope.userId, ...page })

const count = statement(
  { name: 'favourites.count', row: { total: known(c.int) }, tries: [someId] },
  (userId: string) => sql`select count(*)::int as total from favourites f join institutes i on i.id = f.institute_id
    where f.user_id = ${userId} and i.state = 'published'`,
)
export const countFavourites = async (db: Db, scope: SelfScope): Promise<number> => (await count.one(db, scope.userId))?.total ?? 0
