// Eight weeks of people looking for free times: most for the days ahead, some late in the evening for tomorrow, some further than may be booked.
import { dayMs, hourMs, minuteMs } from '@soigne/contract/time'
import type { DemoHost } from '#/host.ts'
import { type Random, randomFrom } from '#/random.ts'
import type { InstituteRows, TableRows, VisitRows } from '#/rows/tables.ts'
import { type AskedSearch, timeSearchRow } from '#/rows/time-searches.ts'

const weeks = 8
const opens = 8 * hourMs
/** People look from eight in the morning until ten at night. */
const minutesAwake = 14 * 60

/** The first day asked for, counted from the day of the asking, and how many. */
function daysAsked(random: Random, horizonDays: number): { ahead: number; days: number } {
  const kind = random.next()
  if (kind < 0.45) return { ahead: 0, days: 7 }
  if (kind < 0.75) return { ahead: random.between(0, 2), days: 1 }
  if (kind < 0.9) return { ahead: random.between(7, 21), days: 7 }
  return { ahead: horizonDays + random.between(-3, 30), days: 7 }
}

/** What was looked for until `now` (milliseconds since the epoch), in order of time. */
export function searchesUntil({ institute, services, memberServices }: InstituteRows, now: number, count: number): AskedSearch[] {
  const random = randomFrom(`searches ${institute.slug}`)
  const zone = institute.time_zone
  const bookable = services.filter(({ capacity, price_kind: kind }) => capacity === null && kind !== 'on_request')
  if (bookable.length === 0) return []
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate()
  const searches = Array.from({ length: count }, (): AskedSearch => {
    const day = today.subtract({ days: random.between(0, weeks * 7 - 1) })
    const at = day.toZonedDateTime(zone).epochMilliseconds + opens + random.whole(minutesAwake) * minuteMs
    const { id } = random.pick(bookable)
    const members = memberServices.filter((row) => row.service_id === id)
    const memberId = random.chance(0.3) && members.length > 0 ? random.pick(members).member_id : null
    const { ahead, days } = daysAsked(random, institute.horizon_days)
    return { askedAt: at, serviceId: id, memberId, fromDay: day.add({ days: ahead }).toString(), days }
  })
  return searches.filter(({ askedAt }) => askedAt < now && askedAt > now - weeks * 7 * dayMs).toSorted((a, b) => a.askedAt - b.askedAt)
}

/** The rows, with what was found: the diary says it, nothing is invented. */
export function searchRows(
  host: DemoHost,
  institute: InstituteRows,
  visits: VisitRows,
  { now, count }: { now: number; count: number },
): TableRows {
  const searches = searchesUntil(institute, now, count)
  const found = host.startsFound(institute, visits, searches)
  return ['time_searches', searches.map((one, at) => timeSearchRow(institute.institute.id, one, found[at] ?? 0))]
}
