import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { addDays, dayNumber, dayOfNumber } from './days.ts'
import type { InstituteDiary } from './model.ts'
import { offersForDays } from './offers.ts'
import { everyDay, institute, member, service } from './testing/small-institute.ts'
import {
  dayNumberAt,
  dayOf,
  edgeAt,
  instantAtWall,
  isRepeated,
  localMinuteAt,
  offsetAt,
  spanOfDay,
  wallMinuteOf,
  zoneClock,
} from './wall-clock.ts'

/** Zones whose clocks have surprised booking systems before. */
const TRAPS = [
  'Europe/Paris',
  'Africa/Casablanca',
  'Africa/El_Aaiun',
  'Africa/Cairo',
  'Asia/Beirut',
  'America/Vancouver',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Pacific/Chatham',
  'America/Havana',
  'America/Santiago',
  'America/St_Johns',
  'Antarctica/Troll',
  'Atlantic/Azores',
]

/** The open data is of tzdata 2025b; the runtime's is newer and wins where they disagree. */
const NEWER_LAW: Readonly<Record<string, string>> = {
  'Africa/Casablanca': 'Morocco returns to UTC on 20 September 2026 and changes no more',
  'Africa/El_Aaiun': 'Western Sahara follows Morocco',
  'America/Vancouver': 'British Columbia keeps summer time from 2026 on',
}

interface Reading {
  readonly exists: boolean
  readonly first: number
  readonly second: number
}

/** What Temporal says of a reading of the clock. */
function temporalReading(timeZone: string, day: string, minute: number): Reading {
  const plain = Temporal.PlainDate.from(day).toPlainDateTime().add({ minutes: minute })
  const minuteOf = (disambiguation: 'earlier' | 'later'): number =>
    plain.toZonedDateTime(timeZone, { disambiguation }).epochMilliseconds / 60_000
  const first = minuteOf('earlier')
  const back = Temporal.Instant.fromEpochMilliseconds(first * 60_000)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
  return { exists: back.equals(plain), first, second: minuteOf('later') }
}

function changesOf(timeZone: string): readonly number[] {
  const changes: number[] = []
  const from = Temporal.Instant.from('2026-01-01T00:00Z').toZonedDateTimeISO(timeZone)
  for (let at = from.getTimeZoneTransition('next'); at !== null && at.year < 2029; at = at.getTimeZoneTransition('next')) {
    changes.push(at.epochMilliseconds / 60_000)
  }
  return changes
}

function sameAsTemporal(timeZone: string, at: number): boolean {
  const zoned = Temporal.Instant.fromEpochMilliseconds(at * 60_000).toZonedDateTimeISO(timeZone)
  return dayOf(timeZone, at) === zoned.toPlainDate().toString() && wallMinuteOf(timeZone, at) === zoned.hour * 60 + zoned.minute
}

describe('the wall clock', () => {
  test('agrees with Temporal in every zone around every change from 2026 to 2028', () => {
    let changes = 0
    const wrong: string[] = []
    for (const timeZone of Intl.supportedValuesOf('timeZone')) {
      for (const change of changesOf(timeZone)) {
        changes++
        for (let at = change - 1440; at <= change + 1440; at += 48)
          if (!sameAsTemporal(timeZone, at)) wrong.push(`${timeZone} ${String(at)}`)
        for (const at of [change - 1, change, change + 1]) if (!sameAsTemporal(timeZone, at)) wrong.push(`${timeZone} ${String(at)}`)
      }
    }
    expect(wrong).toEqual([])
    expect(changes).toBeGreaterThan(500)
  })

  test.each(TRAPS)('turns every reading of the days around each change into the right instant: %s', (timeZone) => {
    for (const change of [...changesOf(timeZone), Date.UTC(2026, 5, 30) / 60_000]) {
      for (const day of [-1, 0, 1].map((away) => addDays(dayOf(timeZone, change), away))) {
        for (let minute = 0; minute <= 1440; minute += 5) {
          const { exists, first, second } = temporalReading(timeZone, day, minute)
          const ours = instantAtWall(timeZone, day, minute)
          expect(ours.ok).toBe(exists)
          if (exists) expect(ours.at).toBe(first)
          expect(isRepeated(zoneClock(timeZone), first)).toBe(false)
          if (exists && second !== first) expect(isRepeated(zoneClock(timeZone), second)).toBe(true)
        }
      }
    }
  })

  test.each(TRAPS)('never turns a range around nor skips time between two edges: %s', (timeZone) => {
    const clock = zoneClock(timeZone)
    for (const change of changesOf(timeZone)) {
      const number = dayNumberAt(clock, change)
      let before = edgeAt(clock, number - 1, 0)
      for (let minute = 5; minute <= 2880; minute += 5) {
        const at = edgeAt(clock, number - 1, minute)
        expect(at).toBeGreaterThanOrEqual(before)
        expect(localMinuteAt(clock, at)).toBeGreaterThanOrEqual((number - 1) * 1440 + minute)
        before = at
      }
    }
  })

  test('knows days that are shorter, longer, begin at one or do not exist', () => {
    const length = (timeZone: string, day: string): number => spanOfDay(timeZone, day).to - spanOfDay(timeZone, day).from
    expect(length('Europe/Paris', '2027-03-28')).toBe(23 * 60)
    expect(length('Europe/Paris', '2026-10-25')).toBe(25 * 60)
    expect(length('Australia/Lord_Howe', '2026-10-04')).toBe(23.5 * 60)
    expect(length('Antarctica/Troll', '2027-03-28')).toBe(22 * 60)
    expect(wallMinuteOf('Africa/Cairo', spanOfDay('Africa/Cairo', '2026-04-24').from)).toBe(60)
    expect(length('Pacific/Apia', '2011-12-30')).toBe(0)
  })

  test('refuses a zone nobody knows', () => {
    expect(() => zoneClock('Europe/Atlantis')).toThrow(RangeError)
  })
})

describe('offers around a change of the clock', () => {
  const nightAndDay = (timeZone: string): InstituteDiary => ({
    ...institute({
      services: [service('cut', { minutes: 20 })],
      open: ['00:00-24:00'],
      rules: { gridMinutes: 20, horizonDays: 3000 },
      members: [member('ana', ['cut'], { rotas: [everyDay('00:00-24:00')] })],
    }),
    timeZone,
  })

  test.each(TRAPS)('keep wall times, leave out skipped ones and take the first of repeated ones: %s', (timeZone) => {
    for (const change of changesOf(timeZone)) {
      const fromDay = addDays(dayOf(timeZone, change), -1)
      const now = spanOfDay(timeZone, addDays(fromDay, -2)).from
      for (const { day, times } of offersForDays(nightAndDay(timeZone), [{ serviceId: 'cut' }], { now, fromDay, days: 3 })) {
        const readings = Array.from({ length: 72 }, (_, i) => temporalReading(timeZone, day, i * 20))
        const wanted = readings.filter(({ exists }) => exists).map(({ first }) => first)
        expect(times.map(({ startsAt }) => startsAt)).toEqual(wanted)
        expect(times.every(({ startsAt, endsAt }) => endsAt - startsAt === 20)).toBe(true)
      }
    }
  })
})

const OPEN_DATA = process.env['OPEN_DATA_DIR']
const vectors = join(OPEN_DATA ?? '', 'dst', 'wall_time_vectors_2026_2027.ndjson')
const transitions = join(OPEN_DATA ?? '', 'dst', 'transitions_2025_2031.json')
const hasData = OPEN_DATA !== undefined && existsSync(vectors)
if (!hasData) process.stderr.write('OPEN_DATA_DIR holds no dst vectors: the two tests against them are left out\n')

interface Vector {
  readonly zone: string
  readonly date: string
  readonly day_length_min: number
  readonly wall_times: readonly (readonly [string, 'ok' | 'nonexistent' | 'ambiguous', string?, string?])[]
}

type Transition =
  | { readonly zone: string; readonly none: true; readonly offset_min: number }
  | {
      readonly zone: string
      readonly none?: false
      readonly utc: string
      readonly offset_before_min: number
      readonly offset_after_min: number
    }

if (hasData) {
  describe('the open data on changes of clocks', () => {
    test('agrees on every wall time of 2026 and 2027, but where the law is newer', () => {
      const read = readFileSync(vectors, 'utf8')
        .trim()
        .split('\n')
        .map((row) => JSON.parse(row) as Vector)
      let compared = 0
      for (const { zone, date, day_length_min: length, wall_times: times } of read) {
        const { from, to } = spanOfDay(zone, date)
        const node = Temporal.PlainDate.from(date)
        const nodeLength = node
          .toZonedDateTime(zone)
          .until(node.add({ days: 1 }).toZonedDateTime(zone))
          .total('minutes')
        expect(to - from).toBe(nodeLength)
        if (NEWER_LAW[zone] === undefined) expect(nodeLength).toBe(length)
        for (const [time, kind, first] of times) {
          const [hour, minute] = time.split(':').map(Number)
          const wall = hour! * 60 + minute!
          const ours = instantAtWall(zone, date, wall)
          const reading = temporalReading(zone, date, wall)
          expect(ours.ok).toBe(reading.exists)
          if (ours.ok) expect(ours.at).toBe(reading.first)
          if (NEWER_LAW[zone] !== undefined) continue
          compared++
          expect(ours.ok).toBe(kind !== 'nonexistent')
          if (first !== undefined) expect(ours.at).toBe(Date.parse(first) / 60_000)
        }
      }
      expect(compared).toBeGreaterThan(400)
    })

    test('agrees on every change from 2025 to 2031, but where the law is newer', () => {
      const read = JSON.parse(readFileSync(transitions, 'utf8')) as { transitions: readonly Transition[] }
      const disagreeing = new Set<string>()
      for (const change of read.transitions) {
        const { zone } = change
        const clock = zoneClock(zone)
        const agrees =
          change.none === true
            ? changesOf(zone).length === 0 && offsetAt(clock, Date.UTC(2028, 6) / 60_000) === change.offset_min
            : offsetAt(clock, Date.parse(change.utc) / 60_000 - 1) === change.offset_before_min &&
              offsetAt(clock, Date.parse(change.utc) / 60_000) === change.offset_after_min
        if (!agrees) disagreeing.add(zone)
      }
      expect([...disagreeing].filter((zone) => NEWER_LAW[zone] === undefined)).toEqual([])
    })
  })
}

describe('calendar days', () => {
  test('are numbered as Temporal counts them, for two centuries', () => {
    let date = Temporal.PlainDate.from('1900-01-01')
    for (let number = dayNumber('1900-01-01'); date.year < 2101; number++, date = date.add({ days: 1 })) {
      if (dayOfNumber(number) !== date.toString() || dayNumber(date.toString()) !== number)
        expect(dayOfNumber(number)).toBe(date.toString())
    }
    expect(dayOfNumber(0)).toBe('1970-01-01')
  })
})
