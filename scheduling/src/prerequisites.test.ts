import { describe, expect, test } from 'vitest'
import type { ClientFacts, InstituteDiary, Prerequisite, Rota } from './model.ts'
import { offersForDays } from './offers.ts'
import { planVisit } from './plan-visit.ts'
import { ageOn, prerequisiteHolds, spanForTest } from './prerequisites.ts'
import { ASKING, at, hours, institute, member, resource, service, shown, TUESDAY } from './testing/small-institute.ts'

const LASH = [{ serviceId: 'lash' }]
const PATCH_TEST: Prerequisite = { kind: 'prior_service', serviceId: 'patch', minHours: 48, maxMonths: 6 }

function salon(prerequisite: Prerequisite): InstituteDiary {
  return institute({ services: [service('lash', { prerequisites: [prerequisite] })], members: [member('ana', ['lash'])] })
}

function tuesday(diary: InstituteDiary, client?: ClientFacts): string {
  return shown(offersForDays(diary, LASH, { ...ASKING, client, fromDay: TUESDAY, days: 1 })[0]?.times ?? [])
}

const tested = (ends: string): ClientFacts => ({ visits: [{ serviceId: 'patch', endsAt: at(ends) }] })

describe('a patch test of at least 48 hours and at most six months before', () => {
  const diary = salon(PATCH_TEST)

  test('opens the starts from 48 hours on, to the minute', () => {
    expect(tuesday(diary, tested('2027-03-07 14:00'))).toBe('14:00 15:00 16:00 17:00')
    expect(tuesday(diary, tested('2027-03-07 14:01'))).toBe('15:00 16:00 17:00')
  })

  test('holds through the same date six months later and not a day longer', () => {
    expect(tuesday(diary, tested('2026-09-09 18:00'))).not.toBe('')
    expect(tuesday(diary, tested('2026-09-08 18:00'))).toBe('')
  })

  test('of the last day of August holds until the last of February', () => {
    const ask = (day: string): boolean =>
      planVisit(diary, LASH, at(`${day} 10:00`), { now: at('2027-02-01 10:00'), client: tested('2026-08-31 10:00') }).ok
    expect(ask('2027-02-28')).toBe(true)
    expect(ask('2027-03-01')).toBe(false)
  })

  test('of another service does not count, and none at all is refused with what is missing', () => {
    expect(tuesday(diary, { visits: [{ serviceId: 'cut', endsAt: at('2027-02-01 10:00') }] })).toBe('')
    const refused = planVisit(diary, LASH, at('10:00'), { ...ASKING, client: { visits: [] } })
    expect(refused).toMatchObject({ ok: false, reason: 'prerequisite', line: 0, prerequisite: PATCH_TEST })
  })

  test('is still to come and counts: nothing before 48 hours from its end', () => {
    const ahead = (ends: string, day: string): string =>
      shown(offersForDays(diary, LASH, { ...ASKING, client: tested(ends), fromDay: day, days: 1 })[0]?.times ?? [])
    expect(ahead('2027-03-09 09:20', TUESDAY)).toBe('')
    expect(ahead('2027-03-09 09:20', '2027-03-10')).toBe('')
    expect(ahead('2027-03-09 09:20', '2027-03-11')).toMatch(/^10:00 11:00 /)
  })

  test('is not asked of a guest, who sees all times', () => {
    expect(tuesday(diary)).toContain('09:00')
  })
})

describe('a colour whose client has the test on the Tuesday at nine', () => {
  test('may start on Thursday morning from 9:20, before and over the break of a split day', () => {
    const parts = { activeMinutes: 30, idleMinutes: 40, activeAfterMinutes: 30 }
    const shifts: Rota = {
      weeks: 1,
      anchorDay: '2027-01-04',
      shifts: ['09:00-12:30', '13:10-19:00'].map((range) => ({ ...hours(range), week: 1, weekday: 4, breaks: [] })),
    }
    const mimosa = institute({
      rules: { gridMinutes: 20 },
      open: ['09:00-19:00'],
      services: [service('colour', { parts, bufferAfterMinutes: 10, resourceType: 'chair', prerequisites: [PATCH_TEST] })],
      members: [member('nora', ['colour'], { rotas: [shifts] })],
      resources: [resource('chair')],
    })
    const asking = { ...ASKING, client: tested('2027-03-09 09:20'), fromDay: '2027-03-11', days: 1 }
    const times = offersForDays(mimosa, [{ serviceId: 'colour' }], asking)[0]?.times ?? []
    expect(shown(times.filter(({ startsAt }) => startsAt < at('2027-03-11 13:00')))).toBe('09:20 09:40 10:00 10:20 10:40 12:00')
  })
})

test('the span in which a test has to end is exactly where it holds, at both ends, through short months and changed clocks', () => {
  const zone = 'Europe/Paris'
  for (const months of [1, 3, 6, 11])
    for (let days = 0; days < 400; days++) {
      const startsAt = at('2027-01-01 15:00') + days * 1440
      const { from, by } = spanForTest(zone, { minHours: 48, maxMonths: months }, startsAt)
      const rule = { kind: 'prior_service', serviceId: 'patch', minHours: 48, maxMonths: months } as const
      const holds = (endsAt: number) => prerequisiteHolds(zone, rule, { visits: [{ serviceId: 'patch', endsAt }] }, startsAt)
      expect([holds(from - 1), holds(from), holds(by), holds(by + 1)], `${startsAt} ${months}`).toEqual([false, true, true, false])
    }
})

describe('a minimum age', () => {
  const diary = salon({ kind: 'minimum_age', years: 18 })

  test('is reached on the birthday', () => {
    expect(tuesday(diary, { birthday: '2009-03-09', visits: [] })).not.toBe('')
    expect(tuesday(diary, { birthday: '2009-03-10', visits: [] })).toBe('')
  })

  test('is not proved by an unknown birthday', () => {
    expect(tuesday(diary, { visits: [] })).toBe('')
  })

  test('of someone born on 29 February is reached on 1 March where there is no 29th', () => {
    expect([ageOn('2008-02-29', '2026-02-28'), ageOn('2008-02-29', '2026-03-01'), ageOn('2008-02-29', '2028-02-29')]).toEqual([17, 18, 20])
  })
})
