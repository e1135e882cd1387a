import { describe, expect, it } from 'vitest'
import { at, diarySegment, diaryVisit } from '#/testing/diary.ts'
import { maud } from '#/testing/institutes.ts'
import { latenessOf, nextStep } from './attendance-steps.tsx'
import { nextUpOf } from './next-up.tsx'

const now = (time: string) => Date.parse(at(time))

describe('attendance', () => {
  it('goes from expected over arrived and in service to done', () => {
    expect((['expected', 'arrived', 'in_service', 'done', 'no_show'] as const).map(nextStep)).toEqual([
      'arrived',
      'in_service',
      'done',
      null,
      null,
    ])
  })
})

describe('somebody late', () => {
  const roux = diaryVisit('roux', '09:40', '10:20', { attendance: 'arrived', attendedAt: { arrived: at('09:52') } })

  it('affects nobody while there is time behind the visit', () => {
    expect(latenessOf(roux, [roux, diaryVisit('next', '10:40', '11:20')], now('09:53'))).toEqual({ minutes: 12, waiting: [] })
  })

  it('makes whoever comes next with the same person wait, and nobody else', () => {
    const next = diaryVisit('next', '10:20', '11:00')
    const other = diaryVisit('other', '10:20', '11:00', { segments: [diarySegment('10:20', '11:00', { staffId: maud })] })
    const gone = diaryVisit('gone', '10:20', '11:00', { status: 'cancelled' })
    expect(latenessOf(roux, [roux, next, other, gone], now('09:53'))?.waiting).toEqual([next])
  })

  it('is late from five minutes on, and while awaited by the present', () => {
    const awaited = diaryVisit('v', '09:40', '10:20')
    expect(latenessOf(awaited, [], now('09:43'))).toBeNull()
    expect(latenessOf(awaited, [], now('09:47'))?.minutes).toBe(7)
    // What is over, was let go or missed is not late any more.
    expect(latenessOf(awaited, [], now('10:30'))).toBeNull()
    expect(latenessOf({ ...awaited, attendance: 'no_show' }, [], now('09:50'))).toBeNull()
    expect(latenessOf({ ...awaited, status: 'cancelled' }, [], now('09:50'))).toBeNull()
  })
})

describe('the next to come', () => {
  const visits = [
    diaryVisit('b', '10:20', '11:00'),
    diaryVisit('a', '10:00', '10:20'),
    diaryVisit('done', '09:40', '10:00', { attendance: 'done' }),
  ]

  it('is the first who is awaited, an hour behind or half an hour ahead', () => {
    expect(nextUpOf(visits, null, now('10:05'))?._id).toBe('a')
    expect(nextUpOf(visits, null, now('11:10'))?._id).toBe('b')
    expect(nextUpOf(visits, null, now('09:20'))).toBeNull()
  })

  it('is of one person where one is shown', () => {
    expect(nextUpOf(visits, maud, now('10:05'))).toBeNull()
  })
})
