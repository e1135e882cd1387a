// The recorded cases of the reference parser's own tests: they agree, or are listed with the reason.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import OpeningHours, { type nominatim_object as Place, type optional_conf_param as Conf } from 'opening_hours'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import exceptions from './hours-vectors.exceptions.json' with { type: 'json' }
import { type HoursReader, openHoursReader } from './hours-reader.ts'

const openData = process.env['OPEN_DATA_DIR']

type Span = [from: string, to: string, unknown: boolean, comment?: string]
interface Vector {
  kind: 'intervals' | 'should_fail' | 'should_warn' | 'equal_to' | 'prettify' | 'next_change'
  name: string
  value: string
  from?: string
  to?: string
  expected_open?: Span[]
  open_ms?: number
  unknown_ms?: number
  week_stable?: boolean
  place?: { lat: number | null; lon: number | null; country_code: string; state: string | null } | null
  mode?: Record<string, unknown> | null
  other?: string
  expected?: unknown
  locale?: string
}

const vectors: Vector[] = openData
  ? readFileSync(join(openData, 'opening_hours/opening_hours_js_test_vectors.ndjson'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Vector)
  : []

/** Name and text of a case; the same pair may be recorded for several spans of time. */
const keyOf = ({ kind, name, value, from, other, locale }: Vector): string => [kind, name, value, from ?? other ?? locale ?? ''].join(' | ')

const zone = process.env['TZ']
let reader: HoursReader
beforeAll(() => {
  // The cases were recorded by this clock.
  process.env['TZ'] = 'Europe/Berlin'
  reader = openHoursReader({ timeMs: 10_000, memoryMb: 96 })
})
afterAll(async () => {
  await reader.close()
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})

const wall = (text: string): Date => {
  if (text.endsWith('Z')) return new Date(text)
  const [, year, month, day, hour, minute] = /^(\d+)-(\d+)-(\d+) (\d+):(\d+)/.exec(text.replaceAll('.', '-')) ?? []
  return new Date(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute))
}

function hoursOf({ value, place, mode }: Vector, text = value): OpeningHours {
  const where = place && {
    ...(place.lat !== null && place.lon !== null && { lat: String(place.lat), lon: String(place.lon) }),
    address: { country_code: place.country_code, state: place.state ?? '' },
  }
  return new OpeningHours(text, (where ?? null) as unknown as Place | null, (mode ?? { locale: 'en' }) as unknown as Conf)
}

const minute = 60_000
const minuteOf = (at: Date, from: Date): number =>
  Math.round(
    (Date.UTC(at.getFullYear(), at.getMonth(), at.getDate(), at.getHours(), at.getMinutes()) -
      Date.UTC(from.getFullYear(), from.getMonth(), from.getDate())) /
      minute,
  )

const weekMinutes = 7 * 1440

/** Our week, minute by minute, against the recorded one; only where a case says all of a week. */
async function weekAgrees(vector: Vector): Promise<boolean> {
  const from = wall(vector.from ?? '')
  const to = wall(vector.to ?? '')
  const monday = new Date(from.getFullYear(), from.getMonth(), from.getDate() - ((from.getDay() + 6) % 7))
  const weekday = (from.getDay() + 6) % 7
  if (!vector.week_stable || from.getHours() !== 0 || minuteOf(to, from) < weekMinutes || vector.mode?.['tag_key'] === 'lit') return true
  if ((vector.mode?.['mode'] ?? 0) !== 0 || /sun|dawn|dusk|dämm|aube|zonne/i.test(vector.value)) return true
  const answer = await reader.read({
    text: vector.value,
    lat: vector.place?.lat ?? 48,
    lon: vector.place?.lon ?? 11,
    countryCode: vector.place?.country_code ?? 'de',
    region: vector.place?.state ?? null,
    monday: `${monday.getFullYear()}-${String(monday.getMonth() + 1).padStart(2, '0')}-${String(monday.getDate()).padStart(2, '0')}`,
  })
  if (!answer.ok) return false
  const ours = new Uint8Array(weekMinutes)
  for (const { weekday: day, opensAt, closesAt } of answer.rows) {
    for (let at = opensAt; at < closesAt; at++) ours[((day - 1) * 1440 + at) % weekMinutes] = 1
  }
  const theirs = new Uint8Array(weekMinutes)
  for (const [opens, closes, unknown] of vector.expected_open ?? []) {
    if (unknown) continue
    const end = Math.min(minuteOf(wall(closes), from), weekMinutes)
    for (let at = Math.max(0, minuteOf(wall(opens), from)); at < end; at++) theirs[(weekday * 1440 + at) % weekMinutes] = 1
  }
  return Buffer.from(ours).equals(Buffer.from(theirs))
}

function spansAgree(vector: Vector): boolean {
  const hours = hoursOf(vector)
  const [from, to] = [wall(vector.from ?? ''), wall(vector.to ?? '')]
  const found = hours.getOpenIntervals(from, to)
  const expected = vector.expected_open ?? []
  const same = (at: number, [opens, closes, unknown, comment]: Span): boolean => {
    const one = found[at]
    return (
      one !== undefined &&
      one[0].getTime() === wall(opens).getTime() &&
      one[1].getTime() === wall(closes).getTime() &&
      one[2] === unknown &&
      (comment === undefined || comment === null || one[3] === comment)
    )
  }
  const [open, unknown] = hours.getOpenDuration(from, to)
  return (
    found.length === expected.length &&
    expected.every((span, at) => same(at, span)) &&
    open === vector.open_ms &&
    unknown === vector.unknown_ms &&
    (vector.week_stable === undefined || hours.isWeekStable() === vector.week_stable)
  )
}

function prettified(vector: Vector): string {
  const conf = { locale: vector.locale === 'all' ? 'en' : vector.locale }
  return hoursOf(vector).prettifyValue({ conf } as unknown as Parameters<OpeningHours['prettifyValue']>[0])
}

async function agrees(vector: Vector): Promise<boolean> {
  switch (vector.kind) {
    case 'intervals':
      return spansAgree(vector) && (await weekAgrees(vector))
    case 'should_fail':
      return !(
        await reader.read({
          text: vector.value,
          lat: 48,
          lon: 11,
          countryCode: vector.name.includes('non-existing address') ? 'xx' : 'de',
          region: 'Bayern',
          monday: '2026-11-16',
        })
      ).ok
    case 'should_warn':
      return (
        hoursOf({
          ...vector,
          place: { lat: null, lon: null, country_code: 'de', state: 'Bayern' },
          mode: vector.name.includes('warnings_severity: 5') ? { warnings_severity: 5, tag_key: 'opening_hours', locale: 'en' } : null,
        }).getWarnings().length > 0
      )
    case 'equal_to': {
      const given = hoursOf(vector).isEqualTo(hoursOf(vector, vector.other), wall('2015-10-19 00:00'))
      return JSON.stringify(given) === JSON.stringify(vector.expected)
    }
    case 'prettify':
      return prettified(vector) === vector.expected
    case 'next_change':
      return (
        hoursOf(vector)
          .getNextChange(wall(vector.from ?? ''))
          ?.getTime() === wall(String(vector.expected)).getTime()
      )
  }
}

const listed: Readonly<Record<string, string>> = exceptions

describe.skipIf(!openData)('the recorded cases of the reference parser (OPEN_DATA_DIR)', () => {
  it('agree, or are listed with the reason; a listed one that agrees must go from the list', async () => {
    const differing = new Set<string>()
    const agreeing = new Set<string>()
    for (const vector of vectors) {
      const isSame = await agrees(vector).catch(() => false)
      ;(isSame ? agreeing : differing).add(keyOf(vector))
    }
    expect(vectors.length).toBe(797)
    expect([...differing].filter((key) => !Object.hasOwn(listed, key))).toEqual([])
    expect(Object.keys(listed).filter((key) => !differing.has(key))).toEqual([])
  })
})
