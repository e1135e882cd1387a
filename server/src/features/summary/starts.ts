// The free starts of each class of services as rows of bits: five minutes near, parts of days far.
import { isDeepStrictEqual } from 'node:util'
import { LRUCache } from 'lru-cache'
import { type Bits, nextSet } from '@soigne/scheduling/bits'
import { addDays, dayNumber, dayOfNumber } from '@soigne/scheduling/days'
import { diaryFor } from '@soigne/scheduling/at-home'
import { freeStarts, type FreeStarts } from '@soigne/scheduling/free-starts'
import type { FreeTime } from '@soigne/scheduling/free-time'
import type { CartLine, Day, EpochMinute, InstituteDiary } from '@soigne/scheduling/model'
import { dayOf, instantAtWall, spanOfDay } from '@soigne/scheduling/wall-clock'
import { minutesOfDay } from '@soigne/contract/time'

export const binMinutes = 5
/** Near bits are made for this many days, and made anew when fewer than `nearDaysLeft` are left. */
export const nearDays = 14
export const nearDaysLeft = 9
/** Far bits reach this much over the horizon, so that they need not be made anew every day. */
const spareDays = 14
const noon = 12 * 60
const evening = 17 * 60

/** What a summary covers: `nearFrom` in bins since the epoch, `firstDay` on the calendar of the institute. */
export interface Cover {
  nearFrom: number
  nearCount: number
  firstDay: Day
  dayCount: number
}

/** A cover that begins today. Counts are multiples of four, so that rows of bits can be written as hexadecimal digits. */
export function coverFrom(diary: InstituteDiary, now: EpochMinute): Cover {
  const today = dayOf(diary.timeZone, now)
  return {
    nearFrom: Math.floor(now / minutesOfDay) * (minutesOfDay / binMinutes),
    nearCount: (nearDays * minutesOfDay) / binMinutes,
    firstDay: today,
    dayCount: Math.ceil((diary.rules.horizonDays + spareDays) / 4) * 4,
  }
}

/** The bits of one class for some days. */
export interface StartBits {
  /** From the first midnight on, a bit for five minutes; absent before and after what is covered. */
  near: Uint8Array
  /** The same with the starts that gaps hide; only where gaps are hidden. */
  nearAll: Uint8Array | null
  /** Three rows of a bit for each day. */
  far: [Uint8Array, Uint8Array, Uint8Array]
  /** A start lies off the five minutes. */
  offBins: boolean
}

/** Where the days of a question lie in a cover. */
export interface DaysOfCover {
  fromDay: Day
  days: number
  /** Bins since the epoch. */
  nearFrom: number
  nearCount: number
}

/** The part of the cover that some days of the calendar take; null when they lie outside of it. */
export function daysWithin(diary: InstituteDiary, cover: Cover, fromDay: Day, toDay: Day): DaysOfCover | null {
  const lastDay = addDays(cover.firstDay, cover.dayCount - 1)
  const from = fromDay < cover.firstDay ? cover.firstDay : fromDay
  const to = toDay > lastDay ? lastDay : toDay
  if (from > to) return null
  const start = Math.max(Math.floor(spanOfDay(diary.timeZone, from).from / binMinutes), cover.nearFrom)
  const end = Math.min(Math.ceil(spanOfDay(diary.timeZone, to).to / binMinutes), cover.nearFrom + cover.nearCount)
  return { fromDay: from, days: dayNumber(to) - dayNumber(from) + 1, nearFrom: start, nearCount: Math.max(0, end - start) }
}

/** Noon and five o'clock of a day as instants; where the clock skips them, the instant of the change. */
export const edgesOfParts = (timeZone: string, day: Day): [EpochMinute, EpochMinute] => [
  instantAtWall(timeZone, day, noon).at,
  instantAtWall(timeZone, day, evening).at,
]

/** The free starts of services in some days, each alone, notice and horizon left out. */
export const startBits = (diary: InstituteDiary, lines: readonly CartLine[], asked: DaysOfCover): StartBits[] =>
  readBits(diary, lines, asked).bits

interface Reading {
  lines: readonly CartLine[]
  asked: DaysOfCover
  bits: StartBits[]
  free: FreeTime
}
/** What was last read of a diary, some 40 kB for twenty people: in a rush the next visit of an institute is often on the same day. */
const readings = new LRUCache<InstituteDiary, Reading>({ max: 100 })

/** The same before and after visits came or went: whose time has not changed is read once. A diary never changes, another takes its place. */
export function startBitsOfBoth(before: InstituteDiary, after: InstituteDiary, lines: readonly CartLine[], asked: DaysOfCover) {
  const kept = readings.get(before)
  const { bits: old, free } = kept?.lines === lines && isDeepStrictEqual(kept.asked, asked) ? kept : readBits(before, lines, asked)
  const { bits: fresh, free: left } = readBits(after, lines, asked, free)
  readings.delete(before)
  readings.set(after, { lines, asked, bits: fresh, free: left })
  return { old, fresh }
}

function readBits(diary: InstituteDiary, lines: readonly CartLine[], asked: DaysOfCover, like?: FreeTime) {
  const edges = edgesOfDays(diary.timeZone, asked)
  const bitsOf = ({ origin, services }: FreeStarts): StartBits[] => {
    const within = edges.map((edge) => edge - origin)
    return services.map(({ every, offered }) => ({
      ...nearRow(offered, origin, within, asked),
      nearAll: every === offered ? null : nearRow(every, origin, within, asked).near,
      far: farRows(offered, within, asked.days),
    }))
  }
  // At home a service is another one, in a diary of its own; all others are read at once.
  const usual = lines.filter(({ atHome }) => !atHome)
  const starts = freeStarts(
    diary,
    usual.map(({ serviceId }) => serviceId),
    asked,
    like,
  )
  const usualBits = bitsOf(starts)
  const known = new Map(usual.map((line, at) => [line, usualBits[at] as StartBits]))
  const bits = lines.flatMap((line) => known.get(line) ?? bitsOf(freeStarts(diaryFor(diary, [line]), [line.serviceId], asked)))
  return { bits, free: starts.free }
}

/** Where the parts of the days begin, and where the last ends. */
function edgesOfDays(timeZone: string, { fromDay, days }: DaysOfCover): EpochMinute[] {
  const edges: EpochMinute[] = []
  const first = dayNumber(fromDay)
  for (let number = first; number < first + days; number++) {
    const day = dayOfNumber(number)
    edges.push(spanOfDay(timeZone, day).from, ...edgesOfParts(timeZone, day))
  }
  return [...edges, spanOfDay(timeZone, dayOfNumber(first + days)).from]
}

function nearRow(starts: Bits, origin: EpochMinute, edges: readonly number[], asked: DaysOfCover): Pick<StartBits, 'near' | 'offBins'> {
  const near = new Uint8Array(asked.nearCount)
  const end = edges.at(-1) ?? 0
  let offBins = false
  for (let at = nextSet(starts, edges[0] ?? 0, end); at < end; at = nextSet(starts, at + 1, end)) {
    const bin = (origin + at) / binMinutes
    if (!Number.isInteger(bin)) offBins = true
    const place = Math.floor(bin) - asked.nearFrom
    if (place >= 0 && place < asked.nearCount) near[place] = 1
  }
  return { near, offBins }
}

function farRows(starts: Bits, edges: readonly number[], days: number): StartBits['far'] {
  const rows: StartBits['far'] = [new Uint8Array(days), new Uint8Array(days), new Uint8Array(days)]
  for (let at = 0; at < 3 * days; at++) {
    const [from = 0, to = 0] = [edges[at], edges[at + 1]]
    if (nextSet(starts, from, to) < to) rows[at % 3]![Math.floor(at / 3)] = 1
  }
  return rows
}

const digits = Buffer.from('0123456789abcdef')

/** Bits as PostgreSQL reads them in hexadecimal; their number must be a multiple of four. */
export function hexOf(rows: readonly Uint8Array[]): string {
  const text = Buffer.alloc(rows.reduce((sum, row) => sum + row.length / 4, 0))
  let place = 0
  for (const row of rows) {
    for (let at = 0; at < row.length; at += 4)
      text[place++] = digits[(row[at]! << 3) | (row[at + 1]! << 2) | (row[at + 2]! << 1) | row[at + 3]!]!
  }
  return `x${text.toString('latin1')}`
}

/** Bits as PostgreSQL reads them one by one. */
export const bitsOf = (row: Uint8Array): string => row.join('')
