/** The checker must be able to fail: every kind of lie a broken product could tell is planted in a history and found. */
import { describe, expect, it } from 'vitest'
import { checkHistory, compareEntries, compareWithStored, type Operation } from './checker.ts'
import { Diary, takenOf } from './model.ts'
import type { Step, Taken } from './steps.ts'
import { randomFrom } from '@soigne/demo/random'
import type { Institute } from './world.ts'

const institute: Institute = {
  id: 'salon',
  members: ['anna', 'ben'],
  services: [
    { id: 'cut', rule: { active: 30 } },
    { id: 'colour', rule: { active: 20, idle: 20, after: 20, resource: 'chair' } },
    { id: 'care', rule: { active: 20, bufferAfter: 10 } },
  ],
  resources: [{ id: 'chair', type: 'chair' }],
}
const ten = Date.parse('2026-12-01T10:00:00Z')
const minutes = (n: number): number => ten + n * 60_000
const cutBy = (member: string, at = ten): Taken[] =>
  takenOf(institute, [{ serviceId: 'cut', staffId: member, startsAt: new Date(at).toISOString() }])
const held = (visit: string, member = 'anna', at = ten): Step => ({
  kind: 'hold',
  visit,
  taken: cutBy(member, at),
  startsAt: at,
})
const noTime = (member: number | 'any' = 0, at = ten): Step => ({ kind: 'no time', request: { startsAt: at, lines: [[0, member]] } })
const looked = (isOffered: boolean): Step => ({ kind: 'look', request: { startsAt: ten, lines: [[0, 0]] }, isOffered })
/** An hour of hers from ten on. */
const hour: Taken = { subject: 'anna', from: ten / 60_000, to: ten / 60_000 + 60 }
/** Asked and answered at these moments. */
const op = (beganAt: number, endedAt: number, step: Step): Operation => ({ by: 'somebody', step, beganAt, endedAt })
const isTrue = (...operations: Operation[]): boolean => checkHistory(institute, operations).isTrue

describe('a true history', () => {
  it('of one after the other has an order', () => {
    expect(
      isTrue(
        op(0, 1, held('a')),
        op(2, 3, noTime()),
        op(4, 5, { kind: 'book', visit: 'a' }),
        op(6, 7, { kind: 'read', visit: 'a', status: 'booked', startsAt: ten }),
        op(8, 9, { kind: 'move', visit: 'a', taken: cutBy('anna', minutes(60)), startsAt: minutes(60) }),
        op(10, 11, held('b')),
        op(12, 13, { kind: 'cancel', visit: 'a' }),
        op(14, 15, { kind: 'read', visit: 'a', status: 'cancelled', startsAt: minutes(60) }),
      ),
    ).toBe(true)
  })

  it('of a loser who asked first and lost to a later winner has an order, as they asked at once', () => {
    expect(isTrue(op(0, 10, noTime()), op(5, 6, held('a')))).toBe(true)
  })

  it('may have a refusal for the short time somebody else had it', () => {
    expect(isTrue(op(0, 5, held('a')), op(1, 8, noTime()), op(6, 7, { kind: 'release', visit: 'a' }), op(9, 10, held('b')))).toBe(true)
  })

  it('gives anybody’s refusal a cause only when everybody is taken', () => {
    expect(isTrue(op(0, 1, held('a')), op(2, 3, noTime('any')))).toBe(false)
    expect(isTrue(op(0, 1, held('a')), op(2, 3, held('b', 'ben')), op(4, 5, noTime('any')))).toBe(true)
  })

  it('sells the idle part of a colour, and its chair once', () => {
    const colour = takenOf(institute, [{ serviceId: 'colour', staffId: 'anna', startsAt: new Date(ten).toISOString() }])
    const first = op(0, 1, { kind: 'hold', visit: 'a', taken: colour, startsAt: ten })
    const care = takenOf(institute, [{ serviceId: 'care', staffId: 'anna', startsAt: new Date(minutes(20)).toISOString() }])
    expect(isTrue(first, op(2, 3, { kind: 'no time', request: { startsAt: ten, lines: [[1, 1]] } }))).toBe(true)
    // Twenty minutes and a buffer of ten do not fit into twenty idle ones.
    expect(isTrue(first, op(2, 3, { kind: 'hold', visit: 'b', taken: care, startsAt: minutes(20) }))).toBe(false)
  })

  it('lets a hold run out at its end, and a visit that was booked in time stand', () => {
    expect(isTrue(op(0, 1, held('a')), op(5, 5, { kind: 'expire', visit: 'a' }), op(6, 7, held('b')))).toBe(true)
    expect(
      isTrue(op(0, 1, held('a')), op(4, 8, { kind: 'book', visit: 'a' }), op(5, 5, { kind: 'expire', visit: 'a' }), op(6, 9, noTime())),
    ).toBe(true)
  })

  it('leaves an answer that never came open: it may have happened or not', () => {
    const unknown = op(0, Infinity, { kind: 'release', visit: 'a' })
    expect(isTrue(op(-2, -1, held('a')), unknown, op(5, 6, held('b')))).toBe(true)
    expect(isTrue(op(-2, -1, held('a')), unknown, op(5, 6, noTime()))).toBe(true)
  })
})

describe('an anomaly is found:', () => {
  it('two have one time', () => {
    expect(isTrue(op(0, 5, held('a')), op(1, 6, held('b')))).toBe(false)
  })

  it('two have times that overlap by five minutes', () => {
    expect(isTrue(op(0, 5, held('a')), op(1, 6, held('b', 'anna', minutes(25))))).toBe(false)
  })

  it('one machine is in two visits of different people', () => {
    const colour = (member: string): Taken[] =>
      takenOf(institute, [{ serviceId: 'colour', staffId: member, startsAt: new Date(ten).toISOString() }])
    expect(
      isTrue(
        op(0, 5, { kind: 'hold', visit: 'a', taken: colour('anna'), startsAt: ten }),
        op(1, 6, { kind: 'hold', visit: 'b', taken: colour('ben'), startsAt: ten }),
      ),
    ).toBe(false)
  })

  it('a refusal without a cause, and one whose cause was over before it was asked', () => {
    expect(isTrue(op(0, 1, noTime()))).toBe(false)
    expect(isTrue(op(0, 1, held('a')), op(2, 3, { kind: 'release', visit: 'a' }), op(4, 5, noTime()))).toBe(false)
  })

  it('a cancelled visit that still keeps its time from others', () => {
    expect(
      isTrue(op(0, 1, held('a')), op(2, 3, { kind: 'book', visit: 'a' }), op(4, 5, { kind: 'cancel', visit: 'a' }), op(6, 7, noTime())),
    ).toBe(false)
  })

  it('a read that is older than what was acknowledged before it was asked', () => {
    const booked = [op(0, 1, held('a')), op(2, 3, { kind: 'book', visit: 'a' })]
    expect(
      isTrue(...booked, op(4, 5, { kind: 'cancel', visit: 'a' }), op(6, 7, { kind: 'read', visit: 'a', status: 'booked', startsAt: ten })),
    ).toBe(false)
    expect(isTrue(...booked, op(4, 5, looked(true)))).toBe(false)
    expect(isTrue(op(0, 1, looked(false)))).toBe(false)
  })

  it('a hold that was booked after it had run out', () => {
    expect(isTrue(op(0, 1, held('a')), op(5, 5, { kind: 'expire', visit: 'a' }), op(6, 7, { kind: 'book', visit: 'a' }))).toBe(false)
  })

  it('a visit on somebody’s leave, a leave over somebody’s visit, a refusal after the return', () => {
    const taken = { subject: 'anna', from: ten / 60_000, to: ten / 60_000 + 60 }
    const away = op(0, 1, { kind: 'leave', leave: 'l', taken })
    expect(isTrue(away, op(2, 3, held('a')))).toBe(false)
    expect(isTrue(op(0, 1, held('a')), op(2, 3, { kind: 'leave', leave: 'l', taken }))).toBe(false)
    expect(isTrue(away, op(2, 3, noTime()), op(4, 5, { kind: 'return', leave: 'l' }), op(6, 7, noTime()))).toBe(false)
    expect(isTrue(op(0, 1, { kind: 'no leave', taken }))).toBe(false)
  })

  it('a buffer that reaches into a leave; but two leaves of one person may overlap', () => {
    const away = { subject: 'anna', from: ten / 60_000 + 30, to: ten / 60_000 + 60 }
    const care: Step = { kind: 'look', request: { startsAt: ten, lines: [[2, 0]] }, isOffered: true }
    expect(
      isTrue(op(0, 1, { kind: 'leave', leave: 'l', taken: away }), op(2, 3, { kind: 'leave', leave: 'm', taken: away }), op(4, 5, care)),
    ).toBe(true)
    expect(isTrue(op(0, 1, { kind: 'leave', leave: 'l', taken: { ...away, from: away.from - 5 } }), op(4, 5, care))).toBe(false)
  })

  it('a visit over blocked time, a block over a visit, and a refusal because of a block that has gone', () => {
    const blocked: Step = { kind: 'block', block: 'b', taken: hour }
    expect(isTrue(op(0, 1, blocked), op(2, 3, held('a')))).toBe(false)
    expect(isTrue(op(0, 1, blocked), op(2, 3, noTime()), op(4, 5, { kind: 'unblock', block: 'b' }), op(6, 7, held('a')))).toBe(true)
    expect(isTrue(op(0, 1, blocked), op(2, 3, { kind: 'unblock', block: 'b' }), op(4, 5, noTime()))).toBe(false)
    expect(isTrue(op(0, 1, held('a')), op(2, 3, blocked))).toBe(false)
    expect(isTrue(op(0, 1, held('a')), op(2, 3, { kind: 'no block', taken: hour }))).toBe(true)
    expect(isTrue(op(0, 1, { kind: 'no block', taken: hour }))).toBe(false)
    expect(isTrue(op(0, 1, blocked), op(2, 3, { ...blocked, block: 'c' }))).toBe(false)
    expect(isTrue(op(0, 1, { kind: 'leave', leave: 'l', taken: hour }), op(2, 3, blocked))).toBe(false)
    expect(isTrue(op(0, 1, blocked), op(2, 3, { kind: 'leave', leave: 'l', taken: hour }))).toBe(true)
  })

  it('sick leave that does not say what it hits, or says too much; a visit within it', () => {
    const sick = (...hits: string[]): Step => ({ kind: 'leave', leave: 'l', taken: hour, hits })
    expect(isTrue(op(0, 1, held('a')), op(2, 3, sick('a')))).toBe(true)
    expect(isTrue(op(0, 1, held('a')), op(2, 3, sick()))).toBe(false)
    expect(isTrue(op(0, 1, held('a', 'ben')), op(2, 3, sick('a')))).toBe(false)
    expect(isTrue(op(0, 1, sick()), op(2, 3, held('a')))).toBe(false)
    expect(isTrue(op(0, 9, sick('a')), op(1, 8, held('a')))).toBe(true)
  })

  it('a visit put over others that then is in nobody’s way, or stands on somebody’s leave, or is refused without one', () => {
    const over: Step = { kind: 'overbook', visit: 'o', taken: cutBy('anna'), startsAt: ten }
    const blocked: Step = { kind: 'block', block: 'b', taken: hour }
    const gone = [op(4, 5, { kind: 'release', visit: 'a' })]
    expect(isTrue(op(0, 1, held('a')), op(2, 3, over), ...gone, op(6, 7, noTime()))).toBe(true)
    expect(isTrue(op(0, 1, held('a')), op(2, 3, over), ...gone, op(6, 7, held('c')))).toBe(false)
    expect(isTrue(op(0, 1, over), op(2, 3, blocked))).toBe(false)
    expect(isTrue(op(0, 1, over), op(2, 3, { kind: 'leave', leave: 'l', taken: hour }))).toBe(false)
    expect(isTrue(op(0, 1, { kind: 'leave', leave: 'l', taken: hour, hits: [] }), op(2, 3, over))).toBe(false)
    expect(isTrue(op(0, 1, { kind: 'no overbook', taken: cutBy('anna') }))).toBe(false)
    expect(isTrue(op(0, 1, over), op(2, 3, { kind: 'cancel', visit: 'o' }), op(4, 5, noTime()))).toBe(false)
  })

  it('a visit over the busy time of another calendar, and a refusal for what that calendar no longer has', () => {
    const busy: Step = { kind: 'sync', source: 's', busy: [hour] }
    expect(isTrue(op(0, 1, busy), op(2, 3, held('a')))).toBe(false)
    expect(isTrue(op(0, 1, held('a')), op(2, 3, busy), op(4, 5, { kind: 'block', block: 'b', taken: { ...hour, subject: 'ben' } }))).toBe(
      true,
    )
    expect(isTrue(op(0, 1, busy), op(2, 3, { ...busy, busy: [] }), op(4, 5, noTime()))).toBe(false)
    expect(isTrue(op(0, 1, busy), op(2, 3, { kind: 'block', block: 'b', taken: hour }))).toBe(true)
  })

  it('one more in a session than it has seats, a refusal where one was left, a seat of a session that is cancelled', () => {
    const opened = op(0, 1, { kind: 'open', session: 's', member: 'anna', startsAt: ten, capacity: 2, taken: cutBy('anna') })
    const seat = (visit: string): Step => ({ kind: 'seat', visit, member: 'anna', startsAt: ten })
    const none: Step = { kind: 'no seat', member: 'anna', startsAt: ten }
    const two = [opened, op(2, 3, seat('a')), op(4, 5, seat('b'))]
    expect(isTrue(...two, op(6, 7, none))).toBe(true)
    expect(isTrue(...two, op(6, 7, seat('c')))).toBe(false)
    expect(isTrue(opened, op(2, 9, seat('a')), op(3, 8, seat('b')), op(4, 7, seat('c')))).toBe(false)
    expect(isTrue(opened, op(2, 3, seat('a')), op(4, 5, none))).toBe(false)
    expect(isTrue(...two, op(6, 7, { kind: 'release', visit: 'a' }), op(8, 9, none))).toBe(false)
    expect(isTrue(...two, op(6, 7, { kind: 'release', visit: 'a' }), op(8, 9, seat('c')))).toBe(true)
    const closed: Operation[] = [op(6, 7, { kind: 'book', visit: 'a' }), op(8, 9, { kind: 'close', session: 's' })]
    const read = (status: string): Operation => op(10, 11, { kind: 'read', visit: 'a', status, startsAt: ten })
    expect(isTrue(...two, ...closed, read('cancelled'), op(12, 13, { kind: 'not held', visit: 'b' }), op(14, 15, held('c')))).toBe(true)
    expect(isTrue(...two, ...closed, read('booked'))).toBe(false)
    expect(isTrue(...two, ...closed, op(10, 11, seat('c')))).toBe(false)
    expect(isTrue(...two, ...closed, op(10, 11, { kind: 'book', visit: 'b' }))).toBe(false)
  })

  it('a session over a visit, blocked time or leave, and whatever else over a session', () => {
    const opened: Step = { kind: 'open', session: 's', member: 'anna', startsAt: ten, capacity: 2, taken: cutBy('anna') }
    const others: Step[] = [held('a'), { kind: 'block', block: 'b', taken: hour }, { kind: 'leave', leave: 'l', taken: hour }]
    for (const other of others) {
      expect(isTrue(op(0, 1, other), op(2, 3, opened))).toBe(false)
      expect(isTrue(op(0, 1, opened), op(2, 3, other))).toBe(false)
      expect(isTrue(op(0, 1, other), op(2, 3, { kind: 'no open', taken: cutBy('anna') }))).toBe(true)
    }
    expect(isTrue(op(0, 1, { kind: 'no open', taken: cutBy('anna') }))).toBe(false)
    expect(isTrue(op(0, 1, opened), op(2, 3, { kind: 'leave', leave: 'l', taken: hour, hits: ['s'] }))).toBe(true)
    expect(isTrue(op(0, 1, opened), op(2, 3, { ...opened, session: 't' }))).toBe(false)
  })

  it('and it is named, with what happened meanwhile', () => {
    const lie = op(4, 9, noTime())
    const verdict = checkHistory(institute, [op(0, 1, held('a', 'ben')), op(5, 6, held('b', 'ben', minutes(30))), lie])
    expect(verdict).toMatchObject({ isTrue: false, stuckAt: lie, around: [{ step: { visit: 'b' } }] })
  })
})

describe('what is stored', () => {
  const diary = (): Diary => {
    const verdict = checkHistory(institute, [op(0, 1, held('a')), op(2, 3, { kind: 'book', visit: 'a' })])
    if (!verdict.isTrue) throw new Error('the history is true')
    return verdict.diary
  }
  it('agrees with what was acknowledged', () => {
    expect(compareWithStored(diary(), [{ id: 'a', status: 'booked', taken: cutBy('anna') }])).toEqual([])
  })

  it('is found to have lost a booking, to keep a cancelled one, to hold another time or a visit nobody was told of', () => {
    expect(compareWithStored(diary(), [])).toEqual([expect.stringContaining('is not stored')])
    expect(compareWithStored(diary(), [{ id: 'a', status: 'cancelled', taken: [] }])).toEqual([
      expect.stringContaining('stored as cancelled'),
    ])
    expect(compareWithStored(diary(), [{ id: 'a', status: 'booked', taken: cutBy('anna', minutes(5)) }])).toHaveLength(1)
    const both = [
      { id: 'a', status: 'booked' as const, taken: cutBy('anna') },
      { id: 'b', status: 'booked' as const, taken: cutBy('ben') },
    ]
    expect(compareWithStored(diary(), both)).toEqual([expect.stringContaining('nobody was told')])
  })
})

describe('leave, blocked time and other calendars as they are stored', () => {
  const verdict = checkHistory(institute, [
    op(0, 1, { kind: 'block', block: 'b', taken: hour }),
    op(2, 3, { kind: 'leave', leave: 'l', taken: hour }),
    op(4, 5, { kind: 'sync', source: 's', busy: [hour] }),
    op(6, 7, { kind: 'block', block: 'gone', taken: { ...hour, subject: 'ben' } }),
    op(8, 9, { kind: 'unblock', block: 'gone' }),
  ])
  const all = [
    { what: 'blocked time' as const, id: 'b', taken: [hour] },
    { what: 'leave' as const, id: 'l', taken: [hour] },
    { what: 'busy time' as const, id: 's', taken: [hour] },
  ]
  const compared = (stored: typeof all | unknown[]): string[] =>
    verdict.isTrue ? compareEntries(verdict.diary, stored as typeof all) : ['the history is true']

  it('agree, or what is lost, changed or kept is named', () => {
    expect(compared(all)).toEqual([])
    expect(compared(all.slice(1))).toEqual([expect.stringContaining('blocked time b')])
    expect(compared([...all, { what: 'blocked time', id: 'gone', taken: [hour] }])).toEqual([
      expect.stringContaining('should take nothing'),
    ])
    expect(compared([...all.slice(0, 2), { ...all[2], taken: [{ ...hour, to: hour.to + 5 }] }])).toHaveLength(1)
  })
})

/** A product of our own that is right by construction: takes each step at a moment of its choosing between question and answer. */
function trueHistory(seed: number, count: number): Operation[] {
  const random = randomFrom(`history ${seed}`)
  const diary = new Diary(institute)
  const moments = Array.from({ length: count }, () => random.whole(count * 3)).toSorted((a, b) => a - b)
  return moments.map((moment, n) => {
    const live = [...diary.visits].filter(([, { status }]) => status !== 'cancelled')
    const [id] = live.length > 0 ? random.pick(live) : ['none']
    const at = minutes(5 * random.whole(24))
    const member = random.whole(2)
    const requests: Step[] = [held(`v${n}`, institute.members[member] ?? '', at), noTime(member, at)]
    const steps: Step[] = random.chance(0.6)
      ? requests
      : [
          { kind: 'book', visit: id },
          { kind: 'cancel', visit: id },
          { kind: 'not booked', visit: id },
        ]
    const step = steps.find((one) => diary.take(one) !== null) ?? looked(false)
    const isLook = step.kind === 'look'
    const told: Step = isLook
      ? { kind: 'look', request: { startsAt: ten, lines: [[0, 0]] }, isOffered: diary.take(looked(true)) !== null }
      : step
    return op(moment - random.whole(12), moment + random.whole(12), told)
  })
}

it('thousands of steps that many took at once are found true, and one lie among them is not', () => {
  for (let seed = 1; seed <= 10; seed++) {
    const history = trueHistory(seed, 2000)
    expect(checkHistory(institute, history)).toMatchObject({ isTrue: true })
    const winner = history.findLast(({ step }) => step.kind === 'hold')
    if (!winner || winner.step.kind !== 'hold') throw new Error('somebody held a time')
    const twice: Operation = { ...winner, step: { ...winner.step, visit: 'twice' } }
    expect(checkHistory(institute, [...history, twice]).isTrue).toBe(false)
  }
})
