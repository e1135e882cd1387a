// When an institute has a start for its asked service, as SQL on what is stored of its free time: `i` is the institute, `s` the service,
// `f` its free time and `z` its zone.
import type { PartOfDay } from '@soigne/scheduling/model'
import { type Instant, minuteOf } from '@soigne/contract/time'
import { type RawBuilder, sql } from 'kysely'
import { binMinutes } from '#/features/summary/service.ts'
import { soonHours } from './ranking.ts'
import type { SearchCriteria } from './search-request.ts'
import { exactDays } from './zones.ts'

/** A constant of ours, written into the statement so that its type is plain. */
const number = (value: number) => sql.raw(String(value))
const bin = number(binMinutes)
const parts = ['morning', 'afternoon', 'evening'] as const

const bound = (now: Instant) => sql`(${minuteOf(now)}::float8 + s.notice_minutes)`
/** Bits of the near row of the asked class from one bin to before another, both since the epoch and inside of what is covered. */
const nearBits = (from: RawBuilder<unknown>, to: RawBuilder<unknown>) =>
  sql`substring(f.near from s.time_class * f.near_count + ${from} - f.near_from + 1 for ${to} - ${from})`
/** The same with the starts that gaps hide. */
const everyBit = (from: RawBuilder<unknown>, to: RawBuilder<unknown>) =>
  sql`substring(f.near_all from s.time_class * f.near_count + ${from} - f.near_from + 1 for ${to} - ${from})`
const binAfter = (minute: RawBuilder<unknown>) => sql`ceil(${minute}::float8 / ${bin})::int`
const farRow = (part: number) => sql`(s.time_class * 3 + ${number(part)}) * f.day_count`

/** Whether a day has a start in one of the asked parts, whatever notice says. */
function farBit(dayIndex: RawBuilder<unknown>, part: PartOfDay | undefined): RawBuilder<unknown> {
  const asked = part === undefined ? [0, 1, 2] : [parts.indexOf(part)]
  return sql`(${sql.join(
    asked.map((one) => sql`get_bit(f.far, ${farRow(one)} + ${dayIndex}) = 1`),
    sql` or `,
  )})`
}

/** A stretch of one day, and the midnights around it, as columns of the zone's row. */
interface Stretch {
  day: RawBuilder<unknown>
  dayFrom: RawBuilder<unknown>
  dayTo: RawBuilder<unknown>
  from: RawBuilder<unknown>
  to: RawBuilder<unknown>
}

const hides = sql`i.gap_policy = 'hide'`
/** Of a day that has begun hidden starts come out when nothing better is left. */
const comesOut = (start: RawBuilder<unknown>, dayTo: RawBuilder<unknown>) =>
  sql`(${hides} and bit_count(${nearBits(start, binAfter(dayTo))}) = 0)`

/**
 * Whether there is a start in a stretch of one day: what the far bits say where notice does not reach into the day, else the near ones.
 * Null when the summary cannot tell.
 */
function verdictOfDay({ day, dayFrom, dayTo, from, to }: Stretch, part: PartOfDay | undefined, now: Instant): RawBuilder<unknown> {
  const index = sql`(${day} - f.first_day)`
  const start = sql`greatest(${binAfter(bound(now))}, ${binAfter(dayFrom)})`
  const first = sql`greatest(${start}, ${binAfter(from)})`
  return sql`case when ${day} < z.today or ${day} > z.today + i.horizon_days or ${to} <= ${bound(now)} then false
    when ${index} < 0 or ${index} >= f.day_count then null
    when ${dayFrom} >= ${bound(now)} or (${from} >= ${bound(now)} and not ${hides}) then ${farBit(index, part)}
    when not ${hides} and not ${farBit(index, part)} then false
    when f.coarse or ${start} < f.near_from or ${binAfter(dayTo)} > f.near_from + f.near_count then null
    when ${comesOut(start, dayTo)} then bit_count(${everyBit(first, binAfter(to))}) > 0
    else bit_count(${nearBits(first, binAfter(to))}) > 0 end`
}

/** The first start in a stretch of one day that is known to have one; null where only the diary can tell. */
function firstOfDay({ dayFrom, dayTo, from, to }: Stretch, now: Instant): RawBuilder<unknown> {
  const begun = sql`greatest(${binAfter(bound(now))}, ${binAfter(dayFrom)})`
  const start = sql`greatest(${begun}, ${binAfter(from)})`
  const end = binAfter(to)
  const place = sql`case when ${dayFrom} < ${bound(now)} and ${comesOut(begun, dayTo)} then position(B'1' in ${everyBit(start, end)}) else position(B'1' in ${nearBits(start, end)}) end`
  return sql`case when not f.coarse and ${begun} >= f.near_from and ${binAfter(dayTo)} <= f.near_from + f.near_count and ${start} < ${end}
    then ${bin} * (${start} - 1 + nullif(${place}, 0)) end`
}

export interface Timing {
  /** Joined after the service and its free time. */
  join: RawBuilder<unknown>
  ok: RawBuilder<unknown>
  /** The first start, for the order "soonest". */
  first: RawBuilder<unknown>
}

function timingOfDay(criteria: SearchCriteria, day: string, now: Instant): Timing {
  const stretch = { day: sql`${day}::date`, dayFrom: sql`z."dayFrom"`, dayTo: sql`z."dayTo"`, from: sql`z."from"`, to: sql`z."to"` }
  return { join: sql``, ok: verdictOfDay(stretch, criteria.part, now), first: firstOfDay(stretch, now) }
}

/** Whether some day of the horizon has a start in a part of day, from so many days after today on. */
function someLater(part: PartOfDay, after: RawBuilder<unknown>): RawBuilder<unknown> {
  const first = sql`(z.today + ${after} - f.first_day)`
  const days = sql`least(i.horizon_days + 1 - ${after}, f.day_count - ${first})`
  return sql`(${days} > 0 and ${first} >= 0 and bit_count(substring(f.far from ${farRow(parts.indexOf(part))} + ${first} + 1 for greatest(${days}, 0))) > 0)`
}

/** A part of day on any day: the days that notice reaches into one by one, which is mostly today alone, those after them by their far bits. */
function timingOfPart(part: PartOfDay, { sort }: SearchCriteria, now: Instant): Timing {
  const columns = (of: string) => ({
    dayFrom: sql.raw(`${of}."dayFrom"`),
    dayTo: sql.raw(`${of}."dayTo"`),
    from: sql.raw(`${of}."from"`),
    to: sql.raw(`${of}."to"`),
  })
  const oneByOne = verdictOfDay({ day: sql`p.day`, ...columns('p') }, part, now)
  const rows = sql`jsonb_to_recordset(z.parts) as p(day date, "dayFrom" int, "dayTo" int, "from" int, "to" int)`
  const covered = sql`z.today + i.horizon_days < f.first_day + f.day_count and z.minute + s.notice_minutes <= ${number((exactDays - 1) * 1440)}`
  const verdict = (ok: RawBuilder<unknown>, unsure: RawBuilder<unknown>, after: RawBuilder<unknown>) =>
    sql`case when ${ok} then true when ${someLater(part, after)} then true when ${unsure} then null else false end`
  if (sort === 'soonest') {
    const first = firstOfDay({ day: sql`p.day`, ...columns('p') }, now)
    return {
      join: sql`left join lateral (select bool_or(d.ok) as ok, bool_or(d.ok is null) as unsure, min(d.day) filter (where d.ok is null) < min(d.day) filter (where d.ok) as late,
          min(d.first) filter (where d.ok) as first from (select p.day, ${oneByOne} as ok, ${first} as first from ${rows}) d) d on true`,
      ok: sql`case when ${covered} then ${verdict(sql`d.ok`, sql`d.unsure`, number(exactDays))} end`,
      first: sql`case when d.ok and d.late is not true then d.first end`,
    }
  }
  const today = verdictOfDay({ day: sql`z.today`, ...columns('z') }, part, now)
  const begun = sql`(select ${verdict(sql`bool_or(d.ok)`, sql`bool_or(d.ok is null)`, sql`count(*)::int`)} from (select ${oneByOne} as ok from ${rows} where p."dayFrom" < ${bound(now)}) d)`
  return {
    join: sql``,
    ok: sql`case when not (${covered}) then null when ${bound(now)} >= z."dayTo" then ${begun} else ${verdict(today, sql`(${today}) is null`, number(1))} end`,
    first: sql`null::int`,
  }
}

/** Any time at all, for the order "soonest": the near bits, or else only the diary knows. */
function timingOfAny(now: Instant): Timing {
  const start = binAfter(bound(now))
  const end = sql`(f.near_from + f.near_count)`
  // Where gaps are hidden the day that has begun must be today, whose end is known.
  const place = sql`case when not ${hides} then position(B'1' in ${nearBits(start, end)}) when ${bound(now)} >= z."dayTo" then null
    when ${comesOut(start, sql`z."dayTo"`)} then coalesce(nullif(position(B'1' in ${everyBit(start, binAfter(sql`z."dayTo"`))}), 0), position(B'1' in ${nearBits(start, end)}))
    else position(B'1' in ${nearBits(start, end)}) end`
  const found = sql`${bin} * (${start} - 1 + nullif(${place}, 0))`
  // A start that soon lies within the horizon even where the clock changes.
  const withinHorizon = sql`${found} < z."dayTo" + i.horizon_days * 1440 - 120`
  const first = sql`case when not f.coarse and ${start} >= f.near_from and ${start} < ${end} and ${binAfter(sql`z."dayTo"`)} <= ${end} and ${withinHorizon} then ${found} end`
  const some = sql`bit_count(substring(f.far from s.time_class * 3 * f.day_count + 1 for 3 * f.day_count)) > 0`
  return { join: sql``, ok: sql`case when ${first} is not null then true when not (${some}) then false end`, first }
}

/** What time says of an institute for a criteria. */
export function timingOf(criteria: SearchCriteria, now: Instant): Timing {
  if (criteria.day !== undefined) return timingOfDay(criteria, criteria.day, now)
  return criteria.part === undefined ? timingOfAny(now) : timingOfPart(criteria.part, criteria, now)
}

/** Where the summary may be behind: marked, or holding a time whose hold has run out. */
export const behind = (now: Instant) =>
  sql`i.id in (select institute_id from free_time_marks union all select institute_id from hold_ends where not is_freed and expires_at <= ${new Date(now)}
    union all select institute_id from session_seats where expires_at <= ${new Date(now)})`

/** Whether the service of a found row can be booked within the next hours; null when the summary cannot tell. */
export function soonOf(now: Instant): RawBuilder<unknown> {
  const start = sql`greatest(${binAfter(bound(now))}, f.near_from)`
  const end = number(Math.floor((minuteOf(now) + soonHours * 60) / binMinutes) + 1)
  return sql`case when p.service_id is null then false when f.institute_id is null or f.coarse or i.horizon_days < 3 or ${end} > f.near_from + f.near_count or ${behind(now)} then null
    when ${end} > ${start} and bit_count(${nearBits(start, end)}) > 0 then true when not ${hides} or ${end} <= ${start} or bit_count(${everyBit(start, end)}) = 0 then false end`
}
