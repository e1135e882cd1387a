// The free starts of each class of services as rows of bits: five minutes near, parts of days far.
import { addDays, dayNumber } from '@soigne/scheduling/days'
import type { Day, EpochMinute, InstituteDiary } from '@soigne/scheduling/model'
import { offersForDays } from '@soigne/scheduling/offers'
import { dayOf, instantAtWall, spanOfDay } from '@soigne/scheduling/wall-clock'

export const binMinutes = 5
/** Near bits are made for this many days, and made anew when fewer than `nearDaysLeft` are left. */
export const nearDays = 14
export const nearDaysLeft = 9
/** Far bits reach this much over the horizon, so that they need not be made anew every day. */
const spareDays = 14
const minutesOfDay = 1440
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

/** The diary as if nobody minded short notice or how far ahead it is. Gaps that are only ranked are not weighed: it takes long. */
export function withoutNotice(diary: InstituteDiary): InstituteDiary {
  const { rules } = diary
  const services = [...diary.services].map(([id, rule]) => [id, { ...rule, noticeMinutes: 0 }] as const)
  const gaps = rules.gaps === 'hide' ? 'hide' : 'off'
  return { ...diary, rules: { ...rules, gaps, noticeMinutes: 0, horizonDays: 100_000 }, services: new Map(services) }
}

/** The same with every start, those that gaps hide too. */
export const withHidden = (diary: InstituteDiary): InstituteDiary => ({ ...diary, rules: { ...diary.rules, gaps: 'off' } })

/** The bits of one class for some days. */
export interface StartBits {
  /** From the first midnight on, a bit for five minutes; absent before and after what is covered. */
  near: Uint8Array
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

/** The free starts of one service in some days. The diary is one `withoutNotice`. */
export function startBits(diary: InstituteDiary, serviceId: string, asked: DaysOfCover): StartBits {
  const { fromDay, days, nearFrom, nearCount } = asked
  const bits: StartBits = {
    near: new Uint8Array(nearCount),
    far: [new Uint8Array(days), new Uint8Array(days), new Uint8Array(days)],
    offBins: false,
  }
  const now = spanOfDay(diary.timeZone, fromDay).from
  for (const [index, { day, times }] of offersForDays(diary, [{ serviceId }], { now, fromDay, days }).entries()) {
    if (times.length === 0) continue
    const [atNoon, atEvening] = edgesOfParts(diary.timeZone, day)
    for (const { startsAt } of times) {
      bits.far[startsAt < atNoon ? 0 : startsAt < atEvening ? 1 : 2][index] = 1
      const bin = startsAt / binMinutes
      if (!Number.isInteger(bin)) bits.offBins = true
      const near = Math.floor(bin) - nearFrom
      if (near >= 0 && near < nearCount) bits.near[near] = 1
    }
  }
  return bits
}

/** Bits as PostgreSQL reads them in hexadecimal; their number must be a multiple of four. */
export function hexOf(rows: readonly Uint8Array[]): string {
  const text: string[] = ['x']
  for (const row of rows) {
    for (let at = 0; at < row.length; at += 4)
      text.push(((row[at]! << 3) | (row[at + 1]! << 2) | (row[at + 2]! << 1) | row[at + 3]!).toString(16))
  }
  return text.join('')
}

/** Bits as PostgreSQL reads them one by one. */
export const bitsOf = (row: Uint8Array): string => row.join('')
