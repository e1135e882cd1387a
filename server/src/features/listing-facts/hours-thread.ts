// The thread that reads opening hours: strings of strangers, some of which keep the parser busy for ever. It is ended when it takes too long.
import { dayMs } from '@soigne/contract/time'
import { parentPort } from 'node:worker_threads'
import OpeningHours, { type nominatim_object as NominatimObject, type opening_hours_warning_type as Warning } from 'opening_hours'
import type { HoursAnswer, HoursQuestion } from './hours-reader.ts'
import type { Said } from './limited-thread.ts'
import { usualWeek, type WallSpan } from './weeks.ts'

/** Warnings that only say what else could be written. */
const advice: ReadonlySet<Warning> = new Set(['public_holiday', 'combine_rules', 'date_past', 'date_range_past', 'year_past'])
/** Weeks looked at when holidays or seasons may make a difference, and otherwise: one in each season, for the sun. */
const allWeeks = Array.from({ length: 52 }, (_, week) => week)
const fourWeeks = [0, 13, 26, 39]

const settings = { mode: 0, tag_key: 'opening_hours', map_value: undefined, warnings_severity: undefined, locale: 'en' } as const

/** Coordinates as texts, the way Nominatim gives them: numbers, which the types ask for, would be passed over in silence. */
function placeOf({ lat, lon, countryCode, region }: HoursQuestion): NominatimObject {
  const place = { lat: String(lat), lon: String(lon), address: { country_code: countryCode.toLowerCase(), state: region ?? '' } }
  return place as unknown as NominatimObject
}

/** The wall clock of the machine is read back as it was written: what is open at nine is open at nine, wherever this runs. */
function wallOf(at: Date, monday: number): { day: number; minute: number } {
  const date = Date.UTC(at.getFullYear(), at.getMonth(), at.getDate())
  return { day: Math.round((date - monday) / dayMs), minute: at.getHours() * 60 + at.getMinutes() }
}

function localMidnight(monday: number, day: number): Date {
  const date = new Date(monday + day * dayMs)
  return new Date(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())
}

export function readHours(question: HoursQuestion): Omit<HoursAnswer & { ok: true }, 'id'> {
  const hours = new OpeningHours(question.text, placeOf(question), settings)
  const monday = Date.parse(`${question.monday}T00:00:00Z`)
  const weeks = hours.isWeekStable() ? fourWeeks : allWeeks
  const spans: WallSpan[] = []
  let hasUnknown = false
  const stretches: [number, number][] = weeks === allWeeks ? [[0, 52]] : weeks.map((week) => [week, week + 1])
  for (const [from, to] of stretches) {
    // A day more on both sides: nights that run into the week, and out of it.
    for (const [opens, closes, unknown] of hours.getOpenIntervals(localMidnight(monday, from * 7 - 1), localMidnight(monday, to * 7 + 1))) {
      if (unknown) hasUnknown = true
      else {
        const start = wallOf(opens, monday)
        const end = wallOf(closes, monday)
        spans.push({ fromDay: start.day, fromMinute: start.minute, toDay: end.day, toMinute: end.minute })
      }
    }
  }
  const loose = hours.getStructuredWarnings().some(({ type }) => !advice.has(type))
  return { ok: true, ...usualWeek(spans, weeks, hasUnknown), loose }
}

/** One line of plain words out of whatever the parser throws. */
function messageOf(error: unknown): string {
  const text = typeof error === 'string' ? error : error instanceof Error ? error.message : String(error)
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return (line.includes('<---') ? line.slice(line.indexOf('<---') + 4).trim() : line).slice(0, 200)
}

function say(answer: HoursAnswer | null): void {
  const { user, system } = process.threadCpuUsage()
  parentPort?.postMessage({ answer, usedMs: (user + system) / 1000 } satisfies Said<HoursAnswer>)
}

parentPort?.on('message', (question: HoursQuestion) => {
  let answer: HoursAnswer
  try {
    answer = { id: question.id, ...readHours(question) }
  } catch (error) {
    answer = { id: question.id, ok: false, reason: 'unreadable', message: messageOf(error) }
  }
  say(answer)
})
say(null)
