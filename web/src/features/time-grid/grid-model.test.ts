import { describe, expect, it } from 'vitest'
import { at, diaryDay, diaryOf, diarySegment, diaryVisit } from '#/testing/diary.ts'
import { ines, maud } from '#/testing/institutes.ts'
import type { Diary } from '@soigne/contract/diary'
import { columnOf, hoursOf, laned } from './grid-model.ts'
import { clamped, isChange, pushed } from './grid-place.ts'

const columnFor = (diary: Diary, staffId = ines, from = 0) =>
  columnOf({ diary, day: diary.days[0] ?? { day: diaryDay, opens: [], closure: null, members: [] }, staffId, from })
/** What stands there beside the break of every day. */
const itemsOf = (diary: Diary, staffId = ines) => columnFor(diary, staffId).items.filter(({ kind }) => kind !== 'break')
const places = (diary: Diary, staffId = ines) =>
  itemsOf(diary, staffId).map(({ key, from, to, lane, lanes }) => [key, from, to, lane, lanes])

describe('a column of the calendar', () => {
  it('puts visits of a member where they are on the institute’s wall clock', () => {
    const diary = diaryOf({
      visits: [
        diaryVisit('v', '10:00', '11:20'),
        diaryVisit('w', '10:00', '11:00', { segments: [diarySegment('10:00', '11:00', { staffId: maud })] }),
      ],
    })
    expect(places(diary)).toEqual([['v:0:0', 600, 680, 0, 1]])
    expect(places(diary, maud)).toEqual([['w:0:0', 600, 660, 0, 1]])
  })

  it('stands overbooked visits side by side, and what does not overlap below them at full width', () => {
    const diary = diaryOf({
      visits: [diaryVisit('a', '11:00', '11:40'), diaryVisit('b', '11:20', '12:00'), diaryVisit('c', '14:00', '15:00')],
    })
    expect(places(diary)).toEqual([
      ['a:0:0', 660, 700, 0, 2],
      ['b:0:0', 680, 720, 1, 2],
      ['c:0:0', 840, 900, 0, 1],
    ])
  })

  it('leaves the waiting within a service free for another', () => {
    const colour = diaryVisit('anna', '14:00', '15:40', {
      segments: [diarySegment('14:00', '15:40', { idle: { startsAt: at('14:30'), endsAt: at('15:10') }, bufferAfterMinutes: 10 })],
    })
    const diary = diaryOf({ visits: [colour, diaryVisit('child', '14:40', '15:00')] })
    expect(places(diary)).toEqual([
      ['anna:0:0', 840, 870, 0, 1],
      ['child:0:0', 880, 900, 0, 1],
      ['anna:0:1', 910, 940, 0, 1],
    ])
    const column = columnFor(diary)
    expect(column.waits).toEqual([{ key: 'anna:0', from: 870, to: 910 }])
    // It is moved as a whole, and cleaned up after once.
    expect(itemsOf(diary).map((item) => (item.kind === 'visit' ? [item.whole, item.cleanUp] : []))).toEqual([
      [{ from: 840, to: 940 }, 0],
      [{ from: 880, to: 900 }, 0],
      [{ from: 840, to: 940 }, 10],
    ])
  })

  it('joins services that follow each other with one member, and parts those of two', () => {
    const second = { position: 1, serviceName: 'Hand massage' }
    const one = diaryVisit('v', '10:00', '11:20', { segments: [diarySegment('10:00', '11:00'), diarySegment('11:00', '11:20', second)] })
    const two = diaryVisit('w', '14:00', '15:20', {
      segments: [diarySegment('14:00', '15:00'), diarySegment('15:00', '15:20', { ...second, staffId: maud })],
    })
    const [joined, first] = itemsOf(diaryOf({ visits: [one, two] }))
    expect(joined).toMatchObject({ services: 'Gel manicure, Hand massage', part: null, last: 1 })
    expect(first).toMatchObject({ services: 'Gel manicure', part: 0 })
    expect(itemsOf(diaryOf({ visits: [two] }), maud)[0]).toMatchObject({ services: 'Hand massage', part: 1, from: 900 })
  })

  it('hides a cancelled visit where its time has been given to somebody, and only there', () => {
    const gone = diaryVisit('gone', '15:00', '16:00', { status: 'cancelled' })
    expect(places(diaryOf({ visits: [gone] }))).toHaveLength(1)
    expect(places(diaryOf({ visits: [gone, diaryVisit('new', '15:20', '16:00')] })).map(([key]) => key)).toEqual(['new:0:0'])
  })

  it('names breaks, leave and how full somebody is', () => {
    const diary = diaryOf()
    const member = diary.days[0]?.members[0]
    if (member) member.away = [{ _id: 'l', kind: 'sick_leave', startsAt: at('13:40'), endsAt: at('19:00') }]
    const column = columnFor(diary)
    expect(column.items).toMatchObject([{ kind: 'break', staffId: ines, from: 720, to: 780, startsAt: at('12:00'), endsAt: at('13:00') }])
    expect(column.grounds).toEqual([{ kind: 'sick_leave', from: 820, to: 1140 }])
    expect(column.taken).toBe(50)
  })

  it('draws no break under leave, and of one that leave cuts what is left beside it', () => {
    const breaksBeside = (...leave: [string, string][]) => {
      const diary = diaryOf()
      const member = diary.days[0]?.members[0]
      if (member) member.away = leave.map(([from, to]) => ({ _id: from, kind: 'on_holiday', startsAt: at(from), endsAt: at(to) }))
      return columnFor(diary).items
    }
    expect(breaksBeside(['10:00', '19:00'])).toEqual([])
    expect(breaksBeside(['10:00', '12:20'])).toMatchObject([{ kind: 'break', from: 740, to: 780, whole: { from: 720, to: 780 } }])
    expect(breaksBeside(['13:00', '19:00'])).toMatchObject([{ kind: 'break', from: 720, to: 780 }])
    const parts = breaksBeside(['12:20', '12:40'])
    expect(parts.map(({ from, to }) => [from, to])).toEqual([
      [720, 740],
      [760, 780],
    ])
    expect(new Set(parts.map(({ key }) => key)).size).toBe(2)
  })

  it('offers the free time between two visits from now on, neither scraps nor afternoons', () => {
    const visits = [
      diaryVisit('a', '13:00', '14:00'),
      diaryVisit('b', '14:40', '15:40'),
      diaryVisit('c', '16:00', '17:00'),
      diaryVisit('d', '19:00', '19:20'),
    ]
    expect(columnFor(diaryOf({ visits })).gaps).toEqual([{ from: 840, to: 880 }])
    expect(columnFor(diaryOf({ visits }), ines, 860).gaps).toEqual([])
  })

  it('ends at midnight with its day, goes on after it, and fills the days it lasts', () => {
    const block = (_id: string, startsAt: string, endsAt: string) =>
      ({ _id, staffId: ines, resourceId: null, startsAt, endsAt, kind: 'training', note: null }) as const
    const diary = diaryOf({
      visits: [
        diaryVisit('until', '22:00', '22:40', {
          startsAt: at('22:00', '2026-11-25'),
          endsAt: at('00:00'),
          segments: [{ ...diarySegment('22:00', '22:40'), startsAt: at('22:00', '2026-11-25'), endsAt: at('00:00') }],
        }),
      ],
    })
    expect(itemsOf(diary)).toEqual([])
    expect(hoursOf(diary, [columnFor(diary)])).toEqual({ from: 540, to: 1140 })
    const over = diaryOf({
      blocked: [
        block('fair', at('09:00', '2026-11-25'), at('12:00', '2026-11-27')),
        block('night', at('23:00'), at('01:00', '2026-11-27')),
      ],
    })
    expect(itemsOf(over).map(({ key, from, to }) => [key, from, to])).toEqual([
      ['fair', 0, 1440],
      ['night', 1380, 1440],
    ])
  })

  it('draws whole hours around all that is open, worked or booked', () => {
    const early = diaryOf({ visits: [diaryVisit('a', '07:40', '08:20')] })
    expect(hoursOf(early, [columnFor(early)])).toEqual({ from: 420, to: 1140 })
    expect(hoursOf(diaryOf({ days: [] }), [])).toEqual({ from: 540, to: 1080 })
  })
})

describe('places', () => {
  const geometry = { columns: [columnFor(diaryOf()), columnFor(diaryOf(), maud)], hours: { from: 540, to: 1140 }, step: 20 }

  it('push by steps, never out of the day nor past the last column', () => {
    const place = { column: 1, from: 1060, to: 1120 }
    expect(pushed(place, { minutes: 40, columns: 1, end: false }, geometry)).toEqual({ column: 1, from: 1080, to: 1140 })
    expect(pushed(place, { minutes: 0, columns: -1, end: false }, geometry)).toEqual({ ...place, column: 0 })
    expect(pushed(place, { minutes: -80, columns: 0, end: true }, geometry)).toEqual({ ...place, to: 1080 })
    expect(clamped(100, 60, geometry)).toBe(540)
  })

  it('know a change from a look', () => {
    const item = columnFor(diaryOf({ visits: [diaryVisit('v', '10:00', '11:00')] })).items[0]
    if (item?.kind !== 'visit') throw new Error('a visit')
    expect(isChange({ item, place: { column: 0, from: 600, to: 660 }, mode: 'move' }, 0)).toBe(false)
    expect(isChange({ item, place: { column: 1, from: 600, to: 660 }, mode: 'move' }, 0)).toBe(true)
  })

  it('share a moment between as many lanes as overlap', () => {
    const item = (key: string, from: number, to: number) => ({ key, from, to, lane: 0, lanes: 1 })
    expect(laned([item('a', 0, 30), item('b', 10, 20), item('c', 20, 40)]).map(({ key, lane, lanes }) => [key, lane, lanes])).toEqual([
      ['a', 0, 2],
      ['b', 1, 2],
      ['c', 1, 2],
    ])
  })
})
