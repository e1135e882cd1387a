import { describe, expect, test } from 'vitest'
import { zoneOffsets } from './zone-offsets.ts'

const now = Date.parse('2026-11-20T11:00:00Z')

/** What a browser does with the table. */
function offsetAt(table: number[], ms: number): number {
  let offset = table[0] ?? 0
  for (let at = 1; at + 1 < table.length && (table[at] ?? 0) * 60_000 <= ms; at += 2) offset = table[at + 1] ?? offset
  return offset
}

describe('offsets for browsers', () => {
  for (const zone of [
    'Europe/Paris',
    'Africa/Casablanca',
    'Africa/Tunis',
    'Europe/London',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'America/Vancouver',
  ]) {
    test(`${zone} reads the same wall clock as here, hour by hour, over two years`, () => {
      const table = zoneOffsets(zone, now)
      for (let ms = now - 400 * 86_400_000; ms < now + 420 * 86_400_000; ms += 3_600_000) {
        expect(offsetAt(table, ms)).toBe(Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).offsetNanoseconds / 60e9)
      }
    })
  }

  test('Casablanca is on the clock that is in force since September 2026', () => {
    expect(offsetAt(zoneOffsets('Africa/Casablanca', now), now)).toBe(0)
  })
})
