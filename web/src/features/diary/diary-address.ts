// The calendar's place in the address: view, day, person and the visit that is open. It stays on reload, and a link shows the same.
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { addDays, daysBetween } from '#/platform/time.ts'
import { addMonths, mondayOf, monthOf } from '#/ui/calendar-days.ts'

export const diaryViews = ['day', 'week', 'month', 'agenda'] as const
export type DiaryView = (typeof diaryViews)[number]

/** A date that is one: the calendar knows no 31 November. */
function isDay(text: string | null): text is string {
  if (text === null || !/^20\d\d-(0[1-9]|1[0-2])-\d\d$/.test(text)) return false
  return addDays(`${text.slice(0, 7)}-01`, Number(text.slice(8)) - 1) === text
}

export type DiaryPlace = {
  view: DiaryView
  /** Null: today, whatever day that is. */
  day: string | null
  staff: string | null
  visit: string | null
}

export function placeOfQuery(query: URLSearchParams): DiaryPlace {
  const day = query.get('day')
  return {
    view: diaryViews.find((view) => view === query.get('view')) ?? 'day',
    day: isDay(day) ? day : null,
    staff: query.get('staff'),
    visit: query.get('visit'),
  }
}

/** The day that a step forward or back leads to. */
export function stepped(view: DiaryView, day: string, by: number): string {
  if (view === 'month') return `${addMonths(monthOf(day), by)}-01`
  return addDays(day, view === 'day' ? by : 7 * by)
}

/** What a view asks the server for. */
export function spanOf(view: DiaryView, day: string): { from: string; days: number } {
  return view === 'day' ? { from: day, days: 1 } : { from: mondayOf(day), days: 7 }
}

export const isInSpan = (day: string, { from, days }: { from: string; days: number }): boolean => {
  const ahead = daysBetween(from, day)
  return ahead >= 0 && ahead < days
}

/** What a link may ask to begin with; it leaves the address with the next step. */
const beginnings = ['new', 'customer', 'block']

export function useDiaryAddress() {
  const [query, setQuery] = useSearchParams()
  const text = query.toString()
  const place = useMemo(() => placeOfQuery(new URLSearchParams(text)), [text])
  const go = useCallback(
    (part: Partial<DiaryPlace>, { replace = false }: { replace?: boolean } = {}) =>
      setQuery(
        (before) => {
          const next = new URLSearchParams(before)
          for (const name of beginnings) next.delete(name)
          for (const [name, value] of Object.entries(part)) {
            if (value === null || (name === 'view' && value === 'day')) next.delete(name)
            else next.set(name, value)
          }
          return next
        },
        { replace, preventScrollReset: true },
      ),
    [setQuery],
  )
  return { place, go }
}
