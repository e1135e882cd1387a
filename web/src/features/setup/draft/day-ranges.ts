// Ranges of a day as they are proposed: usual hours, one more range, a break.
import type { OpeningRange } from './draft.ts'

export const usualDay: OpeningRange = { opensAt: '09:00', closesAt: '18:00' }

/** After the last range, an hour later and three hours long at most. */
export function nextRange(ranges: readonly OpeningRange[]): OpeningRange {
  const last = ranges.at(-1)
  if (!last) return usualDay
  const hour = Number(last.closesAt.slice(0, 2))
  const wall = (value: number) => `${String(Math.min(24, value)).padStart(2, '0')}:00`
  return { opensAt: wall(hour + 1), closesAt: wall(hour + 4) }
}

/** The last hour of the day is no start for another range. */
export const hasRoomAfter = (ranges: readonly OpeningRange[]): boolean => (ranges.at(-1)?.closesAt ?? '') < '23:00'

export const wallMinutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

const wallOf = (minutes: number): string => [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')

const usualBreak: OpeningRange = { opensAt: '13:00', closesAt: '14:00' }

/** Lunch; or the middle of a shift that has none within it. */
export function breakWithin({ opensAt, closesAt }: OpeningRange): OpeningRange {
  const [from, to] = [wallMinutes(opensAt), wallMinutes(closesAt)]
  if (to - from < 30 || (opensAt < usualBreak.opensAt && usualBreak.closesAt < closesAt)) return usualBreak
  const length = Math.min(60, Math.floor((to - from) / 30) * 10)
  const start = Math.floor((from + to - length) / 20) * 10
  return { opensAt: wallOf(start), closesAt: wallOf(start + length) }
}
