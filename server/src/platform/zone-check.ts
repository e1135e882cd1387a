/** Compares Node's and Postgres's idea of zones at start: zones are converted in Node only, and this shows why. */
import { sql } from 'kysely'
import type { Db } from './database.ts'
import { c, known, statement } from './statement.ts'

const offsets = statement(
  { name: 'zoneCheck.offsets', row: { zone: c.text, at: known(c.text), offset: known(c.int) }, tries: [[]] },
  (instants: readonly string[]) => sql`
    select z.zone, i.at::text as at, extract(epoch from (i.at at time zone z.zone) - (i.at at time zone 'UTC'))::int as offset
    from (select distinct i.time_zone as zone from institutes i join pg_timezone_names n on n.name = i.time_zone) z, unnest(${instants}::timestamptz[]) as i(at)`,
)
/** Zones in use whose offset differs now or in half a year; only reported, since SQL never converts. */
export async function compareZones(db: Db): Promise<string[]> {
  const now = Temporal.Now.instant()
  const instants = [now, now.add({ hours: 24 * 183 })].map((instant) => instant.toString())
  const rows = await offsets.all(db, instants)
  const odd = new Set<string>()
  for (const row of rows) {
    const instant = Temporal.Instant.from(row.at.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))
    if (instant.toZonedDateTimeISO(row.zone).offsetNanoseconds / 1e9 !== row.offset) odd.add(row.zone)
  }
  return [...odd].sort()
}
