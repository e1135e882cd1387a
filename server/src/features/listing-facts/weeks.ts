// Open spans of a year as one week: the hours that hold in most of its weeks.
import { minutesOfDay } from '@soigne/contract/time'

/** Minutes since local midnight of the weekday; past 1440 is after midnight. */
export interface WeekRow {
  /** 1 is Monday. */
  weekday: number
  opensAt: number
  closesAt: number
}

/** A span by the wall clock: whole days since the first Monday, and minutes of that day. */
export interface WallSpan {
  fromDay: number
  fromMinute: number
  toDay: number
  toMinute: number
}

export type WeekNote =
  /** Some weeks differ, as with public holidays. */
  | 'exceptions'
  /** Holidays change it, and which days they are is not known there: they are left out. */
  | 'holidays'
  /** No week is the usual one. */
  | 'seasons'
  /** By appointment, or open without an end: no hours one could rely on. */
  | 'indefinite'
  /** Never open. */
  | 'closed'

export interface Week {
  rows: WeekRow[]
  note: WeekNote | null
}

/** A night that ends by noon belongs to the evening it began. */
const longestNight = minutesOfDay + 720

interface DatedRow {
  day: number
  opensAt: number
  closesAt: number
}

/** One row for each day a span begins in or runs through. */
function rowsOf({ fromDay, fromMinute, toDay, toMinute }: WallSpan): DatedRow[] {
  const rows: DatedRow[] = []
  let at = { day: fromDay, minute: fromMinute }
  for (;;) {
    const closesAt = (toDay - at.day) * minutesOfDay + toMinute
    if (closesAt <= at.minute) return rows
    if (closesAt <= longestNight && (closesAt <= minutesOfDay || at.minute > 0))
      return [...rows, { day: at.day, opensAt: at.minute, closesAt }]
    rows.push({ day: at.day, opensAt: at.minute, closesAt: minutesOfDay })
    at = { day: at.day + 1, minute: 0 }
  }
}

const keyOf = (rows: readonly DatedRow[]): string => rows.map((row) => [row.day % 7, row.opensAt, row.closesAt].join(':')).join(' ')

/** The usual week among those sampled (their numbers from the first Monday); two thirds of them must agree. */
export function usualWeek(spans: readonly WallSpan[], weeks: readonly number[], hasUnknown: boolean): Week {
  const byWeek = new Map<number, DatedRow[]>(weeks.map((week) => [week, []]))
  for (const span of spans) for (const row of rowsOf(span)) byWeek.get(Math.floor(row.day / 7))?.push(row)
  const votes = new Map<string, { count: number; rows: DatedRow[] }>()
  for (const rows of byWeek.values()) {
    const key = keyOf(rows)
    const vote = votes.get(key) ?? { count: 0, rows }
    votes.set(key, { ...vote, count: vote.count + 1 })
  }
  const best = [...votes.values()].reduce((a, b) => (b.count > a.count ? b : a))
  if (best.count < (weeks.length * 2) / 3) return { rows: [], note: 'seasons' }
  const rows = best.rows.map((row) => ({ weekday: (row.day % 7) + 1, opensAt: row.opensAt, closesAt: row.closesAt }))
  // Open for a few weeks of the year is not closed for good.
  if (rows.length === 0) return { rows, note: spans.length > 0 ? 'seasons' : hasUnknown ? 'indefinite' : 'closed' }
  return { rows, note: votes.size > 1 || hasUnknown ? 'exceptions' : null }
}
