import { describe, expect, test } from 'vitest'
import type { ServiceRule } from './model.ts'
import { offersForDays } from './offers.ts'
import { planVisit } from './plan-visit.ts'
import { at, busy, everyDay, hours, institute, member, resource, service, shown, TUESDAY } from './testing/small-institute.ts'
import { COLOUR, line, occupied, plan, segments, tuesday } from './testing/small-visits.ts'

describe('rooms, chairs and machines', () => {
  const laser: ServiceRule = service('laser', { resourceType: 'laser room' })
  const team = [member('ana', ['laser', 'wax']), member('bea', ['laser', 'wax'], { order: 1 })]

  test('the last laser room taken means no start for the whole team', () => {
    const rooms = [resource('l1', { type: 'laser room', busy: busy('10:00-11:00') })]
    expect(tuesday(institute({ services: [laser], members: team, resources: rooms }), 'laser')).toBe(
      '09:00 11:00 12:00 13:00 14:00 15:00 16:00 17:00',
    )
    expect(tuesday(institute({ services: [laser], members: team }), 'laser')).toBe('')
  })

  test('a closed room is not used, partly or for the day', () => {
    const part = [{ fromDay: TUESDAY, toDay: TUESDAY, part: hours('12:00-17:00') }]
    const whole = [{ fromDay: TUESDAY, toDay: TUESDAY }]
    const rooms = [resource('l1', { type: 'laser room', closures: part }), resource('l2', { type: 'laser room', closures: whole })]
    expect(tuesday(institute({ services: [laser], members: team, resources: rooms }), 'laser')).toBe('09:00 10:00 11:00 17:00')
  })

  test('the first free one in their order is used, and kept for the next service of the visit', () => {
    const wax = service('wax', { minutes: 30, resourceType: 'laser room' })
    const rooms = [resource('l1', { type: 'laser room', busy: busy('09:30-09:40') }), resource('l2', { type: 'laser room', order: 1 })]
    const planned = plan(institute({ services: [laser, wax], members: team, resources: rooms }), '09:00', [line('laser'), line('wax')])
    expect(planned.segments.map(({ resourceId }) => resourceId)).toEqual(['l2', 'l2'])
    expect(occupied(planned)).toContain('l2 09:00-10:30')
  })

  test('a service inside the idle part of another needs a second chair', () => {
    const colour = { ...COLOUR, resourceType: 'chair' }
    const fringe = service('fringe', { minutes: 20, resourceType: 'chair' })
    const ana = member('ana', ['colour', 'fringe'])
    const one = institute({ services: [colour, fringe], members: [ana], resources: [resource('c1')] })
    const two = { ...one, resources: [resource('c1'), resource('c2', { order: 1 })] }
    expect(segments(plan(one, '09:00', [line('colour'), line('fringe')]))[1]).toBe('ana 10:30-10:50')
    const planned = plan(two, '09:00', [line('colour'), line('fringe')])
    expect(planned.segments.map(({ resourceId }) => resourceId)).toEqual(['c1', 'c2'])
  })

  test('a chair is given up for a later service that can use no other, also after a first service', () => {
    const colour = { ...COLOUR, resourceType: 'chair' }
    const fringe = service('fringe', { minutes: 20, resourceType: 'chair', bufferAfterMinutes: 60 })
    const chairs = [resource('c1'), resource('c2', { order: 1, busy: busy('10:40-11:00') })]
    const ana = member('ana', ['wash', 'colour', 'fringe'], { rotas: [everyDay('08:30-10:30')] })
    const services = [service('wash', { minutes: 30 }), colour, fringe]
    const diary = institute({ services, members: [ana], resources: chairs, rules: { gridMinutes: 30 } })
    const units = (start: string, ...ids: readonly string[]): readonly unknown[] =>
      plan(
        diary,
        start,
        ids.map((id) => line(id)),
      ).segments.map(({ resourceId }) => resourceId)
    expect(units('09:00', 'colour', 'fringe')).toEqual(['c2', 'c1'])
    expect(units('08:30', 'wash', 'colour', 'fringe')).toEqual([undefined, 'c2', 'c1'])
  })
})

describe('the institute booking for itself', () => {
  const diary = institute({ services: [service('cut')], rules: { noticeMinutes: 600, horizonDays: 0 }, members: [member('ana', ['cut'])] })
  const asking = { now: at('13:00'), forInstitute: true }

  test('may start at any free minute, also one just past, without notice or horizon', () => {
    for (const start of ['12:53', '13:07', '2027-05-04 10:00']) expect(planVisit(diary, [line('cut')], at(start), asking).ok).toBe(true)
  })

  test('still cannot take time that is taken or outside the shift', () => {
    const taken = { ...diary, members: [member('ana', ['cut'], { busy: busy('14:00-15:00') })] }
    expect(planVisit(taken, [line('cut')], at('13:07'), asking)).toMatchObject({ reason: 'taken' })
    expect(planVisit(diary, [line('cut')], at('08:00'), asking)).toMatchObject({ reason: 'outside_shift' })
  })

  test('is offered the grid from now on', () => {
    expect(shown(offersForDays(diary, [line('cut')], { ...asking, fromDay: TUESDAY, days: 1 })[0]?.times ?? [])).toBe(
      '13:00 14:00 15:00 16:00 17:00',
    )
  })
})
