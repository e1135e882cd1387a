// Free and taken starts of days, from any source: a new booking or a visit that moves.
import type { SlotGroup, SlotOption } from '#/ui/slot-grid.tsx'
import { instantText, parseInstant, timeText } from '#/platform/time.ts'

export type DayTimes = {
  day: string
  times: readonly { startsAt: string; endsAt: string; seatsLeft?: number | undefined }[]
  taken: readonly string[]
}

export type TimeSource = {
  /** Names what the times are for; another name is another set of answers. */
  key: readonly unknown[]
  /** Where it is known: whether the times are those of a class. */
  isClass?: boolean
  days: (from: string, count: number, signal: AbortSignal) => Promise<readonly DayTimes[]>
  /** Which days of a month, `YYYY-MM`, have room. */
  month: (month: string, signal: AbortSignal) => Promise<readonly { day: string; hasRoom: boolean }[]>
  /** The first free start from a day on. */
  next: (from: string, signal: AbortSignal) => Promise<string | null>
}

const parts = ['morning', 'afternoon', 'evening'] as const
export type Part = (typeof parts)[number]

/** Before noon, before five, later; on the institute's wall clock. */
export function partOf(time: string): Part {
  const hour = Number(time.split(':')[0])
  if (hour < 12) return 'morning'
  return hour < 17 ? 'afternoon' : 'evening'
}

/** The day's starts in order, taken ones among the free, by part of day. Classes say how many places are left. What this person holds is nobody else's: it is theirs to choose. */
export function groupTimes(
  { times, taken }: DayTimes,
  timeZone: string,
  label: (part: Part) => string,
  placesLeft: (count: number) => string,
  held: { startsAt: string; label: string } | null = null,
): SlotGroup[] {
  const heldAt = held && parseInstant(held.startsAt)
  const free = new Set([...times.map(({ startsAt }) => parseInstant(startsAt)), heldAt])
  const isOffered = times.some(({ startsAt }) => parseInstant(startsAt) === heldAt)
  const options: (SlotOption & { part: Part })[] = [
    ...times.map(({ startsAt, seatsLeft }) => ({ startsAt, seatsLeft, taken: false })),
    ...taken.filter((startsAt) => !free.has(parseInstant(startsAt))).map((startsAt) => ({ startsAt, seatsLeft: undefined, taken: true })),
    ...(held && !isOffered ? [{ startsAt: held.startsAt, seatsLeft: undefined, taken: false }] : []),
  ]
    .sort((one, other) => parseInstant(one.startsAt) - parseInstant(other.startsAt))
    .map(({ startsAt, seatsLeft, taken: isTaken }) => {
      const time = timeText(startsAt, timeZone)
      return {
        value: instantText(parseInstant(startsAt)),
        time,
        taken: isTaken,
        part: partOf(time),
        ...(seatsLeft !== undefined && { note: placesLeft(seatsLeft) }),
        ...(held && parseInstant(startsAt) === heldAt && { spoken: held.label }),
      }
    })
  return parts.map((part) => ({ label: label(part), slots: options.filter((option) => option.part === part) }))
}
