import { expect, test } from 'vitest'
import { freeSpans, openSpans, workingSpans } from './free-spans.ts'
import type { InstituteDiary, Span } from './model.ts'
import { busy, everyDay, hours, institute, member, service, TUESDAY, wallOf } from './testing/small-institute.ts'

const DIARY: InstituteDiary = institute({
  services: [service('cut')],
  open: ['10:00-20:00'],
  closures: [{ fromDay: TUESDAY, toDay: TUESDAY, part: hours('15:00-16:00') }],
  members: [
    member('ana', ['cut'], { rotas: [everyDay('09:00-18:00', ['12:00-13:00'])], busy: busy('10:30-11:00', '10:45-11:15', '17:30-19:00') }),
  ],
})

const shown = (spans: readonly Span[]): string => spans.map(({ from, to }) => `${wallOf(from)}-${wallOf(to)}`).join(' ')

test('open time is the opening hours without closures', () => {
  expect(shown(openSpans(DIARY, { fromDay: TUESDAY, days: 1 }))).toBe('10:00-15:00 16:00-20:00')
})

test('working time is the shift without breaks and closures, whatever is booked', () => {
  expect(shown(workingSpans(DIARY, 'ana', { fromDay: TUESDAY, days: 1 }))).toBe('09:00-12:00 13:00-15:00 16:00-18:00')
})

test('free time is working time inside the opening hours that is not booked', () => {
  expect(shown(freeSpans(DIARY, 'ana', { fromDay: TUESDAY, days: 1 }))).toBe('10:00-10:30 11:15-12:00 13:00-15:00 16:00-17:30')
  expect(freeSpans(DIARY, 'ana', { fromDay: TUESDAY, days: 2 })).toHaveLength(6)
  expect(freeSpans(DIARY, 'nobody', { fromDay: TUESDAY, days: 1 })).toEqual([])
})

test('free time after midnight of a night shift belongs to the next calendar day too', () => {
  const night = institute({
    services: [service('cut')],
    open: ['20:00-27:00'],
    members: [member('ana', ['cut'], { rotas: [everyDay('22:00-26:00')] })],
  })
  for (const spans of [freeSpans, workingSpans]) {
    expect(shown(spans(night, 'ana', { fromDay: TUESDAY, days: 1 }))).toBe('00:00-02:00 22:00-00:00')
  }
  expect(shown(openSpans(night, { fromDay: TUESDAY, days: 1 }))).toBe('00:00-03:00 20:00-00:00')
})
