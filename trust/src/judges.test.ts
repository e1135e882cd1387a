/** The judges of the short races and the report must be able to say no. */
import { describe, expect, it } from 'vitest'
import { spawn } from 'node:child_process'
import { tooLate, untilEnded } from './back-again.ts'
import { judgeCrowd } from './processes.ts'
import { markdownOf } from './report.ts'
import { judgeRound } from './slot.ts'
import { largest, percentile } from './trial.ts'
import { judgeOffers, judgeStrangers } from './waiting-list.ts'
import type { Answer, Body } from './wire.ts'
import type { Institute } from './world.ts'

const ten = '2026-12-01T10:00:00.000Z'
const halfPast = '2026-12-01T10:30:00.000Z'
const answered = (status: number, body: Body = {}): Answer => ({ status, body, retryAfter: undefined, beganAt: 0, endedAt: 1 })
const lost = (nearest = halfPast): Answer =>
  answered(409, { code: 'slot_taken', details: { nearest: [{ startsAt: nearest, endsAt: nearest }] } })
const won = (id = 'a', staffId = 'anna', startsAt = ten): Answer =>
  answered(201, { _id: id, segments: [{ serviceId: 'cut', staffId, startsAt, endsAt: startsAt }] })

describe('a round for one time', () => {
  it('is good with one winner and losers who were shown other times', () => {
    expect(judgeRound([won(), lost(), lost()], ten, 1)).toEqual([])
  })

  it('is not with two winners or none', () => {
    expect(judgeRound([won(), won('b'), lost()], ten, 1)).toHaveLength(1)
    expect(judgeRound([lost(), lost()], ten, 1)).toHaveLength(1)
  })

  it('is not when a loser met a fault, silence, another refusal, no other times or the lost time again', () => {
    const wrong = [answered(500), answered(0), answered(429, { code: 'too_many_holds' }), answered(409, { code: 'slot_taken' }), lost(ten)]
    for (const answer of wrong) expect(judgeRound([won(), answer], ten, 1)).toHaveLength(1)
  })
})

describe('a crowd that wants what overlaps', () => {
  const institute: Institute = { id: 's', members: ['anna', 'ben'], services: [{ id: 'cut', rule: { active: 30 } }], resources: [] }
  const request = (startsAt = ten, member: number | 'any' = 0) => ({ startsAt: Date.parse(startsAt), lines: [[0, member]] as const })

  it('is treated well when winners keep apart and losers lost to them', () => {
    expect(judgeCrowd(institute, [request(), request(), request(halfPast)], [won(), lost(), won('b', 'anna', halfPast)])).toEqual([])
  })

  it('is not when two have the same time, or somebody was refused a free one', () => {
    expect(judgeCrowd(institute, [request(), request()], [won(), won('b')])).toHaveLength(1)
    expect(judgeCrowd(institute, [request(), request(ten, 'any')], [won(), lost()])).toHaveLength(1)
    expect(judgeCrowd(institute, [request(), request(ten, 1)], [won(), answered(500)])).toHaveLength(1)
  })
})

it('a product that is back too late, ready or booking, is told of', () => {
  expect(tooLate([{ readyMs: 900, bookedMs: 1200 }])).toEqual([])
  expect(
    tooLate([
      { readyMs: 900, bookedMs: 3001 },
      { readyMs: 30_000, bookedMs: 30_000 },
    ]),
  ).toHaveLength(2)
})

it('figures are the middle and the largest of what was measured', () => {
  expect([percentile([5, 1, 3], 0.5), percentile([1, 2, 3, 4], 0.99), largest([2, 9, 4]), percentile([], 0.5)]).toEqual([3, 4, 9, 0])
})

it('the report says what broke, with the seed to run it again', () => {
  const about = { seed: 7, commit: 'abc1234', day: '2026-12-01', machine: 'two cores', options: ['mix', '--long'] }
  const good = { name: 'slot', seconds: 9, load: 0.2, figures: { rounds: 20 }, violations: [] }
  expect(markdownOf(about, [good])).toContain('| slot | good | 9 | 0.2 | rounds 20 |')
  expect(markdownOf(about, [good])).toContain(`Run again: \`npm run trust -- mix --long --seed ${about.seed}\`.`)
  const text = markdownOf(about, [good, { ...good, name: 'mix', violations: ['two have one time\nand more'] }])
  expect(text).toContain('| mix | **1 violations** |')
  expect(text).toContain('- mix: two have one time\n')
  expect(text).toContain('--seed 7')
})

describe('who was left behind by a database that was killed', () => {
  it('is waited for: only what is answered after their end is an answer of the new one', async () => {
    const [one, other] = [1, 2].map(() =>
      spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] }),
    )
    const ended = (child: typeof one): Promise<unknown> => new Promise((done) => child?.once('exit', done))
    const order: string[] = []
    const waited = untilEnded([one?.pid ?? 0, other?.pid ?? 0], 60_000).then(() => order.push('waited'))
    const first = ended(one)
    one?.kill('SIGKILL')
    await first
    order.push('one')
    const second = ended(other).then(() => order.push('other'))
    other?.kill('SIGKILL')
    await Promise.all([second, waited])
    expect(order.indexOf('waited')).toBeGreaterThan(order.indexOf('one'))
    await expect(untilEnded([process.pid], 0)).rejects.toThrow('still there')
  })
})

describe('a waiting list', () => {
  it('is good when strangers lose to who is offered the time, and offers follow the order', () => {
    expect(judgeStrangers([lost(), lost()], 0)).toEqual([])
    expect(judgeStrangers([won(), lost()], 1)).toEqual([])
    expect(judgeOffers(['anna', 'ben', 'cem'], ['anna', 'ben'])).toEqual([])
    expect(judgeOffers(['anna', 'ben'], [])).toEqual([])
  })

  it('is not when a stranger has what is offered, meets a fault, or somebody is passed over or offered twice', () => {
    expect(judgeStrangers([won(), lost()], 0)).toHaveLength(1)
    expect(judgeStrangers([answered(500), lost()], 1)).toHaveLength(1)
    expect(judgeOffers(['anna', 'ben', 'cem'], ['anna', 'cem'])).toHaveLength(1)
    expect(judgeOffers(['anna', 'ben'], ['anna', 'anna'])).toHaveLength(1)
  })
})
