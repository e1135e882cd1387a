import { expect, test } from 'vitest'
import type { GroupSession } from './model.ts'
import { nextOffers, offersForDays } from './offers.ts'
import { planVisit } from './plan-visit.ts'
import { ASKING, at, busy, hours, institute, member, service, shown, TUESDAY, wallOf } from './testing/small-institute.ts'

const yoga = (id: string, time: string, more: Partial<GroupSession> = {}): GroupSession => ({
  id,
  serviceId: 'yoga',
  memberId: 'ana',
  from: at(time),
  to: at(time) + 60,
  seats: 3,
  taken: 0,
  ...more,
})
const studio = (sessions: readonly GroupSession[], more: Partial<Parameters<typeof institute>[0]> = {}) =>
  institute({
    services: [service('yoga', { capacity: 3 }), service('massage')],
    open: ['09:00-18:00'],
    members: [member('ana', ['yoga', 'massage'], { busy: busy('10:00-11:00') }), member('ben', ['yoga'], { order: 1 })],
    sessions,
    ...more,
  })
const cart = [{ serviceId: 'yoga' }]
const offered = (diary: ReturnType<typeof studio>, asked = cart) =>
  offersForDays(diary, asked, { ...ASKING, fromDay: TUESDAY, days: 1 })[0]!.times
const refused = (diary: ReturnType<typeof studio>, time: string, asked = cart) => {
  const answer = planVisit(diary, asked, at(time), ASKING)
  return answer.ok ? null : answer.reason
}

test('a group service is offered at its sessions alone, before opening and off the grid too, and says how many seats are left', () => {
  const diary = studio([yoga('late', '19:05', { taken: 1 }), yoga('early', '07:00'), yoga('full', '12:00', { taken: 3 })])
  expect(offered(diary).map(({ startsAt, seatsLeft }) => [wallOf(startsAt), seatsLeft])).toEqual([
    ['07:00', 3],
    ['19:05', 2],
  ])
  expect(refused(diary, '09:00')).toBe('no_session')
  expect(refused(diary, '12:00')).toBe('full')
  expect(shown(offered(diary, [{ serviceId: 'massage' }])).startsWith('09:00 11:00')).toBe(true)
})

test('of two sessions at one time the emptier is filled, and who wants one teacher gets that one', () => {
  const diary = studio([yoga('of ana', '12:00', { taken: 2 }), yoga('of ben', '12:00', { memberId: 'ben', taken: 1 })])
  expect(offered(diary)).toMatchObject([{ seatsLeft: 3 }])
  expect(planVisit(diary, cart, at('12:00'), ASKING)).toMatchObject({ plan: { sessionId: 'of ben', occupations: [] } })
  const withAna = planVisit(diary, [{ serviceId: 'yoga', memberId: 'ana' }], at('12:00'), ASKING)
  expect(withAna).toMatchObject({ plan: { sessionId: 'of ana', segments: [{ memberId: 'ana' }] } })
})

test('a session is not offered where a closure or leave takes any of it, and is booked by itself', () => {
  const noon = { fromDay: TUESDAY, toDay: TUESDAY, part: hours('12:30-13:00') }
  expect(refused(studio([yoga('a', '12:00')], { closures: [noon] }), '12:00')).toBe('closed')
  expect(offered(studio([yoga('a', '13:00')], { closures: [noon] }))).toHaveLength(1)
  const away = studio([yoga('a', '12:00')], { members: [member('ana', ['yoga'], { absences: [{ fromDay: TUESDAY, toDay: TUESDAY }] })] })
  expect([refused(away, '12:00'), offered(away)]).toEqual(['on_leave', []])
  expect(refused(studio([yoga('a', '12:00')]), '12:00', [...cart, { serviceId: 'massage' }])).toBe('session_alone')
})

test('the next seats are found in order of time, part of day by part of day', () => {
  const diary = studio([yoga('c', '2027-03-11 18:00'), yoga('b', '2027-03-10 08:00'), yoga('a', '17:00')])
  const next = (part?: 'evening') => nextOffers(diary, cart, { ...ASKING, from: at('09:00'), untilDay: '2027-03-12', limit: 2, part })
  expect(shown(next())).toBe('17:00 08:00')
  expect(shown(next('evening'))).toBe('17:00 18:00')
})
