import { describe, expect, it } from 'vitest'
import { groupTimes } from './day-times.ts'

const free = (startsAt: string) => ({ startsAt, endsAt: startsAt })

describe('the times of a day', () => {
  it('stand in order by part of day on the wall clock of the place, taken ones struck through among them', () => {
    const groups = groupTimes(
      {
        day: '2026-11-20',
        times: [free('2026-11-20T15:40:00Z'), free('2026-11-20T08:00:00Z')],
        taken: ['2026-11-20T15:20:00Z', '2026-11-20T16:00:00Z'],
      },
      'Europe/Paris',
      (part) => part,
      (count) => `${count} left`,
    )
    expect(groups.map(({ label, slots }) => [label, ...slots.map(({ time, taken }) => (taken ? `(${time})` : time))])).toEqual([
      ['morning', '9:00'],
      ['afternoon', '(16:20)', '16:40'],
      ['evening', '(17:00)'],
    ])
  })

  it('a start that is both free and taken by somebody is free', () => {
    const [, afternoon] = groupTimes(
      { day: '2026-11-20', times: [free('2026-11-20T15:40:00Z')], taken: ['2026-11-20T15:40:00.000Z'] },
      'Europe/Paris',
      (part) => part,
      (count) => `${count} left`,
    )
    expect(afternoon?.slots).toHaveLength(1)
    expect(afternoon?.slots[0]?.taken).toBe(false)
  })

  it.each([
    ['struck through as taken', ['2026-11-20T15:40:00.000Z']],
    ['left out', []],
  ])('what this person holds is theirs to choose, though for everybody else it is %s', (_how, taken) => {
    const groups = groupTimes(
      { day: '2026-11-20', times: [free('2026-11-20T15:00:00Z')], taken },
      'Europe/Paris',
      (part) => part,
      (count) => `${count} left`,
      { startsAt: '2026-11-20T15:40:00Z', label: 'held' },
    )
    expect(groups[1]?.slots.map(({ time, taken: isTaken, spoken }) => [time, isTaken, spoken])).toEqual([
      ['16:00', false, undefined],
      ['16:40', false, 'held'],
    ])
  })

  it('of a class say how many places are left, and a full one keeps its place without', () => {
    const groups = groupTimes(
      { day: '2026-11-20', times: [{ ...free('2026-11-20T17:00:00Z'), seatsLeft: 3 }], taken: ['2026-11-20T18:30:00Z'] },
      'Europe/Paris',
      (part) => part,
      (count) => `${count} left`,
    )
    expect(groups[2]?.slots.map(({ time, note, taken }) => [time, note, taken])).toEqual([
      ['18:00', '3 left', false],
      ['19:30', undefined, true],
    ])
  })
})
