/** The clock of a zone read minute by minute through Temporal, for tests that must not trust the engine's arithmetic. */
import type { Day, EpochMinute } from '#/model.ts'

/** One minute of real time and what the wall clock shows in it. */
export interface Moment {
  readonly at: EpochMinute
  readonly day: Day
  readonly minute: number
}

const readDays = new Map<string, readonly Moment[]>()

function readDay(timeZone: string, date: Temporal.PlainDate): readonly Moment[] {
  const key = `${timeZone} ${date.toString()}`
  const kept = readDays.get(key)
  if (kept !== undefined) return kept
  const from = date.toZonedDateTime(timeZone).epochMilliseconds / 60_000
  const to = date.add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds / 60_000
  const moments: Moment[] = []
  for (let at = from; at < to; at++) {
    const local = Temporal.Instant.fromEpochMilliseconds(at * 60_000).toZonedDateTimeISO(timeZone)
    moments.push({ at, day: local.toPlainDate().toString(), minute: local.hour * 60 + local.minute })
  }
  readDays.set(key, moments)
  return moments
}

const readStretches = new Map<string, readonly Moment[]>()

/** Every minute of the days from…to, both included, in order of real time; the same list for the same question. */
export function momentsOf(timeZone: string, fromDay: Day, toDay: Day): readonly Moment[] {
  const key = `${timeZone} ${fromDay} ${toDay}`
  const moments = readStretches.get(key) ?? readStretch(timeZone, fromDay, toDay)
  readStretches.set(key, moments)
  return moments
}

function readStretch(timeZone: string, fromDay: Day, toDay: Day): readonly Moment[] {
  const moments: Moment[] = []
  const last = Temporal.PlainDate.from(toDay)
  for (let date = Temporal.PlainDate.from(fromDay); Temporal.PlainDate.compare(date, last) <= 0; date = date.add({ days: 1 })) {
    moments.push(...readDay(timeZone, date))
  }
  return moments
}

const shifted = new Map<string, Day>()

/** The day `days` later, by Temporal. */
export function shiftDay(day: Day, days: number): Day {
  const key = `${day} ${String(days)}`
  const later = shifted.get(key) ?? Temporal.PlainDate.from(day).add({ days }).toString()
  shifted.set(key, later)
  return later
}
