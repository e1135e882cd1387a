/** What the visits of a stretch come to, so that the figures of several stretches can be added up. */
import { MINUTES_OF_DAY, weekdayOfNumber } from '@soigne/scheduling/days'
import { localMinuteAt, zoneClock } from '@soigne/scheduling/wall-clock'
import * as z from 'zod/mini'
import type { Countable } from '#/features/monthly-totals/service.ts'
import { servicesBetween, type Slot, slotsBetween } from './store.ts'

const count = z.int().check(z.gte(0))
const figures = z.object({
  visits: count,
  done: count,
  cancelled: count,
  noShows: count,
  /** Minor units of the institute's currency. */
  revenue: count,
  /** Visits by 24 × weekday + hour of the zone's clock. */
  hours: z.array(z.tuple([count, count])),
  /** Id of a service, visits that were done, and their price. */
  services: z.array(z.tuple([z.uuid(), count, count])),
})
export type CountedFigures = z.output<typeof figures>

/** Steps that fall on whole hours of the zone's clock: an hour where its offsets are whole hours, else a quarter. */
export const stepOf = (timeZone: string): number => (zoneClock(timeZone).offsets.every((offset) => offset % 60 === 0) ? 60 : 15)

function busiestHours(slots: readonly Slot[], timeZone: string, step: number): CountedFigures['hours'] {
  const clock = zoneClock(timeZone)
  return slots.flatMap(({ slot, visits }): [number, number][] => {
    const local = localMinuteAt(clock, slot * step)
    const day = Math.floor(local / MINUTES_OF_DAY)
    return visits > 0 ? [[weekdayOfNumber(day) * 24 + Math.floor((local - day * MINUTES_OF_DAY) / 60), visits]] : []
  })
}

export function sumOfFigures(parts: readonly CountedFigures[]): CountedFigures {
  const sum = (key: 'visits' | 'done' | 'cancelled' | 'noShows' | 'revenue') => parts.reduce((total, one) => total + one[key], 0)
  const hours = new Map<number, number>()
  const services = new Map<string, readonly [number, number]>()
  for (const part of parts) {
    for (const [key, visits] of part.hours) hours.set(key, (hours.get(key) ?? 0) + visits)
    for (const [id, visits, revenue] of part.services) {
      const [before = 0, earned = 0] = services.get(id) ?? []
      services.set(id, [before + visits, earned + revenue])
    }
  }
  return {
    visits: sum('visits'),
    done: sum('done'),
    cancelled: sum('cancelled'),
    noShows: sum('noShows'),
    revenue: sum('revenue'),
    hours: [...hours].toSorted(([a], [b]) => a - b),
    services: [...services].map(([id, [visits, revenue]]) => [id, visits, revenue]),
  }
}

export const figuresOfMonth: Countable<CountedFigures> = {
  kind: 'figures',
  schema: figures,
  async count(db, scope, { instituteId, timeZone, from, to }, now) {
    const step = stepOf(timeZone)
    const slots = await slotsBetween(db, scope, { instituteId, from, to, now, minutes: step })
    const services = await servicesBetween(db, scope, { instituteId, from, to, now })
    const total = (key: 'visits' | 'done' | 'cancelled' | 'noShows' | 'revenue') => slots.reduce((sum, one) => sum + one[key], 0)
    return sumOfFigures([
      {
        visits: total('visits'),
        done: total('done'),
        cancelled: total('cancelled'),
        noShows: total('noShows'),
        revenue: total('revenue'),
        hours: busiestHours(slots, timeZone, step),
        services: services.map(({ id, visits, revenue }) => [id, visits, revenue]),
      },
    ])
  },
}
