import { describe, expect, test } from 'vitest'
import type { Asking, CartLine, InstituteDiary, Planning, RefusalReason } from './model.ts'
import { explainStart, planVisit } from './plan-visit.ts'
import { ASKING, at, busy, clock, everyDay, hours, institute, member, resource, service, TUESDAY } from './testing/small-institute.ts'

const CUT: readonly CartLine[] = [{ serviceId: 'cut' }]
const CUTS = [service('cut')]
const ANA = member('ana', ['cut'])
const OPEN = institute({ services: CUTS, members: [ANA] })

function why(diary: InstituteDiary, start = '15:00', cart = CUT, asking: Asking = ASKING): Planning {
  return planVisit(diary, cart, at(start), asking)
}

describe('why not 15:00?', () => {
  const part = [{ fromDay: TUESDAY, toDay: TUESDAY, part: hours('14:00-16:00') }]
  const cases: readonly (readonly [RefusalReason, string, () => Planning])[] = [
    ['empty_cart', 'nothing was chosen', () => why(OPEN, '15:00', [])],
    ['unknown_service', 'the service is gone', () => why(OPEN, '15:00', [{ serviceId: 'gone' }])],
    ['unknown_member', 'the member is gone', () => why(OPEN, '15:00', [{ serviceId: 'cut', memberId: 'gone' }])],
    ['past', 'it is over', () => why(OPEN, '15:00', CUT, { now: at('15:01') })],
    [
      'notice',
      'it is too soon',
      () => why(institute({ services: CUTS, rules: { noticeMinutes: 60 }, members: [ANA] }), '15:00', CUT, { now: at('14:30') }),
    ],
    ['horizon', 'it is too far ahead', () => why(institute({ services: CUTS, rules: { horizonDays: 0 }, members: [ANA] }))],
    ['closed', 'a closure takes the day', () => why({ ...OPEN, closures: [{ fromDay: TUESDAY, toDay: TUESDAY }] })],
    ['closed', 'a closure takes the hour', () => why({ ...OPEN, closures: part })],
    ['closed', 'it is no day of business', () => why({ ...OPEN, openingHours: [] })],
    ['closed', 'a closure begins before the end', () => why({ ...OPEN, closures: part }, '13:30')],
    ['outside_opening', 'the institute has closed', () => why(OPEN, '21:00')],
    [
      'outside_opening',
      'the institute closes before the end',
      () => why(institute({ services: CUTS, open: ['08:00-15:30'], members: [ANA] })),
    ],
    [
      'prerequisite',
      'the client is too young',
      () =>
        why(
          institute({ services: [service('cut', { prerequisites: [{ kind: 'minimum_age', years: 18 }] })], members: [ANA] }),
          '15:00',
          CUT,
          { ...ASKING, client: { birthday: '2010-01-01', visits: [] } },
        ),
    ],
    ['not_performed', 'nobody performs it', () => why(institute({ services: CUTS, members: [member('ana', [])] }))],
    [
      'not_bookable_online',
      'the one who does is not bookable online',
      () => why(institute({ services: CUTS, members: [{ ...ANA, bookableOnline: false }] })),
    ],
    [
      'on_leave',
      'the member is away that day',
      () => why(institute({ services: CUTS, members: [{ ...ANA, absences: [{ fromDay: TUESDAY, toDay: TUESDAY }] }] })),
    ],
    ['on_leave', 'the member is away that hour', () => why(institute({ services: CUTS, members: [{ ...ANA, absences: part }] }))],
    [
      'outside_shift',
      'the member does not work then',
      () => why(institute({ services: CUTS, members: [member('ana', ['cut'], { rotas: [everyDay('09:00-15:30')] })] })),
    ],
    [
      'on_break',
      'the member has a break',
      () => why(institute({ services: CUTS, members: [member('ana', ['cut'], { rotas: [everyDay('09:00-18:00', ['15:30-16:00'])] })] })),
    ],
    ['off_grid', 'starts are on the hour', () => why(OPEN, '15:10')],
    [
      'last_start',
      'it is later than the service may start',
      () => why(institute({ services: [service('cut', { latestStart: clock('14:00') })], members: [ANA] })),
    ],
    ['taken', 'the member has a visit', () => why(institute({ services: CUTS, members: [{ ...ANA, busy: busy('15:40-16:00') }] }))],
    [
      'buffer',
      'a visit is too near',
      () => why(institute({ services: [service('cut', { bufferAfterMinutes: 10 })], members: [{ ...ANA, busy: busy('16:05-16:30') }] })),
    ],
    [
      'no_resource',
      'every chair is taken',
      () =>
        why(
          institute({
            services: [service('cut', { resourceType: 'chair' })],
            members: [ANA],
            resources: [resource('c1', { busy: busy('15:00-15:30') })],
          }),
        ),
    ],
    [
      'strands_gap',
      'it would leave time too short to sell',
      () => why(institute({ services: CUTS, rules: { gaps: 'hide' }, members: [{ ...ANA, busy: busy('16:30-18:00') }] })),
    ],
  ]

  test.each(cases)('%s: %s', (reason, _, ask) => {
    expect(ask()).toMatchObject({ ok: false, reason })
  })

  test('nonexistent_time: the clock jumps over it, and the instant of the jump is told', () => {
    const refused = explainStart(OPEN, CUT, { day: '2027-03-28', minute: clock('02:30') }, ASKING)
    expect(refused).toMatchObject({ ok: false, reason: 'nonexistent_time', earliest: at('2027-03-28 03:00') })
  })

  test('repeated_time: only the first of the two hours is offered', () => {
    const night = institute({
      services: CUTS,
      open: ['00:00-24:00'],
      members: [member('ana', ['cut'], { rotas: [everyDay('00:00-24:00')] })],
    })
    const first = at('2026-10-25 02:00')
    const asking = { now: first - 1440 }
    expect(planVisit(night, CUT, first, asking).ok).toBe(true)
    expect(planVisit(night, CUT, first + 60, asking)).toMatchObject({ ok: false, reason: 'repeated_time' })
  })

  test('a reading of the clock that is free is planned', () => {
    expect(explainStart(OPEN, CUT, { day: TUESDAY, minute: clock('15:00') }, ASKING)).toEqual(why(OPEN))
  })
})

describe('a refusal says more', () => {
  test('what takes the time of each member and until when', () => {
    const bea = member('bea', ['cut'], { busy: busy('14:30-15:10', '15:10-15:20') })
    const cy = member('cy', [])
    const refused = why(institute({ services: CUTS, members: [{ ...ANA, busy: busy('15:40-16:20') }, bea, cy] }))
    expect(refused).toMatchObject({
      reason: 'taken',
      line: 0,
      members: [
        { memberId: 'ana', reason: 'taken', blocking: { from: at('15:40'), to: at('16:20') } },
        { memberId: 'bea', reason: 'taken', blocking: { from: at('14:30'), to: at('15:20') } },
        { memberId: 'cy', reason: 'not_performed' },
      ],
    })
  })

  test('the first start that would respect the notice, and the last day of the horizon', () => {
    const diary = institute({ services: CUTS, rules: { noticeMinutes: 60, horizonDays: 1 }, members: [ANA] })
    expect(why(diary, '15:00', CUT, { now: at('14:30') })).toMatchObject({ reason: 'notice', earliest: at('15:30') })
    expect(why(diary, '2027-03-11 15:00')).toMatchObject({ reason: 'horizon', lastDay: '2027-03-09' })
  })

  test('the most helpful of the reasons of the team: a colleague free at another minute before one who is taken', () => {
    const bea = member('bea', ['cut'], { rotas: [everyDay('09:30-18:00')] })
    const refused = why(institute({ services: CUTS, members: [{ ...ANA, busy: busy('15:00-15:10') }, bea] }))
    expect(refused).toMatchObject({ reason: 'off_grid', members: [{ reason: 'taken' }, { reason: 'off_grid' }] })
  })

  test('which line of the cart fails', () => {
    const services = [service('cut'), service('nails')]
    const members = [ANA, member('bea', ['nails'], { rotas: [everyDay('09:00-15:00')] })]
    expect(why(institute({ services, members }), '15:00', [...CUT, { serviceId: 'nails' }])).toMatchObject({
      reason: 'outside_shift',
      line: 1,
    })
  })

  test('only about the member who was asked for', () => {
    const refused = why(institute({ services: CUTS, members: [ANA, member('bea', ['cut'], { busy: busy('15:00-16:00') })] }), '15:00', [
      { serviceId: 'cut', memberId: 'bea' },
    ])
    expect(refused).toMatchObject({ reason: 'taken', members: [{ memberId: 'bea' }] })
  })
})
