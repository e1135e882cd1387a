import { afterEach, describe, expect, it } from 'vitest'
import { at, diaryDay, diaryOf, diaryVisit } from '#/testing/diary.ts'
import { ines } from '#/testing/institutes.ts'
import { placeOfQuery, spanOf, stepped } from './diary-address.ts'
import { spliced } from './spliced.ts'
import { stripOf, takenBy } from './team-week.tsx'
import { commandOf } from './use-commands.ts'
import { touchedDays } from './use-diary.ts'

describe('the place in the address', () => {
  it('is a view, a day and a person; what is none falls back', () => {
    expect(placeOfQuery(new URLSearchParams('view=week&day=2026-11-26&staff=s&visit=v'))).toEqual({
      view: 'week',
      day: '2026-11-26',
      staff: 's',
      visit: 'v',
    })
    expect(placeOfQuery(new URLSearchParams('view=year&day=2026-99-99'))).toEqual({ view: 'day', day: null, staff: null, visit: null })
  })

  it('asks for a day or for its week from Monday, and steps by as much', () => {
    expect(spanOf('day', '2026-11-26')).toEqual({ from: '2026-11-26', days: 1 })
    expect(spanOf('agenda', '2026-11-29')).toEqual({ from: '2026-11-23', days: 7 })
    expect([stepped('day', '2026-11-30', 1), stepped('week', '2026-11-26', -1), stepped('month', '2026-12-31', 1)]).toEqual([
      '2026-12-01',
      '2026-11-19',
      '2027-01-01',
    ])
  })
})

describe('a change on another screen', () => {
  it('touches the days it lies on, by the institute’s clock', () => {
    expect(touchedDays({ startsAt: at('23:30'), endsAt: at('00:30', '2026-11-27') }, 'Europe/Paris')).toEqual({ from: diaryDay, days: 2 })
    expect(touchedDays({ startsAt: at('23:00'), endsAt: at('00:00', '2026-11-27') }, 'Europe/Paris')).toEqual({ from: diaryDay, days: 1 })
    expect(touchedDays({ startsAt: null, endsAt: null }, 'Europe/Paris')).toBeNull()
  })

  it('replaces these days alone: what moved away is gone, what came is there', () => {
    const other = diaryVisit('other', '10:00', '11:00', { startsAt: at('10:00', '2026-11-27'), endsAt: at('11:00', '2026-11-27') })
    const moved = { ...other, startsAt: at('12:00'), endsAt: at('13:00'), version: 2 }
    const week = diaryOf({ visits: [diaryVisit('gone', '09:00', '10:00'), other] })
    const fresh = spliced(week, diaryOf({ version: 8, visits: [moved] }))
    expect(fresh.visits).toEqual([moved])
    expect(fresh.version).toBe(8)
  })

  it('is not undone by an older answer', () => {
    const week = diaryOf()
    expect(spliced(week, diaryOf({ version: 6, visits: [diaryVisit('old', '09:00', '10:00')] }))).toBe(week)
  })
})

describe('a week at a glance', () => {
  const visits = [
    diaryVisit('a', '09:00', '10:00'),
    diaryVisit('b', '10:00', '11:00', { status: 'cancelled' }),
    diaryVisit('c', '11:00', '12:00', { attendance: 'no_show' }),
  ]

  it('counts who comes, not who cancelled or did not come', () => {
    expect(takenBy(diaryOf({ visits }), diaryDay, ines).visits).toBe(1)
  })

  it('has a cell for each step: filled, free, or hatched in the break', () => {
    const diary = diaryOf({ visits })
    const [day] = diary.days
    const member = day?.members[0]
    const cells = day && member ? stripOf(diary, day, member) : []
    expect(cells).toHaveLength(30)
    expect([cells.slice(0, 3), cells[3], cells[9], cells[12]]).toEqual([['filled', 'filled', 'filled'], 'free', 'hatched', 'free'])
  })
})

describe('single keys', () => {
  afterEach(() => document.body.replaceChildren())
  const press = (key: string, target: Element = document.body, part: KeyboardEventInit = {}) => {
    document.body.append(target === document.body ? document.createElement('i') : target)
    let command: ReturnType<typeof commandOf> = null
    const hear = (event: Event) => (command = commandOf(event as KeyboardEvent, false))
    document.addEventListener('keydown', hear)
    target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...part }))
    document.removeEventListener('keydown', hear)
    return command
  }

  it('command the calendar', () => {
    expect(['t', 'w', 'n', 'b', '/', '?', 'ArrowRight', 'x'].map((key) => press(key))).toEqual([
      'today',
      'week',
      'new',
      'block',
      'search',
      'help',
      'next',
      null,
    ])
  })

  it('are those of the place on the keyboard where another script is written', () => {
    const arabic = [
      ['ف', 'KeyT'],
      ['ص', 'KeyW'],
      ['ى', 'KeyN'],
      ['؟', 'Slash'],
      ['ظ', 'Slash'],
    ].map(([key = '', code = '']) => press(key, document.body, { code, shiftKey: key === '؟' }))
    expect(arabic).toEqual(['today', 'week', 'new', 'help', 'search'])
    // By what is written where it is Latin: this is an A of AZERTY, and a T of Dvorak.
    expect([press('a', document.body, { code: 'KeyQ' }), press('t', document.body, { code: 'KeyK' })]).toEqual(['agenda', 'today'])
  })

  it('never fire while somebody types, nor with another key held', () => {
    for (const name of ['input', 'textarea', 'select']) expect(press('n', document.createElement(name))).toBeNull()
    expect(press('n', document.body, { ctrlKey: true })).toBeNull()
    expect(press('w', document.body, { metaKey: true })).toBeNull()
  })
})
