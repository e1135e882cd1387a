/** The list of an institute's clients: found by name, phone or email, with what their visits come to. */
import type { customerFilters, customerSorts } from '@soigne/contract/customers'
import { awayDays, regularVisits } from '@soigne/contract/customers'
import { dayMs } from '@soigne/contract/time'
import { type RawBuilder, sql } from 'kysely'
import type { InstituteScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

export type CustomerSort = (typeof customerSorts)[number]
export type CustomerFilter = (typeof customerFilters)[number]

/** What visits of a record come to: what somebody came to counts, held and cancelled ones do not. */
export const visitFigures = {
  visits: known(c.int),
  spend: known(c.count),
  noShows: known(c.int),
  lastVisitAt: orNull(c.instant),
  nextVisitAt: orNull(c.instant),
}
/** Of visits `a` of one record, grouped. */
export const figuresOfVisits = (now: Date): RawBuilder<unknown> => {
  const came = sql`a.attendance <> 'no_show' and (a.attendance = 'done' or a.ends_at <= ${now})`
  return sql`count(*) filter (where ${came})::int as visits, coalesce(sum(a.total_amount) filter (where ${came}), 0)::bigint as spend,
    count(*) filter (where a.attendance = 'no_show')::int as no_shows, max(a.starts_at) filter (where ${came}) as last_at,
    min(a.starts_at) filter (where a.attendance = 'expected' and a.ends_at > ${now}) as next_at`
}
/** Visits that count: neither held nor cancelled. The column alone is named first, so that the planner knows how many there are. */
export const isVisit = sql`(a.life = 'booked' or a.life is null and life_of_status(a.status) = 'booked')`

const listed = {
  id: c.uuid,
  firstName: c.text,
  lastName: c.text,
  phone: orNull(c.text),
  email: orNull(c.text),
  imageKey: orNull(c.text),
  tags: c.list(c.text),
  isBlocked: known(c.bool),
  ...visitFigures,
  total: known(c.count),
}
export type ListedCustomer = RowOf<typeof listed>

interface Asked {
  instituteId: string
  /** The folded words of a name, parts of an email, and the digits of a number without what is dialled before them. */
  search: { words: string; email: string; digits: string } | null
  sort: CustomerSort
  filter: CustomerFilter | null
  tag: string | null
  now: Date
  offset: number
  limit: number
}

const orders: Record<CustomerSort, RawBuilder<unknown>> = {
  name: sql`k.words, k.id`,
  recent: sql`coalesce(v.last_at, k.created_at) desc, k.id`,
  next: sql`v.next_at nulls last, v.last_at desc nulls last, k.id`,
  visits: sql`coalesce(v.visits, 0) desc, k.words, k.id`,
  spend: sql`coalesce(v.spend, 0) desc, k.words, k.id`,
}
const filters: Record<CustomerFilter, (now: Date) => RawBuilder<unknown>> = {
  new: () => sql`coalesce(v.visits, 0) <= 1`,
  regular: () => sql`v.visits >= ${regularVisits}`,
  away: (now) => sql`v.last_at < ${new Date(now.getTime() - awayDays * dayMs)} and v.next_at is null`,
  noShows: () => sql`v.no_shows > 0`,
  blocked: () => sql`k.blocked_at is not null`,
}
/** Rows that no fill has come to yet have no words. */
export const nameWords = sql`coalesce(k.words, fold_name(k.first_name || ' ' || k.last_name))`
const like = (part: string): string => `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`
/** Every word of the name begins a word of the record's, or the number or the email contains what was typed. */
const found = ({ words, email, digits }: NonNullable<Asked['search']>): RawBuilder<unknown> => sql`(
    (${words} <> '' and (select bool_and(' ' || ${nameWords} like '%' || word || '%') from unnest(string_to_array(${words}, ' ')) word))
    or (${email} <> '' and k.email::text ilike ${like(email)})
    or (${digits} <> '' and k.phone_key like ${`%${digits}%`}))`

const list = statement(
  {
    name: 'customers.list',
    row: listed,
    tries: () => {
      const search = { words: 'a', email: 'a', digits: '1' }
      const one: Asked = { instituteId: someId, search: null, sort: 'name', filter: null, tag: null, now: new Date(0), offset: 0, limit: 1 }
      const sorts = Object.keys(orders) as CustomerSort[]
      const narrowed = [null, ...(Object.keys(filters) as CustomerFilter[])]
      return sorts.flatMap((sort) =>
        narrowed.flatMap((filter) =>
          [null, search].flatMap((asked) => [null, 'a'].map((tag) => ({ ...one, sort, filter, search: asked, tag }))),
        ),
      )
    },
  },
  ({ instituteId, search, sort, filter, tag, now, offset, limit }: Asked) => {
    // By name alone the page is known before any visit is counted.
    const page = sort === 'name' && filter === null
    const slice = sql`offset ${offset} limit ${limit}`
    const ids = page ? sql`p` : sql`k`
    return sql`
    with k as (select k.id, k.user_id, k.first_name, k.last_name, k.phone, k.email, k.tags, k.blocked_at, k.created_at, ${nameWords} as words from customers k
        where k.institute_id = ${instituteId} and k.merged_into is null ${tag === null ? sql`` : sql`and ${tag} = any(k.tags)`}
          ${search ? sql`and ${found(search)}` : sql``}),
      p as (select k.*, count(*) over () as total from k ${page ? sql`order by ${orders.name} ${slice}` : sql``}),
      v as (select a.customer_id, ${figuresOfVisits(now)} from appointments a
        where a.institute_id = ${instituteId} and ${isVisit} ${page || search ? sql`and a.customer_id in (select id from ${ids})` : sql``} group by a.customer_id)
    select k.id, k.first_name as "firstName", k.last_name as "lastName", nullif(k.phone, '') as phone, k.email::text as email, u.image_key as "imageKey",
      k.tags, k.blocked_at is not null as "isBlocked", coalesce(v.visits, 0) as visits, coalesce(v.spend, 0) as spend, coalesce(v.no_shows, 0) as "noShows",
      v.last_at as "lastVisitAt", v.next_at as "nextVisitAt", ${filter ? sql`count(*) over ()` : sql`k.total`} as total
    from p k left join v on v.customer_id = k.id left join users u on u.id = k.user_id
    ${filter ? sql`where ${filters[filter](now)}` : sql``} order by ${orders[sort]} ${page ? sql`` : slice}`
  },
)
/** A page of the clients; `total` of each row counts all pages. */
export const listCustomers = (
  db: Db,
  scope: InstituteScope<'customers.read'>,
  asked: Omit<Asked, 'instituteId'>,
): Promise<ListedCustomer[]> => list.all(db, { instituteId: scope.instituteId, ...asked })

const about = { timeZone: c.text, currency: c.text, countryCode: c.text }
const ofInstitute = statement(
  { name: 'customers.institute', row: about, tries: [someId] },
  (id: string) => sql`select time_zone as "timeZone", currency, country_code as "countryCode" from institutes where id = ${id}`,
)
/** What its clients' times, sums and numbers are told in. */
export async function readInstitute(db: Db, scope: InstituteScope<never>): Promise<RowOf<typeof about>> {
  const row = await ofInstitute.one(db, scope.instituteId)
  if (!row) throw new Error('an institute of a scope is gone')
  return row
}
