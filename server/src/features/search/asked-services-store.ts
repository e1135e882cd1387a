// Which services of an institute a search is about, as SQL: `i` is the institute, `s` the service.
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import { leadsOfTier } from '#/features/availability/service.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, someId, statement } from '#/platform/statement.ts'
import { manyCriteria } from './many-criteria.ts'
import type { SearchCriteria } from './search-request.ts'
import { answersOnMenu, serviceFit, type WordQuery } from './words-store.ts'

/** What is booked online: where people want somebody to come, what is done at home with the class of its times there. */
export const bookable = ({ rows: { atHome } }: SearchCriteria): RawBuilder<unknown> =>
  atHome
    ? sql`(select service_id, institute_id, position, category, audience, duration_minutes, price_amount, minor_units, notice_minutes, home_class as time_class, lead, words
        from bookable_services where home_class is not null)`
    : sql`bookable_services`

/** Those that pass the filters of services; what is on request is not booked online. */
function passing(criteria: SearchCriteria): RawBuilder<unknown> {
  const { category, audience } = criteria.service
  const ofCategory = category === undefined ? sql`` : sql`and s.category = ${category}`
  const ofAudience = audience === undefined ? sql`` : sql`and s.audience in ('All', ${audience})`
  return sql`from ${bookable(criteria)} s where s.institute_id = i.id and s.price_amount is not null ${ofCategory} ${ofAudience}`
}

const withinPrice = (maxPrice: number | undefined): RawBuilder<unknown> =>
  maxPrice === undefined ? sql`true` : sql`s.price_amount <= ${maxPrice}::float8 * s.minor_units`

/** What is made for children leads where Kids are asked for. */
const leading = ({ service: { audience } }: SearchCriteria): RawBuilder<unknown> =>
  sql`${audience === 'Kids' ? sql`s.audience <> 'Kids', ` : sql``}s.lead, s.position`

/** The asked service of an institute: its signature among those that answer the words best, within the price. */
export function askedService(criteria: SearchCriteria, queries: readonly WordQuery[]): RawBuilder<unknown> {
  const { maxPrice } = criteria.service
  const from = passing(criteria)
  const first = sql`${leading(criteria)} limit 1`
  if (queries.length === 0) return sql`lateral (select s.* ${from} and ${withinPrice(maxPrice)} order by ${first}) s`
  const best = sql`order by ${serviceFit(queries)} desc, ${first}`
  const onMenu = answersOnMenu(queries)
  if (maxPrice === undefined && onMenu)
    return sql`lateral ((select s.* ${from} and ${onMenu} ${best}) union all (select s.* ${from} and not ${onMenu} order by ${first})) s`
  if (maxPrice === undefined) return sql`lateral (select s.* ${from} ${best}) s`
  return sql`lateral (select s.* from ${allAsked(criteria, queries)} s order by ${first}) s`
}

/** All services that answer the words equally well, within the price: a cheaper one does not stand in for those that answer best. */
export function allAsked(criteria: SearchCriteria, queries: readonly WordQuery[]): RawBuilder<unknown> {
  const price = withinPrice(criteria.service.maxPrice)
  const from = passing(criteria)
  if (queries.length === 0) return sql`(select s.* ${from} and ${price})`
  return sql`(select s.* from (select s.*, rank() over (order by ${serviceFit(queries)} desc) as place ${from}) s where s.place = 1 and ${price})`
}

/** Services of the lowest tier stand in first for a signature that has no time; see leading.ts. */
export const tierOf = ({ service: { audience } }: SearchCriteria): RawBuilder<unknown> => {
  const tier = sql`coalesce(s.lead, 0) / ${sql.raw(String(leadsOfTier))}`
  return audience === 'Kids' ? sql`case when s.audience = 'Kids' then 0 else 1 + ${tier} end` : tier
}

interface StandInsQuery {
  criteria: SearchCriteria
  queries: readonly WordQuery[]
  ids: readonly string[]
}

const standIns = statement(
  {
    name: 'institutes.standIns',
    row: { id: c.uuid, services: known(c.json(z.array(z.tuple([z.string(), z.int()])))) },
    tries: () => manyCriteria().map((one) => ({ ...one, ids: [someId] })),
    open: true,
  },
  ({ criteria, queries, ids }: StandInsQuery) =>
    sql`select i.id, coalesce((select json_agg(json_build_array(s.service_id, ${tierOf(criteria)}) order by ${tierOf(criteria)}, s.lead, s.position) from ${allAsked(criteria, queries)} s), '[]') as services
      from institutes i where i.id = any(${ids}::uuid[])`,
)
/** What was asked of each institute, by tier, the first to lead first. */
export async function readStandIns(db: Db, asked: StandInsQuery): Promise<Map<string, string[][]>> {
  const rows = await standIns.all(db, asked)
  return new Map(
    rows.map(({ id, services }) => [
      id,
      [...Map.groupBy(services, ([, tier]) => tier).values()].map((tier) => tier.map(([serviceId]) => serviceId)),
    ]),
  )
}
