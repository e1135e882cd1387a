/** What a desk could get wrong is planted in histories and found: times kept for clients, visits put in at the desk, and members who are away for a day. */
import { describe, expect, it } from 'vitest'
import { checkHistory, compareWithStored, type Operation } from './checker.ts'
import { takenOf } from './model.ts'
import type { Step, Taken } from './steps.ts'
import type { Institute } from './world.ts'

const institute: Institute = {
  id: 'salon',
  members: ['anna', 'ben'],
  services: [{ id: 'cut', rule: { active: 30 } }],
  resources: [],
}
const ten = Date.parse('2026-12-01T10:00:00Z')
const eleven = ten + 3_600_000
const cutBy = (member: string, at = ten): Taken[] =>
  takenOf(institute, [{ serviceId: 'cut', staffId: member, startsAt: new Date(at).toISOString() }])
const walkIn = (visit: string, member = 'anna', at = ten): Step => ({ kind: 'walk in', visit, taken: cutBy(member, at), startsAt: at })
const propose = (visit: string, member = 'ben', at = ten, before = ten, hold = `for ${visit}`): Step => ({
  kind: 'propose',
  visit,
  hold,
  taken: cutBy(member, at),
  startsAt: at,
  before,
})
const sick = (...hits: string[]): Step => ({
  kind: 'leave',
  leave: 'l',
  taken: { subject: 'anna', from: ten / 60_000 - 600, to: ten / 60_000 + 840 },
  hits,
})
const move = (visit: string, at: number): Step => ({ kind: 'move', visit, taken: cutBy('anna', at), startsAt: at })
const read = (visit: string, at: number, status = 'booked'): Step => ({ kind: 'read', visit, status, startsAt: at })
const noTime = (member: number, at = ten): Step => ({ kind: 'no time', request: { startsAt: at, lines: [[0, member]] } })
/** One after the other. */
const inTurn = (...steps: Step[]): Operation[] => steps.map((step, n) => ({ by: 'somebody', step, beganAt: 10 * n, endedAt: 10 * n + 1 }))
const isTrue = (...steps: Step[]): boolean => checkHistory(institute, inTurn(...steps)).isTrue
const inAnyOrder = (...steps: Step[]): boolean =>
  checkHistory(
    institute,
    steps.map((step, n) => ({ by: 'somebody', step, beganAt: n, endedAt: 100 + n })),
  ).isTrue

describe('booked at the desk', () => {
  it('takes its time like any visit: never twice, never on leave, never refused where it is free', () => {
    expect(isTrue(walkIn('a'), noTime(0), walkIn('b', 'ben'), { kind: 'cancel', visit: 'a' }, walkIn('c'))).toBe(true)
    expect(isTrue(walkIn('a'), walkIn('b'))).toBe(false)
    expect(isTrue(sick(), walkIn('a'))).toBe(false)
    expect(isTrue(sick('a'), walkIn('a'))).toBe(false)
    expect(inAnyOrder(walkIn('a'), walkIn('b'))).toBe(false)
    expect(isTrue(noTime(0))).toBe(false)
  })

  it('read again by somebody else is what was written, not what was before', () => {
    expect(isTrue(walkIn('a'), move('a', eleven), read('a', eleven))).toBe(true)
    expect(isTrue(walkIn('a'), move('a', eleven), read('a', ten))).toBe(false)
    expect(isTrue(walkIn('a'), { kind: 'cancel', visit: 'a' }, read('a', ten))).toBe(false)
  })
})

it('a class whose member is away has no seat to give, and has them again when they are back', () => {
  const opened: Step = { kind: 'open', session: 's', member: 'anna', startsAt: ten, capacity: 2, taken: cutBy('anna') }
  const seat: Step = { kind: 'seat', visit: 'a', member: 'anna', startsAt: ten }
  const none: Step = { kind: 'no seat', member: 'anna', startsAt: ten }
  expect(isTrue(opened, sick('s'), none, { kind: 'return', leave: 'l' }, seat)).toBe(true)
  expect(isTrue(opened, sick('s'), seat)).toBe(false)
  expect(isTrue(opened, sick('s'), { kind: 'return', leave: 'l' }, none)).toBe(false)
})

describe('a time that is proposed', () => {
  it('is kept for its client: nobody else has it until it is answered', () => {
    expect(isTrue(walkIn('a'), sick('a'), propose('a'), noTime(1))).toBe(true)
    expect(isTrue(walkIn('a'), sick('a'), propose('a'), walkIn('b', 'ben'))).toBe(false)
    expect(isTrue(walkIn('a'), propose('a'), { kind: 'hold', visit: 'h', taken: cutBy('ben'), startsAt: ten })).toBe(false)
    expect(inAnyOrder(walkIn('a'), propose('a'), walkIn('b', 'ben'))).toBe(false)
  })

  it('is in the way of nobody when it is not free, when its member is away, or when the visit is gone', () => {
    expect(isTrue(walkIn('a'), walkIn('b', 'ben'), propose('a'))).toBe(false)
    expect(isTrue(walkIn('a'), sick('a'), propose('a', 'anna', eleven))).toBe(false)
    expect(isTrue(walkIn('a'), { kind: 'cancel', visit: 'a' }, propose('a'))).toBe(false)
    expect(isTrue(walkIn('a'), move('a', eleven), propose('a'))).toBe(false)
    expect(isTrue(walkIn('a'), { kind: 'no propose', visit: 'a', taken: cutBy('ben') })).toBe(false)
    expect(isTrue(walkIn('a'), walkIn('b', 'ben'), { kind: 'no propose', visit: 'a', taken: cutBy('ben') })).toBe(true)
  })

  it('is one of a visit at a time, and two visits never have the same', () => {
    expect(isTrue(walkIn('a'), propose('a'), propose('a', 'ben', eleven, ten, 'again'))).toBe(false)
    expect(isTrue(walkIn('a'), walkIn('b', 'anna', eleven), propose('a'), propose('b', 'ben', ten, eleven))).toBe(false)
  })

  it('taken is the time of the visit from then on, and what it had is free', () => {
    const taken: Step[] = [walkIn('a'), propose('a'), { kind: 'accept', visit: 'a', startsAt: ten }]
    expect(isTrue(...taken, read('a', ten), walkIn('b'), noTime(1))).toBe(true)
    expect(isTrue(...taken, noTime(0))).toBe(false)
    expect(isTrue(...taken, walkIn('b', 'ben'))).toBe(false)
    expect(isTrue(walkIn('a'), propose('a'), { kind: 'accept', visit: 'a', startsAt: eleven })).toBe(false)
    expect(isTrue(...taken, { kind: 'accept', visit: 'a', startsAt: ten })).toBe(false)
    expect(isTrue(walkIn('a'), { kind: 'accept', visit: 'a', startsAt: ten })).toBe(false)
  })

  it('given up gives both times back', () => {
    const given: Step[] = [walkIn('a'), propose('a'), { kind: 'decline', visit: 'a' }]
    expect(isTrue(...given, walkIn('b'), walkIn('c', 'ben'), read('a', ten, 'cancelled'))).toBe(true)
    expect(isTrue(...given, noTime(1))).toBe(false)
    expect(isTrue(...given, noTime(0))).toBe(false)
    expect(isTrue(...given, { kind: 'accept', visit: 'a', startsAt: ten })).toBe(false)
    expect(isTrue(walkIn('a'), propose('a'), { kind: 'not proposed', visit: 'a' })).toBe(false)
  })

  it('of a visit that was moved otherwise cannot be taken, and is tidied up, never before', () => {
    const moved: Step[] = [walkIn('a'), propose('a'), move('a', eleven)]
    expect(isTrue(...moved, { kind: 'not proposed', visit: 'a' }, noTime(1), { kind: 'tidy', visit: 'a' }, walkIn('b', 'ben'))).toBe(true)
    expect(isTrue(...moved, { kind: 'accept', visit: 'a', startsAt: ten })).toBe(false)
    expect(isTrue(...moved, walkIn('b', 'ben'))).toBe(false)
    expect(isTrue(walkIn('a'), propose('a'), { kind: 'tidy', visit: 'a' })).toBe(false)
  })

  it('is listed with the visits that a leave falls on, as every hold waiting for an answer', () => {
    const away: Step = { ...sick(), leave: 'm', taken: { subject: 'ben', from: ten / 60_000, to: ten / 60_000 + 60 } } as Step
    expect(isTrue(walkIn('a'), propose('a'), { ...away, hits: ['for a'] } as Step)).toBe(true)
    expect(isTrue(walkIn('a'), propose('a'), away)).toBe(false)
  })

  it('that is lost, or kept though it was answered, is found among what is stored', () => {
    const at = (status: 'held' | 'booked', id: string, member: string) => ({ id, status, taken: cutBy(member) })
    const open = checkHistory(institute, inTurn(walkIn('a'), propose('a')))
    const taken = checkHistory(institute, inTurn(walkIn('a'), propose('a'), { kind: 'accept', visit: 'a', startsAt: ten }))
    if (!open.isTrue || !taken.isTrue) throw new Error('both histories are true')
    expect(compareWithStored(open.diary, [at('booked', 'a', 'anna'), at('held', 'for a', 'ben')])).toEqual([])
    expect(compareWithStored(open.diary, [at('booked', 'a', 'anna')])).toHaveLength(1)
    expect(compareWithStored(taken.diary, [at('booked', 'a', 'ben')])).toEqual([])
    expect(compareWithStored(taken.diary, [at('booked', 'a', 'anna')])).toHaveLength(1)
    expect(compareWithStored(taken.diary, [at('booked', 'a', 'ben'), at('held', 'for a', 'ben')])).toHaveLength(1)
  })
})
