// The asked day and part of day as instants of each zone: zones are converted here, SQL only compares.
import { addDays, dayNumber, weekdayOfNumber } from '@soigne/scheduling/days'
import type { Day, EpochMinute, PartOfDay } from '@soigne/scheduling/model'
import { dayOf, spanOfDay, wallMinuteOf } from '@soigne/scheduling/wall-clock'
import { zoneAt } from '#/features/places/service.ts'
import { edgesOfParts } from '#/features/summary/service.ts'
import type { Point } from '#/features/institutes/service.ts'

/** How many days from today on a part of day without a day is looked for one by one at most; later days by their far bits. */
export const exactDays = 8

export interface ZoneNow {
  zone: string
  today: Day
  /** ISO weekday, 1 Monday … 7. */
  weekday: number
  /** Since local midnight. */
  minute: number
  /** First and last midnight of the asked day, or of today. */
  dayFrom: EpochMinute
  dayTo: EpochMinute
  /** The asked part of that day, or all of it. */
  from: EpochMinute
  to: EpochMinute
  /** The asked part of the next days, when no day was asked. */
  parts: (Stretch & { day: Day })[]
}

interface Stretch {
  dayFrom: EpochMinute
  dayTo: EpochMinute
  from: EpochMinute
  to: EpochMinute
}

function stretchOf(timeZone: string, day: Day, part: PartOfDay | undefined): Stretch {
  const { from, to } = spanOfDay(timeZone, day)
  const [noon, evening] = edgesOfParts(timeZone, day)
  const edges = { morning: [from, noon], afternoon: [noon, evening], evening: [evening, to] } as const
  const [start, end] = part === undefined ? [from, to] : edges[part]
  return { dayFrom: from, dayTo: to, from: start, to: end }
}

const partsAhead = (zone: string, today: Day, part: PartOfDay): ZoneNow['parts'] =>
  Array.from({ length: exactDays }, (_, at) => {
    const day = addDays(today, at)
    return { day, ...stretchOf(zone, day, part) }
  })

export const zonesNow = (zones: readonly string[], now: EpochMinute, day?: Day, part?: PartOfDay): ZoneNow[] =>
  zones.map((zone) => {
    const today = dayOf(zone, now)
    return {
      zone,
      today,
      weekday: weekdayOfNumber(dayNumber(today)),
      minute: Math.floor(wallMinuteOf(zone, now)),
      ...stretchOf(zone, day ?? today, part),
      parts: day === undefined && part !== undefined ? partsAhead(zone, today, part) : [],
    }
  })

/** The zones in which the asked stretch of the day is not over yet, where most of it is ahead first. */
export function zonesAhead(clocks: readonly ZoneNow[], now: EpochMinute): string[] {
  const left = ({ from, to }: ZoneNow): number => to - Math.max(from, now)
  return clocks
    .filter((clock) => left(clock) > 0)
    .sort((a, b) => left(b) - left(a))
    .map(({ zone }) => zone)
}

const directions = 12
const rings = 3

/** The zones one is likely to meet within a distance of a point. One that is missed costs time only: its institutes' diaries are asked. */
export function zonesAround({ lat, lon }: Point, radiusKm: number): string[] {
  const zones = new Set([zoneAt(lat, lon)])
  const degrees = radiusKm / 111
  for (let ring = 1; ring <= rings; ring++) {
    for (let turn = 0; turn < directions; turn++) {
      const angle = (turn * 2 * Math.PI) / directions
      const north = lat + (degrees * ring * Math.sin(angle)) / rings
      const east = lon + (degrees * ring * Math.cos(angle)) / rings / Math.max(0.05, Math.cos((lat * Math.PI) / 180))
      zones.add(zoneAt(Math.min(90, Math.max(-90, north)), ((((east + 180) % 360) + 360) % 360) - 180))
    }
  }
  return [...zones]
}
