import { describe, expect, test } from 'vitest'
import type { ClientFacts, InstituteDiary, Prerequisite } from './model.ts'
import { offersForDays } from './offers.ts'
import { planVisit } from './plan-visit.ts'
import { ageOn } from './prerequisites.ts'
import { ASKING, at, institute, member, service, shown, TUESDAY } from './testing/small-institute.ts'

const LASH = [{ serviceId: 'lash' }]
const PATCH_TEST: Prerequisite = { kind: 'prior_service', serviceId: 'patch', minHours: 48, maxMonths: 6 }

function salon(prerequisite: Prerequisite): InstituteDiary {
  return institute({ services: [service('lash', { prerequisites: [prerequisite] })], members: [member('ana', ['lash'])] })
}

function tuesday(diary: InstituteDiary, client?: ClientFacts): string {
  return shown(offersForDays(diary, LASH, { ...ASKING, client, fromDay: TUESDAY, days: 1 })[0]?.times ?? [])
}

const tested = (ended: string): ClientFacts => ({ pastVisits: [{ serviceId: 'patch', endedAt: at(ended) }] })

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
    expect(tuesday(diary, { pastVisits: [{ serviceId: 'cut', endedAt: at('2027-02-01 10:00') }] })).toBe('')
    const refused = planVisit(diary, LASH, at('10:00'), { ...ASKING, client: { pastVisits: [] } })
    expect(refused).toMatchObject({ ok: false, reason: 'prerequisite', line: 0, prerequisite: PATCH_TEST })
  })

  test('is not asked of a guest, who sees all times', () => {
    expect(tuesday(diary)).toContain('09:00')
  })
})

describe('a minimum age', () => {
  const diary = salon({ kind: 'minimum_age', years: 18 })

  test('is reached on the birthday', () => {
    expect(tuesday(diary, { birthday: '2009-03-09', pastVisits: [] })).not.toBe('')
    expect(tuesday(diary, { birthday: '2009-03-10', pastVisits: [] })).toBe('')
  })

  test('is not proved by an unknown birthday', () => {
    expect(tuesday(diary, { pastVisits: [] })).toBe('')
  })

  test('of someone born on 29 February is reached on 1 March where there is no 29th', () => {
    expect([ageOn('2008-02-29', '2026-02-28'), ageOn('2008-02-29', '2026-03-01'), ageOn('2008-02-29', '2028-02-29')]).toEqual([17, 18, 20])
  })
})
