import { sql } from 'kysely'
import type { PublicScope, SelfScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'
import type { DraftRows, InstituteColumns } from './draft-rows.ts'

const standing = { role: c.oneOf(['isClient', 'isPro']), ownsInstitute: known(c.bool), claimId: orNull(c.uuid) }
const stand = statement(
  { name: 'setup.standing', row: standing, tries: [someId] },
  (userId: string) => sql`select u.role, exists (select from institutes i where i.owner_id = u.id) as "ownsInstitute",
      (select q.id from institute_claims q where q.user_id = u.id and q.state = 'waiting') as "claimId"
    from users u where u.id = ${userId}`,
)
/** What decides whether somebody may set up an institute. */
export const standingOf = (db: Db, scope: SelfScope): Promise<RowOf<typeof standing> | null> => stand.one(db, scope.userId)

const columns: readonly (keyof InstituteColumns)[] = [
  'name',
  'description',
  'categories',
  'phone',
  'address_line',
  'quarter',
  'postal_code',
  'city',
  'country_code',
  'lat',
  'lon',
  'time_zone',
  'currency',
  'at_home',
  'at_home_radius_km',
  'audience',
  'languages',
  'payment_methods',
  'pay_at_salon',
  'cancel_window_minutes',
  'reschedule_window_minutes',
  'deposit_kind',
  'deposit_amount',
  'deposit_percent',
]
const names = sql.raw(columns.join(', '))

interface NewInstitute {
  slug: string
  ownerId: string
  columns: string
  now: Date
}
const insert = statement(
  { name: 'setup.insertInstitute', row: { id: c.uuid }, tries: [{ slug: 'a', ownerId: someId, columns: '{}', now: new Date(0) }] },
  ({
    slug,
    ownerId,
    columns,
    now,
  }: NewInstitute) => sql`insert into institutes (slug, owner_id, state, claimed, created_at, published_at, ${names})
    select ${slug}, ${ownerId}, 'published', true, ${now}, ${now}, ${names} from json_populate_record(null::institutes, ${columns}::json)
    where not exists (select from former_slugs where slug = ${slug}) on conflict do nothing returning id`,
)
/** The id of a published institute of theirs; null when the slug is taken, or they own one. */
export const insertInstitute = async (
  db: Db,
  scope: SelfScope,
  { slug, columns: facts, now }: { slug: string; columns: InstituteColumns; now: Date },
): Promise<string | null> => (await insert.one(db, { slug, ownerId: scope.userId, columns: JSON.stringify(facts), now }))?.id ?? null

interface Taken {
  instituteId: string
  ownerId: string
  columns: string
}
const take = statement(
  { name: 'setup.takeListed', row: { slug: c.text }, tries: [{ instituteId: someId, ownerId: someId, columns: '{}' }] },
  ({ instituteId, ownerId, columns }: Taken) => sql`update institutes i set owner_id = ${ownerId}, claimed = true, (${names}) =
      (select ${names} from json_populate_record(null::institutes, ${columns}::json))
    where i.id = ${instituteId} and not i.claimed and i.state = 'published' and i.owner_id is null
      and not exists (select from institutes o where o.owner_id = ${ownerId}) returning i.slug`,
)
/** Gives a listed institute to its owner with what they told; false when it is not listed any more, or they own another. */
export const takeListed = async (
  db: Db,
  _system: SystemScope,
  { instituteId, ownerId, columns: facts }: { instituteId: string; ownerId: string; columns: InstituteColumns },
): Promise<boolean> => (await take.one(db, { instituteId, ownerId, columns: JSON.stringify(facts) })) !== null

const columnsOf: Readonly<Record<keyof DraftRows, string>> = {
  opening_hours: 'institute_id, weekday, opens_at, closes_at',
  institute_pictures: 'id, institute_id, position, url, alt',
  services:
    'id, institute_id, position, category, section, name, description, active_minutes, idle_minutes, active_after_minutes, buffer_before_minutes, buffer_after_minutes, is_sequential, minimum_age, price_kind, price_amount, audience, active',
  service_prerequisites: 'service_id, institute_id, required_service_id, min_hours, max_months',
  team_members: 'id, institute_id, user_id, position, name, title, bio, languages, image_url, bookable_online, active',
  member_services: 'member_id, service_id, institute_id',
  rotas: 'id, institute_id, member_id, weeks, anchor_day',
  rota_shifts: 'rota_id, institute_id, week, weekday, opens_at, closes_at, breaks',
}
const writers = Object.entries(columnsOf).map(([table, list]) => ({
  table: table as keyof DraftRows,
  write: statement(
    { name: `setup.write.${table}`, row: {}, tries: [{ rows: '[]', instituteId: someId }] },
    ({ rows, instituteId }: { rows: string; instituteId: string }) => sql`insert into ${sql.table(table)} (${sql.raw(list)})
      select ${sql.raw(list)} from json_populate_recordset(null::${sql.table(table)}, ${rows}::json) where institute_id = ${instituteId}`,
  ),
}))

const clearHours = statement(
  { name: 'setup.clearHours', row: {}, tries: [someId] },
  (instituteId: string) => sql`delete from opening_hours where institute_id = ${instituteId}`,
)
const clearPictures = statement(
  { name: 'setup.clearPictures', row: {}, tries: [someId] },
  (instituteId: string) => sql`delete from institute_pictures where institute_id = ${instituteId}`,
)
const setLogo = statement(
  { name: 'setup.setLogo', row: {}, tries: [{ instituteId: someId, logo: null }] },
  ({ instituteId, logo }: { instituteId: string; logo: string | null }) =>
    sql`update institutes set logo_url = ${logo} where id = ${instituteId} and logo_url is distinct from ${logo}`,
)
const tieOwner = statement(
  { name: 'setup.tieOwner', row: {}, tries: [{ instituteId: someId, ownerId: someId }] },
  ({ instituteId, ownerId }: { instituteId: string; ownerId: string }) => sql`update institute_people p set member_id = m.id
    from team_members m where m.institute_id = ${instituteId} and m.user_id = ${ownerId} and p.institute_id = m.institute_id and p.user_id = m.user_id`,
)

const owned = statement(
  { name: 'setup.owned', row: { id: c.uuid }, tries: [{ instituteId: someId, ownerId: someId }] },
  ({ instituteId, ownerId }: { instituteId: string; ownerId: string }) =>
    sql`select id from institutes where id = ${instituteId} and owner_id = ${ownerId}`,
)
/** Everything below the row of an institute that had none of it but hours of open data. @throws for one that is not the owner's */
export async function writeRows(
  db: Db,
  scope: SelfScope | SystemScope,
  { instituteId, rows, logo, ...asked }: { instituteId: string; ownerId: string; rows: DraftRows; logo: string | null },
): Promise<void> {
  const ownerId = scope.kind === 'self' ? scope.userId : asked.ownerId
  if (!(await owned.one(db, { instituteId, ownerId }))) throw new Error(`institute ${instituteId} is somebody else's`)
  await clearHours.run(db, instituteId)
  await clearPictures.run(db, instituteId)
  for (const { table, write } of writers)
    if (rows[table].length > 0) await write.run(db, { rows: JSON.stringify(rows[table]), instituteId })
  await setLogo.run(db, { instituteId, logo })
  await tieOwner.run(db, { instituteId, ownerId })
}

const listed = {
  id: c.uuid,
  name: c.text,
  categories: c.list(c.text),
  phone: orNull(c.text),
  addressLine: c.text,
  quarter: orNull(c.text),
  postalCode: orNull(c.text),
  city: c.text,
  countryCode: c.text,
  lat: c.float,
  lon: c.float,
  hours: known(c.json<{ weekday: number; opensAt: number; closesAt: number }[]>()),
  attribution: orNull(c.text),
}
export type ListedRow = RowOf<typeof listed>
const near = statement(
  { name: 'setup.listedNear', row: listed, tries: [{ name: 'a', lat: 0, lon: 0, metres: 1, most: 1 }] },
  ({ name, lat, lon, metres, most }: { name: string; lat: number; lon: number; metres: number; most: number }) => sql`
    select i.id, i.name, i.categories, i.phone, i.address_line as "addressLine", i.quarter, i.postal_code as "postalCode", i.city,
      i.country_code as "countryCode", i.lat, i.lon,
      coalesce((select json_agg(json_build_object('weekday', h.weekday, 'opensAt', h.opens_at, 'closesAt', h.closes_at) order by h.weekday, h.opens_at)
        from opening_hours h where h.institute_id = i.id), '[]'::json) as hours,
      (select string_agg(distinct l.attribution, ', ') from listings l where l.institute_id = i.id and l.gone_at is null) as attribution
    from institutes i
    where i.state = 'published' and not i.claimed and i.owner_id is null
      and earth_box(ll_to_earth(${lat}::float8, ${lon}::float8), ${metres}::float8) @> ll_to_earth(i.lat, i.lon)
      and similarity(lower(i.name), lower(${name}::text)) > 0.35
    order by similarity(lower(i.name), lower(${name}::text)) desc, i.id limit ${most}`,
)
/** Listed institutes that nobody manages, near a point and of a like name. */
export const listedNear = (
  db: Db,
  _scope: PublicScope,
  asked: { name: string; lat: number; lon: number; metres: number; most: number },
): Promise<ListedRow[]> => near.all(db, asked)
