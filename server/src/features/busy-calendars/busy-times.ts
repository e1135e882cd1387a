/** When somebody is busy, as their calendar says it (RFC 5545): events that repeat, whole days, zones, and what is marked as free. Pure. */
import { minuteMs } from '@soigne/contract/time'
import ICAL from 'ical.js'

export interface BusyQuestion {
  text: string
  /** Where times without a zone, and whole days, are meant. */
  timeZone: string
  /** Milliseconds since the epoch; what ends before or begins after is left out, what reaches over is cut. */
  from: number
  to: number
}
/** From and to, in milliseconds of whole minutes, in order and apart. */
export type BusySpans = [from: number, to: number][]

/** More than any calendar has in a year. */
const mostSpans = 15_000

type Zone = string | null
const known = new Map<string, Zone>()
/** A zone of the world by the name a calendar has for it; some put their own path before it. Null when it is none. */
function zoneNamed(name: string): Zone {
  const found = known.get(name)
  if (found !== undefined) return found
  const parts = name.split('/')
  const candidates = [name, parts.slice(-2).join('/'), parts.slice(-3).join('/')]
  const zone =
    candidates.find((one) => {
      try {
        return Boolean(Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(one))
      } catch {
        return false
      }
    }) ?? null
  known.set(name, zone)
  return zone
}

/** The instant of a time. The zones of the world are ours, as they are kept today; the calendar's own rules count for other names. */
function instantOf(time: ICAL.Time, named: string | null, timeZone: string): number {
  const { year, month, day, hour, minute, second, isDate } = time
  const own = time.zone.tzid
  if (!isDate && own === 'UTC') return time.toUnixTime() * 1000
  const zone = isDate || named === null ? timeZone : zoneNamed(named)
  if (zone === null && own !== 'floating') return time.toUnixTime() * 1000
  const wall = Temporal.PlainDateTime.from(isDate ? { year, month, day } : { year, month, day, hour, minute, second: Math.min(second, 59) })
  return wall.toZonedDateTime(zone ?? timeZone).epochMilliseconds
}

/** Free, or not taking place. */
const takesNothing = (event: ICAL.Component): boolean => {
  const said = (name: string): string => String(event.getFirstPropertyValue(name) ?? '').toUpperCase()
  return said('transp') === 'TRANSPARENT' || said('status') === 'CANCELLED' || said('x-microsoft-cdo-busystatus') === 'FREE'
}

const namedZone = (event: ICAL.Component, property: string): string | null => {
  const named: unknown = event.getFirstProperty(property)?.getParameter('tzid')
  return typeof named === 'string' ? named : null
}

class Reading {
  readonly #question: BusyQuestion
  readonly #spans: BusySpans = []
  isTooMuch = false
  constructor(question: BusyQuestion) {
    this.#question = question
  }
  instant(time: ICAL.Time, named: string | null): number {
    return instantOf(time, named, this.#question.timeZone)
  }
  add(from: number, to: number): void {
    const begin = Math.floor(Math.max(from, this.#question.from) / minuteMs) * minuteMs
    const end = Math.ceil(Math.min(to, this.#question.to) / minuteMs) * minuteMs
    if (begin < end) this.#spans.push([begin, end])
    if (this.#spans.length > 2 * mostSpans) this.isTooMuch = true
  }
  /** When something that begins then ends: a length counts its days on the wall and its hours as they pass, an end said in another zone keeps its distance. */
  #endOf(event: ICAL.Component, start: ICAL.Time, wallEnd: () => ICAL.Time): number {
    const named = namedZone(event, 'dtstart')
    const length: unknown = event.getFirstPropertyValue('duration')
    if (length instanceof ICAL.Duration && !length.isNegative) {
      const day = start.clone()
      day.adjust(length.days + 7 * length.weeks, 0, 0, 0)
      return this.instant(day, named) + ((length.hours * 60 + length.minutes) * 60 + length.seconds) * 1000
    }
    const [first, last]: unknown[] = [event.getFirstPropertyValue('dtstart'), event.getFirstPropertyValue('dtend')]
    const endNamed = namedZone(event, 'dtend')
    if (first instanceof ICAL.Time && last instanceof ICAL.Time && (endNamed !== named || last.zone.tzid !== first.zone.tzid))
      return this.instant(start, named) + this.instant(last, endNamed ?? named) - this.instant(first, named)
    return this.instant(wallEnd(), named)
  }
  /** One that does not repeat, or one time of one that does. */
  addOnce(event: ICAL.Component): void {
    if (takesNothing(event)) return
    const once = new ICAL.Event(event, { exceptions: [] })
    const { startDate } = once
    this.add(
      this.instant(startDate, namedZone(event, 'dtstart')),
      this.#endOf(event, startDate, () => once.endDate),
    )
  }
  /** Every time of one that repeats, but those that have an entry of their own. */
  addEach(event: ICAL.Component, apart: ReadonlySet<number>): void {
    if (takesNothing(event)) return
    const each = new ICAL.Event(event, { exceptions: [] })
    const named = namedZone(event, 'dtstart')
    // Dates that are given are beside the first time, which a rule would have brought.
    if (!event.hasProperty('rrule') && !event.hasProperty('exdate') && !apart.has(this.instant(each.startDate, named))) this.addOnce(event)
    const times = each.iterator()
    for (let next: ICAL.Time | null = times.next(); next && !this.isTooMuch; next = times.next()) {
      const from = this.instant(next, named)
      if (from >= this.#question.to) break
      const time = next
      if (!apart.has(from))
        this.add(
          from,
          this.#endOf(event, time, () => each.getOccurrenceDetails(time).endDate),
        )
    }
  }
  /** What somebody publishes of their busy time alone. */
  addFreeBusy(part: ICAL.Component): void {
    for (const property of part.getAllProperties('freebusy')) {
      if (String(property.getParameter('fbtype') ?? 'BUSY').toUpperCase() === 'FREE') continue
      for (const period of property.getValues() as ICAL.Period[])
        this.add(this.instant(period.start, null), this.instant(period.getEnd(), null))
    }
  }
  spans(): BusySpans {
    const joined: BusySpans = []
    for (const [from, to] of this.#spans.toSorted((a, b) => a[0] - b[0])) {
      const last = joined.at(-1)
      if (last && from <= last[1]) last[1] = Math.max(last[1], to)
      else joined.push([from, to])
    }
    return joined
  }
}

function readEvents(reading: Reading, events: readonly ICAL.Component[]): void {
  const apart = new Map<string, Set<number>>()
  for (const event of events) {
    const uid = String(event.getFirstPropertyValue('uid') ?? '')
    const of: unknown = event.getFirstPropertyValue('recurrence-id')
    if (!(of instanceof ICAL.Time)) continue
    const times = apart.get(uid) ?? new Set()
    apart.set(uid, times.add(reading.instant(of, namedZone(event, 'recurrence-id') ?? namedZone(event, 'dtstart'))))
  }
  for (const event of events) {
    // One that says nothing of when it is takes nothing; the others are read all the same.
    if (!(event.getFirstPropertyValue('dtstart') instanceof ICAL.Time)) continue
    const repeats = !event.hasProperty('recurrence-id') && (event.hasProperty('rrule') || event.hasProperty('rdate'))
    if (repeats) reading.addEach(event, apart.get(String(event.getFirstPropertyValue('uid') ?? '')) ?? new Set())
    else reading.addOnce(event)
  }
}

/** @throws for what is no calendar */
export function readBusy(question: BusyQuestion): BusySpans | 'no_calendar' | 'too_much' {
  const parsed = ICAL.parse(question.text) as unknown[]
  const calendars = (Array.isArray(parsed[0]) ? parsed : [parsed]).map((one) => new ICAL.Component(one as [string, unknown[], unknown[]]))
  if (calendars.length === 0 || calendars.some(({ name }) => name !== 'vcalendar')) return 'no_calendar'
  const reading = new Reading(question)
  for (const calendar of calendars) {
    readEvents(reading, calendar.getAllSubcomponents('vevent'))
    for (const part of calendar.getAllSubcomponents('vfreebusy')) reading.addFreeBusy(part)
  }
  const spans = reading.spans()
  return reading.isTooMuch || spans.length > mostSpans ? 'too_much' : spans
}
