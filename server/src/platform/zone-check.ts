/** Compares Node's and Postgres's idea of zones at start: zones are converted in Node only, and this shows why. */
import { dayMs, type Instant } from '@soigne/contract/time'
import { sql } from 'kysely'
import type { Db } from './database.ts'
import { c, known, orNull, statement } from './statement.ts'

const weekMs = 7 * dayMs
/** Of the next thirteen months: a clock that is put back for Ramadan alone is seen too. */
const weeks = 57

const offsets = statement(
  { name: 'zoneCheck.offsets', row: { zone: c.text, week: known(c.int), offset: orNull(c.int) }, tries: [[]] },
  (seconds: readonly number[]) => sql`
    select z.time_zone as zone, (i.week - 1)::int as week,
      case when n.name is not null then extract(epoch from (to_timestamp(i.second) at time zone n.name) - (to_timestamp(i.second) at time zone 'UTC'))::int end as offset
    from zones_in_use z left join pg_timezone_names n on n.name = z.time_zone, unnest(${seconds}::float8[]) with ordinality as i(second, week)`,
)

/** Seconds a zone is ahead of UTC. */
type OffsetOf = (zone: string, at: Instant) => number
const offsetInNode: OffsetOf = (zone, at) => {
  try {
    return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).offsetNanoseconds / 1e9
  } catch {
    // A zone that Node does not know is odd, too, and no reason not to start.
    return Number.NaN
  }
}

/** Zones in use that Postgres does not know, or whose offset differs in some week of the next thirteen months; only reported, since SQL never converts. */
export async function compareZones(db: Db, now: Instant, offsetOf = offsetInNode): Promise<string[]> {
  const instants = Array.from({ length: weeks }, (_, week) => (now + week * weekMs) as Instant)
  const rows = await offsets.all(
    db,
    instants.map((instant) => instant / 1000),
  )
  const odd = rows.filter(({ zone, week, offset }) => offsetOf(zone, instants[week] ?? now) !== offset)
  return [...new Set(odd.map(({ zone }) => zone))].sort()
}
