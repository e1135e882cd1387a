/** What the compiler refuses of times: a line that it lets pass fails the types of this room. */
import { type Day, type EpochMinute, type Instant, instantOf, minuteOf } from '@soigne/contract/time'
import { planVisit } from '@soigne/scheduling/plan-visit'
import type { Asking, Day as PlannedDay, EpochMinute as PlannedMinute, InstituteDiary } from '@soigne/scheduling/model'
import { describe, expect, it } from 'vitest'
import { instantText, minuteOfText, minuteText, parseInstant, utcDayOf } from './instants.ts'

const now: Instant = Date.UTC(2026, 10, 22, 10, 30)

describe('units of time', () => {
  it('do not stand for each other', () => {
    const minute: EpochMinute = minuteOf(now)
    // @ts-expect-error milliseconds are no minutes
    const mistaken: EpochMinute = now
    // @ts-expect-error minutes are no milliseconds
    const turned: Instant = minute
    // @ts-expect-error an instant's text is no day
    const dated: Day = instantText(now)
    // @ts-expect-error a minute is turned into an instant, not an instant once more
    instantOf(now)
    // @ts-expect-error nor a minute into a minute
    minuteOf(minute)
    expect([mistaken, turned, dated]).toEqual([now, minute, '2026-11-22T10:30:00.000Z'])
  })

  it('are refused where the engine asks for another', () => {
    const plan = (diary: InstituteDiary, startsAt: Instant, asking: Asking): unknown => [
      // @ts-expect-error a start in milliseconds
      () => planVisit(diary, [], startsAt, asking),
      // @ts-expect-error a now in milliseconds
      () => planVisit(diary, [], minuteOf(startsAt), { now: startsAt }),
      () => planVisit(diary, [], minuteOf(startsAt), { now: minuteOf(startsAt) }),
    ]
    expect(plan).toBeTypeOf('function')
  })

  it('are the same in the contract and in scheduling', () => {
    const minute: PlannedMinute = minuteOf(now)
    const day: PlannedDay = utcDayOf(now)
    const back: [EpochMinute, Day] = [minute, day]
    expect(back).toEqual([now / 60_000, '2026-11-22'])
  })

  it('come back as they went', () => {
    expect(parseInstant(instantText(now))).toBe(now)
    expect(minuteOfText(minuteText(minuteOf(now)))).toBe(minuteOf(now))
    expect(instantOf(minuteOf(now))).toBe(now)
  })
})
