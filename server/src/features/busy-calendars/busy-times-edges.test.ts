/** The edges of what calendars of others say: repeats that end, days on which clocks change, odd files, and very many events. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BusySpans, readBusy } from './busy-times.ts'

const event = (...lines: string[]): string[] => ['BEGIN:VEVENT', 'UID:one', ...lines, 'END:VEVENT']
const calendarOf = (lines: readonly string[], newline = '\r\n'): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', ...lines, 'END:VCALENDAR', ''].join(newline)

interface Asked {
  from?: string
  to?: string
  timeZone?: string
}
function spansOf(text: string, { from = '2026-11-01', to = '2026-12-01', timeZone = 'Europe/Paris' }: Asked = {}): BusySpans {
  const read = readBusy({ text, timeZone, from: Date.parse(`${from}T00:00Z`), to: Date.parse(`${to}T00:00Z`) })
  if (typeof read === 'string') throw new Error(read)
  return read
}
const shown = (text: string, asked: Asked = {}): string[] =>
  spansOf(text, asked).map((span) => span.map((at) => new Date(at).toISOString().slice(5, 16)).join('–'))
const begins = (lines: readonly string[], asked: Asked = {}): string =>
  spansOf(calendarOf(lines), asked)
    .map(([at]) => new Date(at).toISOString().slice(8, 13))
    .join(' ')
const compact = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`

describe('how long something takes', () => {
  it.each([
    ['through the hour that is not there', ['DTSTART;TZID=Europe/Paris:20260329T023000', 'DURATION:PT30M'], ['03-29T01:30–03-29T02:00']],
    [
      'half an hour before an hour that comes twice',
      ['DTSTART;TZID=Europe/Paris:20261025T023000', 'DURATION:PT30M'],
      ['10-25T00:30–10-25T01:00'],
    ],
    ['four hours through a longer night', ['DTSTART;TZID=Europe/Paris:20261024T230000', 'DURATION:PT4H'], ['10-24T21:00–10-25T01:00']],
    [
      'a day on the wall through a longer night',
      ['DTSTART;TZID=Europe/Paris:20261024T230000', 'DURATION:P1D'],
      ['10-24T21:00–10-25T22:00'],
    ],
    [
      'until an end in another zone, each time it repeats',
      ['DTSTART;TZID=Europe/Paris:20261102T120000', 'DTEND;TZID=America/New_York:20261102T080000', 'RRULE:FREQ=DAILY;COUNT=2'],
      ['11-02T11:00–11-02T13:00', '11-03T11:00–11-03T13:00'],
    ],
    [
      'its first time too, where dates are given without a rule',
      ['DTSTART:20261102T120000Z', 'DURATION:PT1H', 'RDATE:20261110T120000Z'],
      ['11-02T12:00–11-02T13:00', '11-10T12:00–11-10T13:00'],
    ],
  ])('%s', (_what, lines, expected) => {
    expect(shown(calendarOf(event(...lines)), { from: '2026-03-01', to: '2026-12-01' })).toEqual(expected)
  })
})

describe('what repeats', () => {
  const noon = ['DTSTART:20261102T120000Z', 'DURATION:PT1H']
  it.each([
    [
      'ends after its count, times left out included',
      [...noon, 'RRULE:FREQ=DAILY;COUNT=4', 'EXDATE:20261103T120000Z'],
      '02T12 04T12 05T12',
    ],
    [
      'counts from its first time, though that lies before the window',
      ['DTSTART:20261030T120000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=4'],
      '01T12 02T12',
    ],
    ['has the time it ends on, and none after', [...noon, 'RRULE:FREQ=DAILY;UNTIL=20261104T120000Z'], '02T12 03T12 04T12'],
    ['has no time a second after its end', [...noon, 'RRULE:FREQ=DAILY;UNTIL=20261104T115959Z'], '02T12 03T12'],
    [
      'leaves out several times of one line',
      [...noon, 'RRULE:FREQ=DAILY;COUNT=5', 'EXDATE:20261103T120000Z,20261105T120000Z'],
      '02T12 04T12 06T12',
    ],
    ['leaves out none where the time is another one', [...noon, 'RRULE:FREQ=DAILY;COUNT=2', 'EXDATE:20261103T120500Z'], '02T12 03T12'],
    ['skips weeks', [...noon, 'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE'], '02T12 04T12 16T12 18T12 30T12'],
    ['knows the last Friday of a month', ['DTSTART:20260130T120000Z', 'DURATION:PT1H', 'RRULE:FREQ=MONTHLY;BYDAY=-1FR'], '27T12'],
    ['is on given dates too', [...noon, 'RRULE:FREQ=DAILY;COUNT=1', 'RDATE:20261110T120000Z,20261120T070000Z'], '02T12 10T12 20T07'],
    ['was over long ago', ['DTSTART:20200101T120000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;UNTIL=20201231T120000Z'], ''],
    ['is cancelled as a whole', [...noon, 'RRULE:FREQ=DAILY', 'STATUS:CANCELLED'], ''],
    ['is free as a whole', [...noon, 'RRULE:FREQ=DAILY', 'TRANSP:transparent'], ''],
  ])('%s', (_what, lines, expected) => {
    expect(begins(event(...lines))).toBe(expected)
  })

  it('keeps its hour on the wall over both changes of the clocks', () => {
    const daily = event('DTSTART;TZID=Europe/Paris:20260101T090000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY')
    expect(begins(daily, { from: '2026-03-28', to: '2026-03-30' })).toBe('28T08 29T07')
    expect(begins(daily, { from: '2026-10-24', to: '2026-10-26' })).toBe('24T07 25T08')
  })

  it('moves only the time that has an entry of its own, of the same event', () => {
    const series = event('DTSTART:20261102T120000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=3')
    const moved = ['RECURRENCE-ID:20261103T120000Z', 'DTSTART:20261120T070000Z', 'DURATION:PT1H']
    expect(begins([...series, ...event(...moved)])).toBe('02T12 04T12 20T07')
    const ofAnother = ['BEGIN:VEVENT', 'UID:two', ...moved, 'END:VEVENT']
    expect(begins([...series, ...ofAnother])).toBe('02T12 03T12 04T12 20T07')
  })
})

describe('days and zones', () => {
  const wholeDay = (day: string, timeZone: string, asked: Asked): number[] =>
    spansOf(calendarOf(event(`DTSTART;VALUE=DATE:${day}`)), { timeZone, ...asked }).map(([from, to]) => (to - from) / 3_600_000)
  const spring = { from: '2026-03-01', to: '2026-04-30' }
  const autumn = { from: '2026-10-01', to: '2026-11-30' }

  it.each([
    ['20260329', 'Europe/Paris', spring, 23],
    ['20261025', 'Europe/Paris', autumn, 25],
    ['20260308', 'America/New_York', spring, 23],
    ['20261101', 'America/New_York', autumn, 25],
    ['20260405', 'Australia/Lord_Howe', spring, 24.5],
    ['20260424', 'Africa/Cairo', spring, 23],
    ['20260329', 'Africa/Tunis', spring, 24],
  ])('a whole day, %s in %s, is as long as it is there', (day, timeZone, asked, hours) => {
    expect(wholeDay(day, timeZone, asked)).toEqual([hours])
  })

  it('a zone nobody knows is the institute’s own', () => {
    const text = calendarOf(event('DTSTART;TZID=Somewhere/Else:20261124T090000', 'DURATION:PT1H'))
    expect(shown(text)).toEqual(['11-24T08:00–11-24T09:00'])
    expect(shown(text, { timeZone: 'Asia/Tokyo' })).toEqual(['11-24T00:00–11-24T01:00'])
  })

  it('begin and end may be in two zones, and an end without one is in that of its begin', () => {
    const flight = event('DTSTART;TZID=Europe/Paris:20261124T100000', 'DTEND;TZID=America/New_York:20261124T120000')
    expect(shown(calendarOf(flight))).toEqual(['11-24T09:00–11-24T17:00'])
    const oneZone = event('DTSTART;TZID=America/New_York:20261124T100000', 'DTEND:20261124T110000')
    expect(shown(calendarOf(oneZone))).toEqual(['11-24T15:00–11-24T16:00'])
  })

  it('an hour that the clocks skip is the one after it, and one that comes twice is the first', () => {
    const between = (from: string, to: string) => calendarOf(event(`DTSTART;TZID=Europe/Paris:${from}`, `DTEND;TZID=Europe/Paris:${to}`))
    expect(shown(between('20260329T023000', '20260329T040000'), spring)).toEqual(['03-29T01:30–03-29T02:00'])
    expect(shown(between('20261025T023000', '20261025T024500'), autumn)).toEqual(['10-25T00:30–10-25T00:45'])
  })
})

describe('odd files', () => {
  const begin = 'DTSTART:20261124T090000Z'
  it.each([
    ['an end before its begin', [begin, 'DTEND:20261124T080000Z'], []],
    ['an end at its begin', [begin, 'DTEND:20261124T090000Z'], []],
    ['no end', [begin], []],
    ['one second', [begin, 'DTEND:20261124T090001Z'], ['11-24T09:00–11-24T09:01']],
    ['a tentative state', [begin, 'DURATION:PT1H', 'STATUS:TENTATIVE'], ['11-24T09:00–11-24T10:00']],
    ['weeks as its length', ['DTSTART:20261102T000000Z', 'DURATION:P1W'], ['11-02T00:00–11-09T00:00']],
    [
      'a line in three parts',
      ['SUMMARY:Lunch with', '  a friend', '\tof the house', begin, 'DURATION', ' :PT1', ' H'],
      ['11-24T09:00–11-24T10:00'],
    ],
    [
      'an alarm of its own',
      [begin, 'DURATION:PT1H', 'BEGIN:VALARM', 'TRIGGER:-PT15M', 'DURATION:PT5M', 'END:VALARM'],
      ['11-24T09:00–11-24T10:00'],
    ],
  ])('an event with %s', (_what, lines, expected) => {
    expect(shown(calendarOf(event(...lines)))).toEqual(expected)
  })

  it.each(['\r\n', '\n'])('lines that end in %j are lines', (newline) => {
    expect(shown(calendarOf(event(begin, 'DURATION:PT1H'), newline))).toHaveLength(1)
  })

  it('names in small letters are the same names', () => {
    const text = calendarOf(event('dtstart:20261124T090000Z', 'duration:PT1H')).replaceAll('VEVENT', 'vevent')
    expect(shown(text)).toEqual(['11-24T09:00–11-24T10:00'])
  })

  it('tasks take no time, and several calendars of one file are one', () => {
    const task = ['BEGIN:VTODO', 'UID:three', begin, 'DUE:20261124T120000Z', 'END:VTODO']
    expect(shown(calendarOf(task))).toEqual([])
    const both = calendarOf(event(begin, 'DURATION:PT1H')) + calendarOf(event('DTSTART:20261124T100000Z', 'DURATION:PT1H'))
    expect(shown(both)).toEqual(['11-24T09:00–11-24T11:00'])
  })

  it('what touches the window from outside is outside', () => {
    const asked = { from: '2026-11-24', to: '2026-11-25' }
    const around = [...event('DTSTART:20261123T230000Z', 'DURATION:PT1H'), ...event('DTSTART:20261125T000000Z', 'DURATION:PT1H')]
    expect(shown(calendarOf(around), asked)).toEqual([])
    const over = event('DTSTART:20261120T000000Z', 'DTEND:20261130T000000Z')
    expect(shown(calendarOf(over), asked)).toEqual(['11-24T00:00–11-25T00:00'])
  })
})

describe('many events', () => {
  const first = Date.parse('2026-11-02T00:00Z')

  it('thousands are read, and joined where they touch', () => {
    const apart = Array.from({ length: 2000 }, (_, n) => event(`DTSTART:${compact(first + n * 240_000)}`, 'DURATION:PT2M')).flat()
    const spans = spansOf(calendarOf(apart))
    expect([spans.length, spans[0], spans.at(-1)![0]]).toEqual([2000, [first, first + 120_000], first + 1999 * 240_000])
    expect(spansOf(calendarOf(apart.map((line) => line.replace('PT2M', 'PT4M'))))).toEqual([[first, first + 2000 * 240_000]])
  })

  it('any events, in any order, take exactly the minutes that one of them takes', () => {
    const one = fc.record({ at: fc.integer({ min: -60, max: 400 }), minutes: fc.integer({ min: 1, max: 45 }), isFree: fc.boolean() })
    fc.assert(
      fc.property(fc.array(one, { maxLength: 12 }), (events) => {
        const lines = events.flatMap(({ at, minutes, isFree }) =>
          event(`DTSTART:${compact(first + at * 60_000)}`, `DURATION:PT${minutes}M`, `TRANSP:${isFree ? 'TRANSPARENT' : 'OPAQUE'}`),
        )
        const spans = spansOf(calendarOf(lines), { from: '2026-11-02', to: '2026-11-03' })
        const minute = (at: number): boolean => spans.some(([from, to]) => from <= first + at * 60_000 && first + at * 60_000 < to)
        for (let at = -1; at < 450; at++)
          expect(minute(at)).toBe(at >= 0 && events.some((each) => !each.isFree && each.at <= at && at < each.at + each.minutes))
        for (let n = 1; n < spans.length; n++) expect(spans[n]![0]).toBeGreaterThan(spans[n - 1]![1])
      }),
      { numRuns: 60, seed: 20_261_124 },
    )
  })
})
