import { describe, expect, test } from 'vitest'
import { ASKING, at, busy, hours, institute, member, service, wallOf } from './testing/small-institute.ts'
import { firstThatFits, type FreedTime, type WaitingMatch, type WaitingRequest } from './waiting-list.ts'

/** Ana is busy all Tuesday but for 14:00 to 16:00, which a cancellation has just freed. */
const DIARY = institute({
  services: [service('cut'), service('colour', { minutes: 120 }), service('perm', { minutes: 180 })],
  members: [member('ana', ['cut', 'colour', 'perm'], { busy: busy('09:00-14:00', '16:00-18:00') })],
})
const FREED = busy('14:00-16:00')[0]!

function waiting(id: string, more: Partial<WaitingRequest> = {}): WaitingRequest {
  const cart = [{ serviceId: 'cut' }]
  return { id, cart, fromDay: '2027-03-08', toDay: '2027-03-12', askedAt: at('2027-03-01 10:00'), declined: [], ...more }
}

function served(requests: readonly WaitingRequest[], now = ASKING.now): string {
  const match: WaitingMatch | undefined = firstThatFits(DIARY, requests, FREED, now)
  return match === undefined ? 'nobody' : `${match.request.id} ${wallOf(match.offer.startsAt)}`
}

describe('freed time is offered', () => {
  test('to the one who asked first, whatever the order of the list', () => {
    expect(served([waiting('a', { askedAt: at('2027-03-02 10:00') }), waiting('z')])).toBe('z 14:00')
    expect(served([waiting('b'), waiting('a')])).toBe('a 14:00')
  })

  test('at home with the way there and back, which is time of the visit', () => {
    const atHome = { cart: [{ serviceId: 'cut', atHome: true }] }
    const among = (travelMinutes: number, freed: FreedTime) =>
      firstThatFits({ ...DIARY, travelMinutes, rules: { ...DIARY.rules, gridMinutes: 10 } }, [waiting('a', atHome)], freed, ASKING.now)
    const start = (...asked: Parameters<typeof among>) => {
      const match = among(...asked)
      return match ? wallOf(match.offer.startsAt) : 'never'
    }
    expect(start(30, FREED)).toBe('14:30')
    expect(start(20, FREED)).toBe('14:20')
    expect(start(60, FREED)).toBe('never')
    // Only the way uses what fell free.
    expect(start(30, busy('14:00-14:30')[0]!)).toBe('14:30')
    expect(start(30, busy('15:30-16:00')[0]!)).toBe('14:30')
    // Of a member's time all of it lies within.
    expect(start(30, { ...busy('14:00-15:40')[0]!, memberId: 'ana' })).toBe('never')
    expect(start(30, { ...FREED, memberId: 'ana' })).toBe('14:30')
  })

  test('to the next when the service of the first does not fit', () => {
    const perm = waiting('perm', { cart: [{ serviceId: 'perm' }], askedAt: at('2027-02-01 10:00') })
    expect(served([perm, waiting('cut')])).toBe('cut 14:00')
    expect(served([perm, waiting('colour', { cart: [{ serviceId: 'colour' }] })])).toBe('colour 14:00')
  })

  test('inside the days, weekdays and hours that were asked for', () => {
    expect(served([waiting('a', { fromDay: '2027-03-10' })])).toBe('nobody')
    expect(served([waiting('a', { toDay: '2027-03-08' })])).toBe('nobody')
    expect(served([waiting('a', { weekdays: [1, 3] })])).toBe('nobody')
    expect(served([waiting('a', { weekdays: [2], hours: hours('14:30-16:00') })])).toBe('a 15:00')
    expect(served([waiting('a', { hours: hours('09:00-14:30') })])).toBe('nobody')
  })

  test('not again to someone who let it pass, unless another start of it suits', () => {
    expect(served([waiting('a', { declined: [at('14:00')] })])).toBe('a 15:00')
    expect(served([waiting('a', { declined: [at('14:00'), at('15:00')] })])).toBe('nobody')
  })

  test('within the part of the day, and before the visit it replaces', () => {
    expect(served([waiting('a', { part: 'morning' })])).toBe('nobody')
    expect(served([waiting('a', { part: 'afternoon' })])).toBe('a 14:00')
    expect(served([waiting('a', { before: at('14:00') }), waiting('b', { before: at('14:20') })])).toBe('b 14:00')
  })

  test('apart from what the person does then', () => {
    expect(served([waiting('a', { apart: busy('13:30-14:10') })])).toBe('a 15:00')
    expect(served([waiting('a', { apart: busy('13:00-14:00', '15:30-16:00') })])).toBe('a 14:00')
    expect(served([waiting('a', { apart: busy('14:30-15:30') })])).toBe('nobody')
  })

  test('only as far as it has not passed', () => {
    expect(served([waiting('a')], at('14:20'))).toBe('a 15:00')
    expect(served([waiting('a')], at('15:20'))).toBe('nobody')
  })

  test('from its beginning on, though an earlier start would use some of it too', () => {
    const free = { ...DIARY, members: [member('ana', ['colour'], { busy: busy('09:00-13:00', '17:00-18:00') })] }
    const colour = { cart: [{ serviceId: 'colour' }] }
    expect(firstThatFits(free, [waiting('a', colour)], FREED, ASKING.now)?.offer.startsAt).toBe(at('14:00'))
    expect(firstThatFits(free, [waiting('a', { ...colour, before: at('14:00') })], FREED, ASKING.now)?.offer.startsAt).toBe(at('13:00'))
  })

  test('but never time of who costs more, unless they were asked for', () => {
    const dear = { ...DIARY, members: DIARY.members.map((one) => ({ ...one, performs: new Map([['cut', { onlyByName: true }]]) })) }
    const freed = { ...FREED, memberId: 'ana' }
    expect(firstThatFits(dear, [waiting('a')], freed, ASKING.now)).toBeUndefined()
    const named = waiting('b', { cart: [{ serviceId: 'cut', memberId: 'ana' }] })
    expect(firstThatFits(dear, [waiting('a'), named], freed, ASKING.now)?.request.id).toBe('b')
  })

  test('and not other time that happens to be free', () => {
    const free = { ...DIARY, members: [member('ana', ['cut'], { busy: busy('14:00-18:00') })] }
    expect(firstThatFits(free, [waiting('a')], FREED, ASKING.now)).toBeUndefined()
  })
})
