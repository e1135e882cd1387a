/** The starts that searches keep against the offers that clients see, on random institutes: 500 cases, or as many as SLOTS_CASES says. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextSet, type Bits } from './bits.ts'
import { addDays } from './days.ts'
import { freeStarts } from './free-starts.ts'
import type { Day, EpochMinute, InstituteDiary } from './model.ts'
import { offersForDays } from './offers.ts'
import { anyCase, anySessionCase } from './testing/diary-arbitrary.ts'
import { busy, everyDay, institute, member, service, TUESDAY, wallOf } from './testing/small-institute.ts'
import { spanOfDay } from './wall-clock.ts'

const CASES = Number(process.env['SLOTS_CASES'] ?? 500)
const SEED = Number(process.env['SLOTS_SEED'] ?? 20_261_121)
const DAYS = 3

function minutesOf(origin: EpochMinute, row: Bits): readonly EpochMinute[] {
  const limit = row.length << 5
  const minutes: EpochMinute[] = []
  for (let at = nextSet(row, 0, limit); at < limit; at = nextSet(row, at + 1, limit)) minutes.push(origin + at)
  return minutes
}

/** What clients are offered in the days from `fromDay`, were there no notice and no horizon. */
function offered(diary: InstituteDiary, serviceId: string, fromDay: Day, gaps = diary.rules.gaps): readonly EpochMinute[] {
  const rules = { ...diary.rules, gaps, noticeMinutes: 0, horizonDays: 1000 }
  const services = new Map([...diary.services].map(([id, rule]) => [id, { ...rule, noticeMinutes: 0 }]))
  const now = spanOfDay(diary.timeZone, fromDay).from
  return offersForDays({ ...diary, rules, services }, [{ serviceId }], { now, fromDay, days: DAYS }).flatMap(({ times }) =>
    times.map(({ startsAt }) => startsAt),
  )
}

test('the starts of each service are those offered without notice and horizon, with and without the hidden ones', () => {
  const asked = ['a', 'b', 'c', 'unknown']
  const seen = { starts: 0, empty: 0, hidden: 0 }
  fc.assert(
    fc.property(fc.oneof({ weight: 2, arbitrary: anyCase }, { weight: 1, arbitrary: anySessionCase }), ({ diary, day }) => {
      const fromDay = addDays(day, -1)
      const { origin, services } = freeStarts(diary, asked, { fromDay, days: DAYS })
      for (const [place, serviceId] of asked.entries()) {
        const row = services[place]!
        const every = minutesOf(origin, row.every)
        expect(every).toEqual(offered(diary, serviceId, fromDay, 'off'))
        expect(minutesOf(origin, row.offered)).toEqual(offered(diary, serviceId, fromDay))
        seen.starts += every.length
        if (every.length === 0) seen.empty++
        if (minutesOf(origin, row.offered).length < every.length) seen.hidden++
      }
    }),
    { numRuns: CASES, seed: SEED },
  )
  expect(seen.starts).toBeGreaterThan(CASES * 10)
  expect(seen.empty).toBeGreaterThan(CASES)
  expect(seen.hidden).toBeGreaterThan(CASES / 20)
})

test('one reading answers services that need different members and take different times', () => {
  const diary = institute({
    services: [service('cut', { minutes: 60 }), service('wash', { minutes: 30 })],
    open: ['10:00-12:00'],
    members: [
      member('ana', ['cut'], { rotas: [everyDay('10:00-12:00')], busy: busy('11:00-11:15') }),
      member('ben', ['wash'], { rotas: [everyDay('10:30-12:00')] }),
    ],
  })
  const { origin, services } = freeStarts(diary, ['cut', 'wash'], { fromDay: TUESDAY, days: 1 })
  const shown = services.map(({ every }) =>
    minutesOf(origin, every)
      .map((startsAt) => wallOf(startsAt))
      .join(' '),
  )
  expect(shown).toEqual(['10:00', '10:30 11:30'])
})
