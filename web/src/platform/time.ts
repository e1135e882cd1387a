// The only formatter of dates, times and durations. Hours are 24 h with a colon, always in the institute's zone.
import { dayMs, type Instant, type InstantText, minuteMs, minutesOfDay } from '@soigne/contract/time'
import { useMemo } from 'react'
import { formatted } from './formatted.ts'
import { useTranslation } from './translation.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** Formats are costly to make and are asked for thousands of times. */
function format(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(`${locale}-u-nu-latn-ca-gregory`, options)
  formats.set(key, made)
  return made
}

export function capitalised(text: string, locale: string): string {
  return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1)
}

/**
 * The clock rules as the server knows them: a line for all zones with the same ones, their names and then minutes east
 * before the first change, followed by pairs of a change (minutes since the epoch) and the offset from it on. Browsers
 * carry rules of other years (Morocco differs by an hour in 2026); a salon has one wall clock, and the server's is the
 * one that books.
 */
export type ClockRules = string

let trusted: ClockRules = ''
let serverZones = new Map<string, readonly number[]>()

/** Called by the document with what the server sent; the same for every page and every visitor. */
export function trustZones(rules: ClockRules): void {
  if (rules === trusted) return
  trusted = rules
  serverZones = new Map()
  for (const line of rules.split('\n')) {
    const words = line.split(' ')
    const first = words.findIndex((word) => /^-?\d/.test(word))
    const offsets = words.slice(first).map(Number)
    for (const zone of words.slice(0, first)) serverZones.set(zone, offsets)
  }
}

/** The instant moved so that its UTC reading is the zone's wall clock; undefined for a zone the server did not send. */
function onWallClock(ms: number, zone: string): Date | undefined {
  const known = serverZones.get(zone)
  if (!known) return undefined
  let offset = known[0] ?? 0
  for (let at = 1; at + 1 < known.length && (known[at] ?? 0) * minuteMs <= ms; at += 2) offset = known[at + 1] ?? offset
  return new Date(ms + offset * minuteMs)
}

/** The instant of the wire's text; NaN for what is none. */
export const parseInstant = (text: string): Instant => Date.parse(text)

/** As the wire writes it. */
export const instantText = (instant: Instant): InstantText => new Date(instant).toISOString()

/** Whole minutes from one instant to another. */
export const minutesBetween = (from: string, to: string): number => Math.round((parseInstant(to) - parseInstant(from)) / minuteMs)

/** The reader's own zone, for what happened nowhere in particular; what an institute does is on its own clock. */
export const ownZone = (): string => format('en', {}).resolvedOptions().timeZone

/** 9:00, 16:40. */
export function timeText(instant: string, zone: string): string {
  const wall = onWallClock(Date.parse(instant), zone)
  if (wall) return `${wall.getUTCHours()}:${String(wall.getUTCMinutes()).padStart(2, '0')}`
  const parts = format('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone }).formatToParts(new Date(instant))
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  return `${Number(part('hour'))}:${part('minute')}`
}

/** Calendar date `YYYY-MM-DD` on the zone's wall calendar. */
export function dayOf(instant: string | number, zone: string): string {
  const wall = onWallClock(new Date(instant).getTime(), zone)
  if (wall) return wall.toISOString().slice(0, 10)
  return format('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone: zone }).format(new Date(instant))
}

/** The calendar date some days later; negative for earlier. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)
}

/** Whole days from one calendar date to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
}

/** Commas separate things, not the parts of a date; and the French count from the first. */
function spellDate(day: string, locale: string, options: Intl.DateTimeFormatOptions): string {
  return format(locale, { ...options, timeZone: 'UTC' })
    .formatToParts(new Date(`${day}T12:00:00Z`))
    .map(({ type, value }) => {
      if (type === 'literal') return value.replace(/[,،]/g, '')
      return type === 'day' && value === '1' && locale === 'fr' ? '1er' : value
    })
    .join('')
}

export const dateOnly = (day: string, locale: string, options: Intl.DateTimeFormatOptions): string =>
  formatted(`date ${day} ${locale} ${Object.entries(options).join(' ')}`, () => spellDate(day, locale, options))

export type DayStyle =
  /** Today, Tomorrow, Fri, then Fri 28 Nov. */
  | 'short'
  /** Today, Tomorrow, Friday, then Friday 28 November. */
  | 'long'
  /** Friday 28 November, whatever day it is. */
  | 'full'
  /** The same inside a sentence, where French begins it small. */
  | 'within'
  /** Fri 28 Nov inside a sentence, whatever day it is. */
  | 'date'

const shortDate: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short' }
const longDate: Intl.DateTimeFormatOptions = { weekday: 'long', day: 'numeric', month: 'long' }
const dayOptions: Record<DayStyle, { near: Intl.DateTimeFormatOptions; far: Intl.DateTimeFormatOptions }> = {
  short: { near: { weekday: 'short' }, far: shortDate },
  long: { near: { weekday: 'long' }, far: longDate },
  full: { near: longDate, far: longDate },
  within: { near: longDate, far: longDate },
  date: { near: shortDate, far: shortDate },
}

const nearDays = new Map<string, Intl.RelativeTimeFormat>()

function spellDay(day: string, today: string, locale: string, style: DayStyle): string {
  const ahead = daysBetween(today, day)
  if ((style === 'short' || style === 'long') && (ahead === 0 || ahead === 1)) {
    const known = nearDays.get(locale)
    const near = known ?? new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
    if (!known) nearDays.set(locale, near)
    return capitalised(near.format(ahead, 'day'), locale)
  }
  const options = dayOptions[style][ahead > 0 && ahead < 7 ? 'near' : 'far']
  const year = day.slice(0, 4) === today.slice(0, 4) ? {} : ({ year: 'numeric' } as const)
  // British order (Fri 28 Nov) reads the same way as French and Arabic.
  const text = spellDate(day, locale === 'en' ? 'en-GB' : locale, { ...options, ...(ahead > 6 || ahead < 0 ? year : {}) })
  return style === 'within' || style === 'date' ? text : capitalised(text, locale)
}

/** A calendar date seen from today. */
export const dayText = (day: string, today: string, locale: string, style: DayStyle = 'short'): string =>
  formatted(`day ${day} ${today} ${locale} ${style}`, () => spellDay(day, today, locale, style))

/** November 2026. */
export function monthText(day: string, locale: string): string {
  return capitalised(dateOnly(day, locale, { month: 'long', year: 'numeric' }), locale)
}

/** Names of the weekdays from Monday on. */
export function weekdayNames(locale: string, length: 'short' | 'long' | 'narrow' = 'short'): string[] {
  // 5 January 2026 is a Monday.
  return Array.from({ length: 7 }, (_, index) => capitalised(dateOnly(addDays('2026-01-05', index), locale, { weekday: length }), locale))
}

const durationFormats = new Map<string, Intl.NumberFormat>()

/** 40 min, 80 min: menus speak in minutes, so that lengths compare at a glance. */
export const durationText = (minutes: number, locale: string): string =>
  formatted(`minutes ${minutes} ${locale}`, () => spellDuration(minutes, locale))

function spellDuration(minutes: number, locale: string): string {
  const known = durationFormats.get(locale)
  // The short Arabic unit is a bare letter.
  const unitDisplay = locale === 'ar' ? 'long' : 'short'
  const format = known ?? new Intl.NumberFormat(`${locale}-u-nu-latn`, { style: 'unit', unit: 'minute', unitDisplay })
  if (!known) durationFormats.set(locale, format)
  return format.format(minutes)
}

const soonFormats = new Map<string, Intl.RelativeTimeFormat>()

/** In 20 minutes, In 3 hours, In 3 days. */
export const soonText = (minutes: number, locale: string): string => formatted(`in ${minutes} ${locale}`, () => spellSoon(minutes, locale))

function spellSoon(minutes: number, locale: string): string {
  const known = soonFormats.get(locale)
  const relative = known ?? new Intl.RelativeTimeFormat(`${locale}-u-nu-latn`, { numeric: 'always' })
  if (!known) soonFormats.set(locale, relative)
  if (minutes < 90) return capitalised(relative.format(minutes, 'minute'), locale)
  if (minutes < 36 * 60) return capitalised(relative.format(Math.round(minutes / 60), 'hour'), locale)
  return capitalised(relative.format(Math.round(minutes / minutesOfDay), 'day'), locale)
}

/** The formatter bound to the page's language. `today` is the institute's today. */
export function useTimes() {
  const { i18n } = useTranslation()
  const locale = i18n.language
  return useMemo(
    () => ({
      locale,
      /** 16:40 in the zone. */
      time: timeText,
      /** The day of an instant in words, seen from the zone's today. */
      dayOfInstant: (instant: string, zone: string, style?: DayStyle, now: number = Date.now()) =>
        dayText(dayOf(instant, zone), dayOf(now, zone), locale, style),
      /** A calendar date in words, seen from the zone's today. */
      day: (day: string, zone: string, style?: DayStyle, now: number = Date.now()) => dayText(day, dayOf(now, zone), locale, style),
      /** A date in two lines, such as 25 and Dec. */
      dateAndMonth: (day: string) => ({ date: Number(day.slice(8)), month: dateOnly(day, locale, { month: 'short' }) }),
      month: (day: string) => monthText(day, locale),
      weekdays: (length?: 'short' | 'long' | 'narrow') => weekdayNames(locale, length),
      duration: (minutes: number) => durationText(minutes, locale),
      soon: (minutes: number) => soonText(minutes, locale),
    }),
    [locale],
  )
}
