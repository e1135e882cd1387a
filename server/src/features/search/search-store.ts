// Which institutes a search finds, in which order and how many: one statement over all of the area.
import { type Instant, minuteOf } from '@soigne/contract/time'
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, statement } from '#/platform/statement.ts'
import { distanceKm, rating } from '#/features/institutes/service.ts'
import { candidateConditions } from './filters-store.ts'
import { manyCriteria } from './many-criteria.ts'
import { halfDistanceKm, weights } from './ranking.ts'
import type { SearchCriteria } from './search-request.ts'
import { behind, soonOf, type Timing, timingOf } from './timing-store.ts'
import { allAsked, askedService, bookable, tierOf } from './asked-services-store.ts'
import { type WordQuery, wordsFit } from './words-store.ts'
import { zonesAhead, zonesNow } from './zones.ts'

/** What the diary of an institute said where the summary is behind or too coarse. */
export interface Verdict {
  id: string
  /** The first start that answers, in minutes since the epoch; null when there is none. */
  first: number | null
}

export interface FoundQuery {
  criteria: SearchCriteria
  queries: readonly WordQuery[]
  zones: readonly string[]
  /** The zones are all there are. */
  everyZone: boolean
  /** Milliseconds since the epoch. */
  now: Instant
  verdicts: readonly Verdict[]
  limit: number
  offset: number
  /** Stop counting here. */
  mostCounted?: number
}

export interface Found {
  rows: FoundRow[]
  total: number
  /** How many of them are only listed from open data. */
  listed: number
  /** Institutes, each with its asked service, whose diaries must say whether there is a time. */
  undecided: { id: string; serviceId: string }[]
}

const wantsTime = ({ day, part, sort }: SearchCriteria): boolean => day !== undefined || part !== undefined || sort === 'soonest'
const wantsService = (criteria: SearchCriteria): boolean =>
  wantsTime(criteria) || criteria.service.maxPrice !== undefined || criteria.sort === 'price'

/** Open at this minute of the wall clock; a night belongs to the day it began on. */
function openNow(): RawBuilder<unknown> {
  const opens = (weekday: RawBuilder<unknown>, minute: RawBuilder<unknown>, day: RawBuilder<unknown>) =>
    sql`exists (select from opening_hours h where h.institute_id = i.id and h.weekday = ${weekday} and h.opens_at <= ${minute} and ${minute} < h.closes_at)
      and not exists (select from closures c where c.institute_id = i.id and c.opens_at is null and ${day} between c.from_day and c.to_day)`
  const shut = (minute: RawBuilder<unknown>, day: RawBuilder<unknown>) =>
    sql`exists (select from closures c where c.institute_id = i.id and c.opens_at <= ${minute} and ${minute} < c.closes_at and ${day} between c.from_day and c.to_day)`
  const night = sql`(z.minute + 1440)`
  return sql`((${opens(sql`z.weekday`, sql`z.minute`, sql`z.today`)} or ${opens(sql`(z.weekday + 5) % 7 + 1`, night, sql`z.today - 1`)})
    and not ${shut(sql`z.minute`, sql`z.today`)} and not ${shut(night, sql`z.today - 1`)})`
}

function orderOf({ sort, rows }: SearchCriteria): RawBuilder<unknown> {
  const near = rows.origin ? sql`"distanceKm", ` : sql``
  if (sort === 'nearest') return sql`${near}claimed desc, id`
  if (sort === 'soonest') return sql`first, ${near}id`
  if (sort === 'rating') return sql`coalesce(rating, 0) desc, rating_count desc, claimed desc, id`
  if (sort === 'price') return sql`price nulls last, claimed desc, ${near}id`
  return sql`merit desc, id`
}

/** The sum of all parts but "soon". `words` is 0…1, the distance in kilometres; null when it was not asked for. */
export function merit(standing: RawBuilder<unknown>, words: RawBuilder<unknown> | null, distanceKm: RawBuilder<unknown> | null) {
  const ofWords = words ? sql` + ${weights.words}::float8 * ${words}` : sql``
  const ofDistance = distanceKm
    ? sql` + ${weights.distance}::float8 * (${halfDistanceKm}::float8 / (${halfDistanceKm}::float8 + ${distanceKm}))`
    : sql``
  return sql`(${standing}${ofWords}${ofDistance})`
}

/** Whether the signature has a time, or else another service that was asked; the others are looked at only where it has none. */
function okOfAny({ ok, join }: Timing, criteria: SearchCriteria, queries: readonly WordQuery[]): RawBuilder<unknown> {
  return sql`case when ${ok} then true else
    (select case when bool_or(o.ok) then true when bool_or(o.ok is null) then null else false end
      from (select ${ok} as ok from ${allAsked(criteria, queries)} s ${join}) o) end`
}

/** The first start of the signature, or else of the others of the lowest tier that has one; null where only the diary can tell. */
function firstOfAny({ ok, first, join }: Timing, criteria: SearchCriteria, queries: readonly WordQuery[]): RawBuilder<unknown> {
  return sql`case when ${ok} then ${first} when (${ok}) is null then null else
    (select case when not bool_or(o.first is null) then min(o.first) end from
      (select o.*, min(tier) over () as best from (select ${ok} as ok, ${first} as first, ${tierOf(criteria)} as tier from ${allAsked(criteria, queries)} s ${join}) o
        where o.ok is not false) o where o.tier = o.best) end`
}

interface Shape {
  select: RawBuilder<unknown>
  from: RawBuilder<unknown>
  where: RawBuilder<unknown>
}

/** Institutes zone by zone. Who stops counting early should begin with the zones where most of the asked stretch is ahead. */
const zoneByZone = (zones: readonly string[], passing: RawBuilder<unknown>) =>
  sql`(select i.* from unnest(${zones}::text[]) as ahead(zone)
    cross join lateral (select i.* from institutes i where i.time_zone = ahead.zone and i.claimed and ${passing} offset 0) i) i`

/** The institutes that pass everything but time, with what time says in `ok`; `counted` when some of them may be enough. */
function shapeOf({ criteria, queries, zones, everyZone, now, verdicts }: FoundQuery, counted = false): Shape {
  const { origin, radiusKm, area } = criteria.rows
  const distance = origin ? sql`i.km` : null
  const timed = wantsTime(criteria)
  const clocks = timed || criteria.openNow ? zonesNow(zones, minuteOf(now), criteria.day, criteria.part) : []
  const timing = timed ? timingOf(criteria, now) : null
  const priced = criteria.service.maxPrice !== undefined || timed
  const known = JSON.stringify(verdicts)
  const first =
    criteria.sort === 'soonest' && timing
      ? sql`case when v.id is not null then v.first else ${firstOfAny(timing, criteria, queries)} end`
      : sql`null::int`
  const told = sql`case when v.id is not null then v.first is not null when z.zone is null or f.institute_id is null or ${behind(now)} then null else ${timing ? okOfAny(timing, criteria, queries) : sql`true`} end`
  // In the order "soonest" an institute is decided when its first start is known.
  const ok = !timed
    ? sql`true`
    : criteria.sort === 'soonest'
      ? sql`case ${told} when true then case when ${first} is not null then true end when false then false end`
      : told
  const joins = [
    ...(timed || criteria.openNow
      ? [
          sql`left join jsonb_to_recordset(${JSON.stringify(clocks)}::jsonb) as z(zone text, today date, weekday int, minute int, "dayFrom" int, "dayTo" int, "from" int, "to" int, parts jsonb) on z.zone = i.time_zone`,
        ]
      : []),
    ...(wantsService(criteria) ? [sql`${priced ? sql`join` : sql`left join`} ${askedService(criteria, queries)} on i.claimed`] : []),
    ...(timing
      ? [
          sql`left join free_time f on f.institute_id = i.id`,
          timing.join,
          sql`left join jsonb_to_recordset(${known}::jsonb) as v(id uuid, first int) on v.id = i.id`,
        ]
      : []),
  ]
  const fit = queries.length > 0 ? wordsFit(queries) : null
  const conditions = sql`(i.state = 'published' and ${candidateConditions(criteria.rows, queries)})`
  // Where the asked stretch is over nobody need be looked at; late in a day that is most of the world.
  const ahead = criteria.day !== undefined && everyZone ? zonesAhead(clocks, minuteOf(now)) : null
  const passing = ahead ? sql`(${conditions} and i.time_zone = any(${ahead}::text[]))` : conditions
  // The distance is reckoned once for each; the fence keeps it from being written out wherever it is used.
  const around = origin ? sql`(select i.*, ${distanceKm(origin)} as km from institutes i where ${passing} offset 0) i` : null
  const everywhere = counted && ahead && !around && !area && queries.length === 0 ? zoneByZone(ahead, conditions) : null
  const within = radiusKm === undefined ? sql`true` : sql`i.km <= ${radiusKm}::float8`
  return {
    select: sql`i.id, i.claimed, ${distance ?? sql`null::float8`} as "distanceKm", ${criteria.sort === 'rating' ? rating : sql`null::numeric`} as rating, i.rating_count, ${merit(sql`i.standing`, fit, distance)} as merit,
      ${wantsService(criteria) ? sql`s.service_id` : sql`null::uuid`} as service_id, ${wantsService(criteria) ? sql`s.price_amount::float8 / s.minor_units` : sql`null::float8`} as price,
      ${first} as first, ${ok} as ok`,
    from: sql`${around ?? everywhere ?? sql`institutes i`} ${sql.join(joins, sql` `)}`,
    where: sql`${around ? within : everywhere ? sql`true` : passing} ${criteria.openNow ? sql`and ${openNow()}` : sql``}`,
  }
}

const undecided = orNull(c.json(z.array(z.tuple([z.string(), z.string()]))))
const foundRow = z.object({
  id: z.string(),
  distanceKm: z.nullable(z.number()),
  serviceId: z.nullable(z.string()),
  merit: z.number(),
  /** Whether the service can be booked soon; null when the summary cannot tell. */
  soon: z.nullable(z.boolean()),
})
export type FoundRow = z.output<typeof foundRow>

const served = (criteria: SearchCriteria, queries: readonly WordQuery[], page: RawBuilder<unknown>): RawBuilder<unknown> => {
  const placed = sql`(select p.*, row_number() over (order by ${orderOf(criteria)}) as place from (${page}) p) p`
  return wantsService(criteria)
    ? placed
    : sql`(select p.id, p."distanceKm", p.merit, p.place, s.service_id from ${placed} join institutes i on i.id = p.id left join ${askedService(criteria, queries)} on i.claimed) p`
}

const pageFound = statement(
  {
    name: 'institutes.pageFound',
    row: { total: known(c.count), listed: known(c.count), undecided, rows: orNull(c.json(z.array(foundRow))) },
    tries: manyCriteria,
    open: true,
  },
  (asked: FoundQuery) => {
    const { criteria, queries, now, limit, offset } = asked
    const { select, from, where } = shapeOf(asked)
    // With nothing asked the index gives the order, and counting alone is quicker than finding all.
    const plain = !wantsService(criteria) && !criteria.rows.origin && queries.length === 0 && criteria.sort === 'recommended'
    const found = plain
      ? sql`found as (select ${select} from ${from} where ${where} order by i.standing desc, i.id limit ${limit} offset ${offset})`
      : sql`found as materialized (select ${select} from ${from} where ${where})`
    const total = plain ? sql`(select count(*) from ${from} where ${where})` : sql`(select count(*) from found where ok)`
    const listed = plain
      ? sql`(select count(*) from ${from} where ${where} and not i.claimed)`
      : sql`(select count(*) from found where ok and not claimed)`
    const page = plain
      ? sql`select * from found`
      : sql`select * from found where ok order by ${orderOf(criteria)} limit ${limit} offset ${offset}`
    return sql`with ${found}
    select ${total} as total, ${listed} as listed, (select json_agg(json_build_array(id, service_id)) from found where ok is null) as undecided,
      (select json_agg(json_build_object('id', p.id, 'distanceKm', p."distanceKm", 'serviceId', p.service_id, 'merit', p.merit, 'soon', ${soonOf(now)}) order by p.place)
        from ${served(criteria, queries, page)}
        join institutes i on i.id = p.id left join ${bookable(criteria)} s on s.service_id = p.service_id left join free_time f on f.institute_id = p.id) as rows`
  },
)
/** A page of what is found. In the order "recommended" each row says whether it is soon. */
export async function readFound(db: Db, asked: FoundQuery): Promise<Found> {
  const answer = await pageFound.one(db, asked)
  return { rows: answer?.rows ?? [], total: answer?.total ?? 0, listed: answer?.listed ?? 0, undecided: undecidedOf(answer) }
}

const undecidedOf = (answer: { undecided: [string, string][] | null } | null): Found['undecided'] =>
  (answer?.undecided ?? []).map(([id, serviceId]) => ({ id, serviceId }))

const countAsked = statement(
  { name: 'institutes.countFound', row: { total: known(c.count), undecided }, tries: manyCriteria, open: true },
  (asked: FoundQuery) => {
    const { select, from, where } = shapeOf(asked, true)
    return sql`with found as (select id, service_id, ok from (select ${select} from ${from} where ${where}) i where ok is not false limit ${asked.mostCounted ?? 0})
    select (select count(*) from found where ok) as total, (select json_agg(json_build_array(id, service_id)) from found where ok is null) as undecided`
  },
)
/** How many there are, and no more than a number; with those that only their diaries can decide. */
export async function countFound(db: Db, asked: FoundQuery & { mostCounted: number }): Promise<Pick<Found, 'total' | 'undecided'>> {
  const answer = await countAsked.one(db, asked)
  return { total: answer?.total ?? 0, undecided: undecidedOf(answer) }
}

export { wantsTime }
