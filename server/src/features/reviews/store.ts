/** Reviews as they are stored. The averages of an institute are kept by triggers, in the transaction of whatever changes its reviews. */
import { type ReviewOrder, reviewOrders } from '@soigne/contract/reviews'
import { type Locale, locales } from '@soigne/contract/wire'
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import type { InstituteScope, PublicScope, SelfScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import type { Fill } from '#/platform/fills.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

const localizedText = z.partialRecord(z.enum(locales), z.string())
const reviewRow = {
  id: c.uuid,
  appointmentId: c.uuid,
  instituteId: c.uuid,
  author: orNull(c.text),
  language: c.oneOf(locales),
  welcoming: c.int,
  hygiene: c.int,
  atmosphere: c.int,
  serviceQuality: c.int,
  text: c.text,
  state: c.oneOf(['shown', 'hidden']),
  reply: orNull(c.text),
  repliedAt: orNull(c.instant),
  createdAt: c.instant,
  services: known(c.json(z.array(z.object({ name: localizedText, staffName: z.string() })))),
  pictures: known(c.json(z.array(z.object({ key: z.string(), width: z.int(), height: z.int() })))),
}
export type ReviewRow = RowOf<typeof reviewRow>

const columns = sql`r.id, r.appointment_id as "appointmentId", r.institute_id as "instituteId", r.author, r.language, r.welcoming, r.hygiene, r.atmosphere, r.service_quality as "serviceQuality",
  r.text, r.state, r.reply, r.replied_at as "repliedAt", r.created_at as "createdAt",
  (select coalesce(json_agg(json_build_object('name', s.snapshot->'name', 'staffName', m.name) order by s.position), '[]')
    from segments s join team_members m on m.id = s.member_id where s.appointment_id = r.appointment_id) as services,
  (select coalesce(json_agg(json_build_object('key', p.key, 'width', p.width, 'height', p.height) order by p.position), '[]')
    from review_pictures p where p.review_id = r.id) as pictures`

const averagesRow = {
  id: c.uuid,
  count: c.int,
  average: orNull(c.float),
  welcoming: orNull(c.float),
  hygiene: orNull(c.float),
  atmosphere: orNull(c.float),
  serviceQuality: orNull(c.float),
}
export type AveragesRow = RowOf<typeof averagesRow>
const averages = statement(
  { name: 'reviews.averages', row: averagesRow, tries: ['a'] },
  (slug: string) => sql`select i.id, i.rating_count as count,
      round((i.average_welcoming + i.average_hygiene + i.average_atmosphere + i.average_service_quality) / 4, 2)::float8 as average,
      i.average_welcoming as welcoming, i.average_hygiene as hygiene, i.average_atmosphere as atmosphere, i.average_service_quality as "serviceQuality"
    from institutes i where i.state = 'published' and i.id = coalesce(
      (select id from institutes where slug = ${slug}), (select institute_id from former_slugs where slug = ${slug}))`,
)

/** The averages of a published institute; a slug it had before leads to it too. */
export const averagesOf = (db: Db, _scope: PublicScope, slug: string): Promise<AveragesRow | null> => averages.one(db, slug)

const countRow = { stars: known(c.int), language: c.oneOf(locales), withPictures: known(c.bool), count: known(c.int) }
const counts = statement(
  { name: 'reviews.counts', row: countRow, tries: [someId] },
  (instituteId: string) => sql`select r.stars, r.language, p.review_id is not null as "withPictures", count(*)::int as count
    from reviews r left join review_pictures p on p.review_id = r.id and p.position = 0
    where r.institute_id = ${instituteId} and r.state = 'shown' group by 1, 2, 3`,
)
export type CountRow = RowOf<typeof countRow>
/** How many there are of each kind: from these every count of the page is made. */
export const countsOf = (db: Db, _scope: PublicScope, instituteId: string): Promise<CountRow[]> => counts.all(db, instituteId)

export interface Filters {
  stars: number | null
  withPictures: boolean
  language: Locale | null
}
interface Page extends Filters {
  instituteId: string
  sort: ReviewOrder
  offset: number
  limit: number
}
const sum = sql`r.welcoming + r.hygiene + r.atmosphere + r.service_quality`
const orders: Record<ReviewOrder, RawBuilder<unknown>> = {
  newest: sql`r.created_at desc, r.id desc`,
  highest: sql`${sum} desc, r.created_at desc, r.id desc`,
  lowest: sql`${sum}, r.created_at desc, r.id desc`,
}
const somePage: Page = { instituteId: someId, stars: null, withPictures: false, language: null, sort: 'newest', offset: 0, limit: 1 }
const list = statement(
  { name: 'reviews.list', row: reviewRow, tries: () => reviewOrders.map((sort) => ({ ...somePage, sort })) },
  ({ instituteId, stars, withPictures, language, sort, offset, limit }: Page) => sql`select ${columns} from reviews r
    where r.institute_id = ${instituteId} and r.state = 'shown' and (${stars}::int is null or r.stars = ${stars}::int)
      and (${language}::text is null or r.language = ${language}::text)
      and (not ${withPictures}::boolean or exists (select from review_pictures p where p.review_id = r.id))
    order by ${orders[sort]} limit ${limit} offset ${offset}`,
)

export const listReviews = (db: Db, _scope: PublicScope, page: Page): Promise<ReviewRow[]> => list.all(db, page)

const ofVisit = statement(
  { name: 'reviews.ofVisit', row: reviewRow, tries: [{ appointmentId: someId, userId: someId }] },
  ({ appointmentId, userId }: { appointmentId: string; userId: string }) =>
    sql`select ${columns} from reviews r where r.appointment_id = ${appointmentId} and r.user_id = ${userId}`,
)
export const reviewOfVisit = (db: Db, scope: SelfScope, appointmentId: string): Promise<ReviewRow | null> =>
  ofVisit.one(db, { appointmentId, userId: scope.userId })

const authorRow = { firstName: c.text, lastName: c.text, isOfTeam: known(c.bool) }
const author = statement(
  { name: 'reviews.author', row: authorRow, tries: [{ userId: someId, instituteId: someId }] },
  ({ userId, instituteId }: { userId: string; instituteId: string }) => sql`select u.first_name as "firstName", u.last_name as "lastName",
      exists (select from institute_people p where p.institute_id = ${instituteId} and p.user_id = u.id)
        or exists (select from institutes i where i.id = ${instituteId} and i.owner_id = u.id)
        or exists (select from team_members m where m.institute_id = ${instituteId} and m.user_id = u.id) as "isOfTeam"
    from users u where u.id = ${userId}`,
)
export const authorOf = (db: Db, scope: SelfScope, instituteId: string): Promise<RowOf<typeof authorRow> | null> =>
  author.one(db, { userId: scope.userId, instituteId })

export interface NewReview {
  appointmentId: string
  instituteId: string
  author: string
  language: Locale
  welcoming: number
  hygiene: number
  atmosphere: number
  serviceQuality: number
  text: string
  now: Date
}
const someNew: NewReview & { userId: string } = {
  userId: someId,
  appointmentId: someId,
  instituteId: someId,
  author: 'A.',
  language: 'en',
  welcoming: 1,
  hygiene: 1,
  atmosphere: 1,
  serviceQuality: 1,
  text: '',
  now: new Date(0),
}
const insert = statement(
  { name: 'reviews.insert', row: { id: c.uuid }, tries: [someNew] },
  ({ userId, ...one }: NewReview & { userId: string }) => sql`
    insert into reviews (appointment_id, institute_id, user_id, author, language, welcoming, hygiene, atmosphere, service_quality, text, created_at)
    values (${one.appointmentId}, ${one.instituteId}, ${userId}, ${one.author}, ${one.language}, ${one.welcoming}, ${one.hygiene}, ${one.atmosphere}, ${one.serviceQuality},
      ${one.text}, ${one.now}) on conflict (appointment_id) do nothing returning id`,
)
/** The id; null when the visit has its review already. */
export const insertReview = async (db: Db, scope: SelfScope, one: NewReview): Promise<string | null> =>
  (await insert.one(db, { userId: scope.userId, ...one }))?.id ?? null

export interface NewPicture {
  key: string
  width: number
  height: number
}
interface Pictures {
  reviewId: string
  pictures: readonly NewPicture[]
}
const putPictures = statement(
  { name: 'reviews.putPictures', row: {}, tries: [{ reviewId: someId, userId: someId, pictures: [] }] },
  ({ reviewId, userId, pictures }: Pictures & { userId: string }) => sql`
    insert into review_pictures (review_id, position, institute_id, key, width, height)
    select r.id, p.position, r.institute_id, p.key, p.width, p.height
    from reviews r, json_to_recordset(${JSON.stringify(pictures.map((one, position) => ({ ...one, position })))}::json) as p(position int, key text, width int, height int)
    where r.id = ${reviewId} and r.user_id = ${userId}`,
)
/** Of a review of one's own. */
export async function insertPictures(db: Db, scope: SelfScope, asked: Pictures): Promise<void> {
  if (asked.pictures.length > 0) await putPictures.run(db, { ...asked, userId: scope.userId })
}

const byId = statement(
  { name: 'reviews.byId', row: reviewRow, tries: [{ id: someId, instituteId: someId }] },
  ({ id, instituteId }: { id: string; instituteId: string }) =>
    sql`select ${columns} from reviews r where r.id = ${id} and r.institute_id = ${instituteId}`,
)
export const reviewOfInstitute = (db: Db, scope: InstituteScope<'reviews.answer'>, id: string): Promise<ReviewRow | null> =>
  byId.one(db, { id, instituteId: scope.instituteId })

interface Reply {
  id: string
  instituteId: string
  text: string
  now: Date
}
const repliedRow = { appointmentId: c.uuid, wasReplied: known(c.bool) }
const reply = statement(
  { name: 'reviews.reply', row: repliedRow, tries: [{ id: someId, instituteId: someId, text: 'a', now: new Date(0) }] },
  ({ id, instituteId, text, now }: Reply) => sql`
    with before as (select id, reply is not null as replied from reviews where id = ${id} and institute_id = ${instituteId} and state = 'shown' for no key update)
    update reviews r set reply = ${text}, replied_at = ${now} from before where r.id = before.id
    returning r.appointment_id as "appointmentId", before.replied as "wasReplied"`,
)
/** Null when it is not a review of theirs that is shown. */
export const setReply = (
  db: Db,
  scope: InstituteScope<'reviews.answer'>,
  asked: Omit<Reply, 'instituteId'>,
): Promise<RowOf<typeof repliedRow> | null> => reply.one(db, { instituteId: scope.instituteId, ...asked })

export interface NewReport {
  id: string
  reason: string
  note: string
  now: Date
}
interface Report extends NewReport {
  userId: string | null
  /** Of whose reviews; null for any. */
  instituteId: string | null
}
const report = statement(
  {
    name: 'reviews.report',
    row: { isKnown: known(c.bool) },
    tries: [{ id: someId, userId: null, instituteId: null, reason: 'other', note: '', now: new Date(0) }],
  },
  ({ id, userId, instituteId, reason, note, now }: Report) => sql`
    with named as (select id, institute_id from reviews where id = ${id} and state = 'shown' and (${instituteId}::uuid is null or institute_id = ${instituteId}::uuid)),
      put as (insert into review_reports (review_id, institute_id, user_id, is_contest, reason, note, created_at)
        select id, institute_id, ${userId}, ${instituteId}::uuid is not null, ${reason}, ${note}, ${now} from named on conflict do nothing)
    select exists (select from named) as "isKnown"`,
)
/** False when there is no such review. */
export const insertReport = async (db: Db, scope: SelfScope, one: NewReport): Promise<boolean> =>
  (await report.one(db, { ...one, userId: scope.userId, instituteId: null }))?.isKnown ?? false
export const insertContest = async (db: Db, scope: InstituteScope<'reviews.answer'>, one: NewReport): Promise<boolean> =>
  (await report.one(db, { ...one, userId: 'userId' in scope.actor ? scope.actor.userId : null, instituteId: scope.instituteId }))
    ?.isKnown ?? false

const openRow = {
  reviewId: c.uuid,
  institute: c.text,
  author: orNull(c.text),
  text: c.text,
  reports: known(c.json(z.array(z.object({ reason: z.string(), note: z.string(), isContest: z.boolean() })))),
}
export type OpenReport = RowOf<typeof openRow>
const open = statement(
  { name: 'reviews.openReports', row: openRow },
  () => sql`select r.id as "reviewId", i.name as institute, r.author, r.text,
      json_agg(json_build_object('reason', p.reason, 'note', p.note, 'isContest', p.is_contest) order by p.created_at, p.id) as reports
    from review_reports p join reviews r on r.id = p.review_id join institutes i on i.id = r.institute_id
    where p.decision is null group by r.id, i.name order by min(p.created_at)`,
)
/** Reviews that wait for a decision, the longest first. */
export const listOpenReports = (db: Db, _scope: SystemScope): Promise<OpenReport[]> => open.all(db)

interface Decision {
  id: string
  decision: 'kept' | 'hidden'
  now: Date
}
const decide = statement(
  { name: 'reviews.decide', row: { instituteId: c.uuid }, tries: [{ id: someId, decision: 'kept', now: new Date(0) }] },
  ({ id, decision, now }: Decision) => sql`
    with closed as (update review_reports set decision = ${decision}, decided_at = ${now} where review_id = ${id} and decision is null)
    update reviews set state = case when ${decision} = 'hidden' then 'hidden' else 'shown' end where id = ${id} returning institute_id as "instituteId"`,
)
/** The institute of the review; null when there is none. */
export const decideReview = async (db: Db, _scope: SystemScope, asked: Decision): Promise<string | null> =>
  (await decide.one(db, asked))?.instituteId ?? null

const clear = statement(
  { name: 'reviews.clearInvented', row: { id: c.uuid, rows: known(c.int) }, tries: [{ after: someId, rows: 1 }] },
  ({ after, rows }: { after: string; rows: number }) => sql`
    with next as materialized (select id from institutes where id > ${after} order by id limit ${rows}),
      cleared as (update institutes i set rating_count = 0, average_welcoming = null, average_hygiene = null, average_atmosphere = null, average_service_quality = null
        from next where i.id = next.id and i.rating_count > 0 and not exists (select from reviews r where r.institute_id = i.id and r.state = 'shown'))
    select id, (count(*) over ())::int as rows from next order by id desc limit 1`,
)
/** Figures of before there were reviews are nobody's. */
export const ratingsOfNobody: Fill = {
  name: '0070_ratings_of_nobody',
  rowsAtOnce: 1000,
  fill: async (transaction, after, rows) => {
    const cleared = await clear.one(transaction, { after: after ?? '00000000-0000-0000-0000-000000000000', rows })
    return cleared && { cursor: cleared.id, rows: cleared.rows }
  },
}
