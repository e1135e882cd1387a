// The found institutes as pins: each says when it is free next.
import type { InstituteCard } from '@soigne/contract/institutes'
import { useMemo } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { dayOf, useTimes } from '#/platform/time.ts'
import { useCardTexts } from './card-texts.ts'

export type InstitutePin = {
  id: string
  point: InstituteCard['location']
  /** "15:20" where all are of one day or it is today, else the weekday; empty without a time. */
  text: string
  label: string
  tone: 'soon' | 'later' | 'none'
  quarter: string | null
  city: string
}

/** 0 for Monday. */
function weekdayIndex(day: string): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
}

export function useMapPins(cards: readonly InstituteCard[], now: number): InstitutePin[] {
  const { t } = useTranslation('institutes')
  const times = useTimes()
  const { price } = useCardTexts()
  return useMemo(() => {
    const days = new Set(cards.flatMap(({ nextTimes: [first], timeZone }) => (first ? [dayOf(first.startsAt, timeZone)] : [])))
    return cards.map((card) => {
      const { _id: id, name, location: point, quarter, city, timeZone } = card
      const startsAt = card.nextTimes[0]?.startsAt
      const place = { id, point, quarter, city }
      if (startsAt === undefined) return { ...place, text: '', label: t('map.pinNone', { name }), tone: 'none' }
      const isToday = dayOf(startsAt, timeZone) === dayOf(now, timeZone)
      const time = times.time(startsAt, timeZone)
      const weekday = times.weekdays('short')[weekdayIndex(dayOf(startsAt, timeZone))] ?? ''
      const day = isToday ? times.dayOfInstant(startsAt, timeZone, 'short', now) : weekday
      return {
        ...place,
        text: isToday || days.size === 1 ? time : weekday,
        label: t('map.pin', { name, day, time, service: card.service?.name, price: price(card) }),
        tone: isToday || days.size === 1 ? 'soon' : 'later',
      }
    })
  }, [cards, now, t, times, price])
}
