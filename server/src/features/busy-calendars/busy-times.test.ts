/** What calendars of others say, line by line; the window is a week of November 2026, the institute in Paris. */
import { describe, expect, it } from 'vitest'
import { readBusy } from './busy-times.ts'

const calendarOf = (...lines: string[]): string => ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', ...lines, 'END:VCALENDAR'].join('\r\n')
const event = (...lines: string[]): string => ['BEGIN:VEVENT', 'UID:one', ...lines, 'END:VEVENT'].join('\r\n')
const window = { from: Date.parse('2026-11-23T00:00Z'), to: Date.parse('2026-11-30T00:00Z') }
const times = (text: string, timeZone = 'Europe/Paris'): string[] => {
  const read = readBusy({ text, timeZone, ...window })
  if (typeof read === 'string') return [read]
  return read.map((span) => span.map((at) => new Date(at).toISOString().slice(8, 16)).join('–'))
}
/** Outlook names zones its own way and says their rules beside. */
const outlook = [
  'BEGIN:VTIMEZONE',
  'TZID:W. Europe Standard Time',
  'BEGIN:STANDARD',
  'DTSTART:16010101T030000',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:16010101T020000',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
]

describe('busy times of a calendar', () => {
  it.each([
    ['an instant', event('DTSTART:20261124T090000Z', 'DTEND:20261124T093030Z'), '24T09:00–24T09:31'],
    ['a zone of the world', event('DTSTART;TZID=America/New_York:20261124T090000', 'DURATION:PT1H'), '24T14:00–24T15:00'],
    [
      'a zone behind a path',
      event('DTSTART;TZID=/freeassociation.sourceforge.net/Africa/Cairo:20261124T090000', 'DURATION:PT1H'),
      '24T07:00–24T08:00',
    ],
    ['no zone', event('DTSTART:20261124T090000', 'DTEND:20261124T100000'), '24T08:00–24T09:00'],
    ['a whole day', event('DTSTART;VALUE=DATE:20261124'), '23T23:00–24T23:00'],
    ['some whole days that began before', event('DTSTART;VALUE=DATE:20261120', 'DTEND;VALUE=DATE:20261125'), '23T00:00–24T23:00'],
    [
      'a zone of its own',
      calendarOf(...outlook, event('DTSTART;TZID=W. Europe Standard Time:20261124T090000', 'DURATION:PT1H')),
      '24T08:00–24T09:00',
    ],
  ])('knows an event at %s', (_what, text, expected) => {
    expect(times(text.startsWith('BEGIN:VCALENDAR') ? text : calendarOf(text))).toEqual([expected])
  })

  it('repeats what repeats, on the wall clock, without what was left out and with what was moved', () => {
    const weekly = event(
      'DTSTART;TZID=Europe/Paris:20260901T090000',
      'DURATION:PT1H',
      'RRULE:FREQ=DAILY',
      'EXDATE;TZID=Europe/Paris:20261125T090000',
    )
    const moved = event('RECURRENCE-ID:20261126T080000Z', 'DTSTART:20261126T170000Z', 'DTEND:20261126T173000Z')
    const gone = event('RECURRENCE-ID;TZID=Europe/Paris:20261127T090000', 'DTSTART:20261127T080000Z', 'DURATION:PT1H', 'STATUS:CANCELLED')
    expect(times(calendarOf(weekly, moved, gone))).toEqual([
      '23T08:00–23T09:00',
      '24T08:00–24T09:00',
      '26T17:00–26T17:30',
      '28T08:00–28T09:00',
      '29T08:00–29T09:00',
    ])
  })

  it('passes over what is free, joins what overlaps, and reads published busy time', () => {
    const free = event('DTSTART:20261124T090000Z', 'DURATION:PT1H', 'TRANSP:TRANSPARENT')
    const outlooks = event('DTSTART:20261124T100000Z', 'DURATION:PT1H', 'X-MICROSOFT-CDO-BUSYSTATUS:FREE')
    const twice = [event('DTSTART:20261125T100000Z', 'DURATION:PT1H'), event('DTSTART:20261125T103000Z', 'DURATION:PT1H')]
    const published = ['BEGIN:VFREEBUSY', 'FREEBUSY:20261126T100000Z/PT30M', 'FREEBUSY;FBTYPE=FREE:20261127T100000Z/PT30M', 'END:VFREEBUSY']
    const nothing = event('SUMMARY:Some day')
    expect(times(calendarOf(free, outlooks, ...twice, ...published, nothing))).toEqual(['25T10:00–25T11:30', '26T10:00–26T10:30'])
  })

  it('says what is no calendar, and what has too much in it', () => {
    expect(() => readBusy({ text: '<html>', timeZone: 'UTC', ...window })).toThrow()
    expect(times('')).toEqual(['no_calendar'])
    expect(times(event('DTSTART:20261124T090000Z'))).toEqual(['no_calendar'])
    expect(times(calendarOf(event('DTSTART:20261123T000000Z', 'DURATION:PT1S', 'RRULE:FREQ=SECONDLY')))).toEqual(['too_much'])
  })
})
