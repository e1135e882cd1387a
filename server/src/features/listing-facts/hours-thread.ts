// The thread that reads opening hours: strings of strangers, some of which keep the parser busy for ever. It is ended when it takes too long.
import { dayMs } from '@soigne/contract/time'
import { parentPort } from 'node:worker_threads'
import OpeningHours, { type nominatim_object as NominatimObject, type opening_hours_warning_type as Warning } from 'opening_hours'
import type { HoursAnswer, HoursQuestion } from './hours-reader.ts'
import type { Said } from '#/platform/limited-thread.ts'
import { usualWeek, type WallSpan, type Week } from './weeks.ts'

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

/** Where public and school holidays are known all through the year of `mondayOfStandIn`, for texts that speak of holidays nobody knows: its holidays are left out. */
const standIn = { country_code: 'ch', state: 'Zürich' }
const mondayOfStandIn = '2026-01-05'

function localMidnight(monday: number, day: number): Date {
  const date = new Date(monday + day * dayMs)
  return new Date(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())
}

/** The spans of the sampled weeks, and a day more on both sides: nights that run into a week, and out of it. */
function spansOf(hours: OpeningHours, monday: number, weeks: readonly number[]): { spans: WallSpan[]; hasUnknown: boolean } {
  const spans: WallSpan[] = []
  let hasUnknown = false
  const stretches: [number, number][] = weeks === allWeeks ? [[0, 52]] : weeks.map((week) => [week, week + 1])
  for (const [from, to] of stretches) {
    for (const [opens, closes, unknown] of hours.getOpenIntervals(localMidnight(monday, from * 7 - 1), localMidnight(monday, to * 7 + 1))) {
      if (unknown) hasUnknown = true
      else {
        const start = wallOf(opens, monday)
        const end = wallOf(closes, monday)
        spans.push({ fromDay: start.day, fromMinute: start.minute, toDay: end.day, toMinute: end.minute })
      }
    }
  }
  return { spans, hasUnknown }
}

const startOf = (monday: string): number => Date.parse(`${monday}T00:00:00Z`)

function readYear(question: HoursQuestion): Week & { loose: boolean } {
  const hours = new OpeningHours(question.text, placeOf(question), settings)
  const weeks = hours.isWeekStable() ? fourWeeks : allWeeks
  const { spans, hasUnknown } = spansOf(hours, startOf(question.monday), weeks)
  const loose = hours.getStructuredWarnings().some(({ type }) => !advice.has(type))
  return { ...usualWeek(spans, weeks, hasUnknown), loose }
}

/** The weekly part of a text that speaks of holidays: the usual one among the weeks that have none. */
function readWithoutHolidays(question: HoursQuestion): Week & { loose: boolean } {
  const place = { ...placeOf(question), address: standIn } as unknown as NominatimObject
  const monday = startOf(mondayOfStandIn)
  const holidays = spansOf(new OpeningHours('PH,SH', place, settings), monday, allWeeks).spans
  // The day after a holiday may belong to it, as the end of its night.
  const weeks = allWeeks.filter((week) => !holidays.some(({ fromDay, toDay }) => fromDay < week * 7 + 7 && toDay >= week * 7))
  const hours = new OpeningHours(question.text, place, settings)
  const { spans, hasUnknown } = spansOf(hours, monday, allWeeks)
  const week = usualWeek(spans, weeks, hasUnknown)
  const loose = hours.getStructuredWarnings().some(({ type }) => !advice.has(type))
  return { ...week, note: week.rows.length > 0 ? 'holidays' : week.note, loose }
}

/** Whether the parser gave up on holidays it has no days of. */
const lacksHolidays = (error: unknown): boolean => /holiday/i.test(error instanceof Error ? error.message : String(error))

export function readHours(question: HoursQuestion): Omit<HoursAnswer & { ok: true }, 'id'> {
  try {
    const read = readYear(question)
    // School holidays are a third of a year: too much to be outvoted, and still no season.
    if (read.note === 'seasons' && /\bSH\b/i.test(question.text)) return { ok: true, ...readWithoutHolidays(question) }
    return { ok: true, ...read }
  } catch (error) {
    if (!lacksHolidays(error)) throw error
    return { ok: true, ...readWithoutHolidays(question) }
  }
}

/** One line of plain words out of whatever the parser throws; its own slips and its word to its makers are not for the reader. */
function messageOf(error: unknown): string {
  const text = typeof error === 'string' ? error : error instanceof Error && error.name === 'Error' ? error.message : ''
  const line = text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
  if (line === '' || /pull request|https?:/i.test(line)) return 'cannot be read as opening hours'
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
