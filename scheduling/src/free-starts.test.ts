/** The starts that searches keep against the offers that clients see, on random institutes: 500 cases, or as many as SLOTS_CASES says. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextSet, type Bits } from './bits.ts'
import { addDays } from './days.ts'
import { freeStarts } from './free-starts.ts'
import type { Day, EpochMinute, InstituteDiary, Span } from './model.ts'
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

test('a reading of the same days before a change is what reading anew says, whatever has changed', () => {
  const asked = ['a', 'b', 'c']
  let kept = 0
  let changed = 0
  fc.assert(
    fc.property(
      anyCase,
      fc.nat(),
      fc.nat(),
      fc.integer({ min: -600, max: 600 }),
      fc.integer({ min: 1, max: 240 }),
      (one, who, what, at, minutes) => {
        const { diary, day } = one
        const days = { fromDay: addDays(day, -1), days: DAYS }
        const before = freeStarts(diary, asked, days)
        const from = spanOfDay(diary.timeZone, day).from + 720 + at
        const taken = <T extends { readonly busy: readonly Span[] }>(subjects: readonly T[]): T[] =>
          subjects.map((subject, n) =>
            n === who % subjects.length ? { ...subject, busy: [...subject.busy, { from, to: from + minutes }] } : subject,
          )
        const after: InstituteDiary = [
          { ...diary, members: taken(diary.members) },
          { ...diary, resources: taken(diary.resources) },
          { ...diary, closures: [...diary.closures, { fromDay: day, toDay: day }] },
          {
            ...diary,
            services: new Map(
              [...diary.services].map(([id, rule]) => [id, { ...rule, bufferAfterMinutes: rule.bufferAfterMinutes + minutes }]),
            ),
          },
          { ...diary, rules: { ...diary.rules, gridMinutes: diary.rules.gridMinutes === 15 ? (20 as const) : (15 as const) } },
        ][what % 5]!
        const anew = freeStarts(after, asked, days)
        const told = freeStarts(after, asked, days, before.free)
        expect(told.services).toEqual(anew.services)
        kept += told.free.members.filter((member) => before.free.members.includes(member)).length
        if (JSON.stringify(anew.services.map(({ every }) => [...every])) !== JSON.stringify(before.services.map(({ every }) => [...every])))
          changed++
      },
    ),
    { numRuns: CASES, seed: SEED },
  )
  expect(kept).toBeGreaterThan(CASES / 2)
  expect(changed).toBeGreaterThan(CASES / 5)
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
