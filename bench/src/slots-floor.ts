/**
 * The floor for computing slots: which starts of a month leave at least one member free, and nothing else. No buffers, breaks, resources,
 * reasons or names; epoch milliseconds, the zone asked once a day and kept.
 */
import { minuteMs } from '@soigne/contract/time'

/** What the floor computes from: for each member the busy times in epoch milliseconds, in any order. */
export interface FloorMonth {
  readonly timeZone: string
  readonly days: readonly Temporal.PlainDate[]
  readonly minutes: number
  readonly busy: readonly (readonly { readonly from: number; readonly to: number }[])[]
}

interface SortedBusy {
  readonly starts: Float64Array
  readonly ends: Float64Array
}

const RANGES = [
  [9 * 60, 13 * 60],
  [14 * 60, 18 * 60],
] as const
const MINUTE = minuteMs

const midnights = new Map<string, number>()

function midnightOf(timeZone: string, day: Temporal.PlainDate): number {
  const key = `${timeZone} ${String(day)}`
  const kept = midnights.get(key)
  if (kept !== undefined) return kept
  const at = day.toZonedDateTime({ timeZone, plainTime: '09:00' }).epochMilliseconds - 9 * 60 * MINUTE
  midnights.set(key, at)
  return at
}

/** Every start of the month, as epoch milliseconds. */
export function floorStarts(month: FloorMonth): readonly number[] {
  const busy = month.busy.map(sortBusy)
  const step = month.minutes * MINUTE
  const cursors = new Int32Array(busy.length)
  const starts: number[] = []
  for (const day of month.days) {
    if (day.dayOfWeek === 7) continue
    const midnight = midnightOf(month.timeZone, day)
    for (const [opens, closes] of RANGES) {
      const last = midnight + closes * MINUTE - step
      for (let at = midnight + opens * MINUTE; at <= last; at += step) {
        if (anyoneFree(busy, cursors, at, at + step)) starts.push(at)
      }
    }
  }
  return starts
}

/** Starts and lengths fit one float together, so that one native sort does. */
function sortBusy(busy: FloorMonth['busy'][number]): SortedBusy {
  const packed = new Float64Array(busy.length)
  for (let i = 0; i < busy.length; i++) packed[i] = (busy[i]!.from / MINUTE) * 1024 + (busy[i]!.to - busy[i]!.from) / MINUTE
  packed.sort()
  const starts = new Float64Array(busy.length)
  const ends = new Float64Array(busy.length)
  for (let i = 0; i < packed.length; i++) {
    const start = Math.floor(packed[i]! / 1024)
    starts[i] = start * MINUTE
    ends[i] = (start + packed[i]! - start * 1024) * MINUTE
  }
  return { starts, ends }
}

function anyoneFree(busy: readonly SortedBusy[], cursors: Int32Array, from: number, to: number): boolean {
  for (let member = 0; member < busy.length; member++) {
    const { starts, ends } = busy[member]!
    let cursor = cursors[member]!
    while (cursor < ends.length && ends[cursor]! <= from) cursor++
    cursors[member] = cursor
    if (cursor === ends.length || starts[cursor]! >= to) return true
  }
  return false
}
