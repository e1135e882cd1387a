import { describe, expect, it } from 'vitest'
import { gelManicure, handMassage, nacre } from '#/testing/institutes.ts'
import { visitAt } from '#/testing/visits.ts'
import { firstAllowed, isAllowed, isDayAllowed, needsOf, windowsOf } from './needs.ts'

const salon = {
  ...nacre,
  services: nacre.services.map((service) =>
    service._id === gelManicure ? { ...service, needs: [{ serviceId: handMassage, minHours: 48, maxMonths: 6 }] } : service,
  ),
}
const [need] = needsOf(salon, [{ serviceId: gelManicure, staffId: null }])
const now = Date.parse('2031-01-10T08:00:00Z')
const testOver = (endsAt: string) => {
  const visit = visitAt('2031-01-01T08:00:00.000Z')
  return { ...visit, segments: [{ ...visit.segments[0]!, serviceId: handMassage, endsAt }] }
}
const windows = (...ends: string[]) => windowsOf(need!, ends.map(testOver), salon, now)

describe('what tests allow', () => {
  it('is from 48 hours after their end through the same day of the sixth month, or its last', () => {
    // 23:30 UTC is the day after in Paris.
    expect(windows('2030-08-30T23:30:00.000Z')).toEqual([{ from: '2030-09-01T23:30:00.000Z', lastDay: '2031-02-28' }])
    expect(windows('2030-09-30T09:00:00.000Z')[0]?.lastDay).toBe('2031-03-30')
    expect(windows('2030-07-10T09:00:00.000Z')[0]?.lastDay).toBe('2031-01-10')
    expect(windows('2030-07-09T09:00:00.000Z')).toEqual([])
  })

  it('is a start that one of them leaves, and a gap between two is none', () => {
    const list = windows('2030-07-15T09:00:00.000Z', '2031-01-18T09:00:00.000Z')
    const allowed = { windows: [list], timeZone: nacre.timeZone }
    const starts = ['2031-01-15T22:00:00Z', '2031-01-15T23:00:00Z', '2031-01-20T08:59:00Z', '2031-01-20T09:00:00Z']
    expect(starts.map((start) => isAllowed(allowed, start))).toEqual([true, false, false, true])
    expect(['2031-01-15', '2031-01-16', '2031-01-20'].map((day) => isDayAllowed(allowed, day))).toEqual([true, false, true])
    expect(firstAllowed(allowed)).toBe('2030-07-17')
  })

  it('of two that are both needed is what both leave', () => {
    const [early, late] = [windows('2030-12-01T09:00:00.000Z'), windows('2031-01-18T09:00:00.000Z')]
    const allowed = { windows: [early, late], timeZone: nacre.timeZone }
    expect(firstAllowed(allowed)).toBe('2031-01-20')
    expect([isAllowed(allowed, '2031-01-19T12:00:00Z'), isAllowed(allowed, '2031-01-20T12:00:00Z')]).toEqual([false, true])
  })
})
