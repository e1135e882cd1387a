import { describe, expect, test } from 'vitest'
import type { InstituteDiary, MemberDiary } from './model.ts'
import { offersForDays } from './offers.ts'
import { planVisit } from './plan-visit.ts'
import { ASKING, at, busy, everyDay, institute, member, resource, service, shown, TUESDAY } from './testing/small-institute.ts'
import { COLOUR, line, occupied, plan, segments, tuesday } from './testing/small-visits.ts'

describe('a service with an idle part', () => {
  const short = service('fringe', { minutes: 40 })
  const ana = member('ana', ['colour', 'fringe'], { rotas: [everyDay('09:00-11:00')] })

  test('occupies its member only while working, and the client and the chair all the time', () => {
    const diary = institute({ services: [{ ...COLOUR, resourceType: 'chair' }], members: [ana], resources: [resource('c1')] })
    expect(occupied(plan(diary, '09:00', [line('colour')]))).toEqual(['ana 09:00-09:30', 'ana 10:10-10:30', 'c1 09:00-10:30'])
  })

  test('leaves room for another visit of the same member that fits in, but not for one that is a minute longer', () => {
    const taken = { ...ana, busy: busy('09:00-09:30', '10:10-10:30') }
    const ask = (minutes: number): string =>
      tuesday(institute({ services: [service('fringe', { minutes })], rules: { gridMinutes: 30 }, members: [taken] }), 'fringe')
    expect(ask(40)).toBe('09:30')
    expect(ask(41)).toBe('')
  })

  test('may be idle across a break of its member', () => {
    const rotas = [everyDay('09:00-18:00', ['12:00-12:30'])]
    const diary = institute({ services: [COLOUR], rules: { gridMinutes: 30 }, members: [member('ana', ['colour'], { rotas })] })
    const offered = tuesday(diary, 'colour').split(' ')
    expect(offered).toContain('11:30')
    expect(offered).not.toContain('11:00')
    expect(offered).not.toContain('12:00')
  })

  test('takes a later service of the visit into the idle part, by the same or by another member', () => {
    const alone = institute({ services: [COLOUR, short], members: [ana] })
    expect(segments(plan(alone, '09:00', [line('colour'), line('fringe')]))).toEqual(['ana 09:00-10:30', 'ana 09:30-10:10'])
    const two = institute({ services: [COLOUR, short], members: [ana, member('bea', ['fringe'])] })
    expect(segments(plan(two, '09:00', [line('colour'), line('fringe', 'bea')]))).toEqual(['ana 09:00-10:30', 'bea 09:30-10:10'])
  })

  test('takes it as early as the other member can', () => {
    const bea = member('bea', ['fringe'], { busy: busy('09:00-09:40') })
    const diary = institute({ services: [COLOUR, service('fringe', { minutes: 20 })], members: [ana, bea] })
    expect(segments(plan(diary, '09:00', [line('colour'), line('fringe', 'bea')]))[1]).toBe('bea 09:40-10:00')
  })

  test('that ends the service takes no later one in that is a minute longer', () => {
    const drying = service('drying', { parts: { activeMinutes: 30, idleMinutes: 40, activeAfterMinutes: 0 } })
    const second = (minutes: number): string | undefined => {
      const services = [drying, service('fringe', { minutes })]
      const diary = institute({ services, members: [member('ana', ['drying', 'fringe'])] })
      return segments(plan(diary, '09:00', [line('drying'), line('fringe')]))[1]
    }
    expect(second(40)).toBe('ana 09:30-10:10')
    expect(second(41)).toBe('ana 10:10-10:51')
  })

  test('takes in no service that needs those before it finished, whoever is free for it', () => {
    const dry = service('blow-dry', { minutes: 40, isSequential: true })
    const diary = institute({ services: [COLOUR, dry, short], members: [ana, member('bea', ['blow-dry', 'fringe'])] })
    expect(segments(plan(diary, '09:00', [line('colour'), line('blow-dry')]))).toEqual(['ana 09:00-10:30', 'bea 10:30-11:10'])
    expect(segments(plan(diary, '09:00', [line('colour'), line('fringe'), line('blow-dry')]))).toEqual([
      'ana 09:00-10:30',
      'ana 09:30-10:10',
      'bea 10:30-11:10',
    ])
    // What comes after it may begin as early as ever.
    const both = { ...COLOUR, id: 'tone' }
    const more = institute({ services: [dry, both, short], members: [member('ana', ['blow-dry', 'tone', 'fringe'])] })
    expect(segments(plan(more, '09:00', [line('blow-dry'), line('tone'), line('fringe')]))).toEqual([
      'ana 09:00-09:40',
      'ana 09:40-11:10',
      'ana 10:10-10:50',
    ])
  })

  test('is followed by a service that does not fit inside it', () => {
    const diary = institute({ services: [COLOUR, service('fringe', { minutes: 45 })], members: [member('ana', ['colour', 'fringe'])] })
    expect(segments(plan(diary, '09:00', [line('colour'), line('fringe')]))).toEqual(['ana 09:00-10:30', 'ana 10:30-11:15'])
  })
})

describe('buffers', () => {
  const cut = service('cut', { bufferBeforeMinutes: 10, bufferAfterMinutes: 20 })

  test('keep other visits away on both sides, and the buffers of two neighbours add up', () => {
    const ana = member('ana', ['cut'], { busy: busy('11:50-13:20') })
    const diary = institute({ services: [cut], rules: { gridMinutes: 10 }, members: [ana] })
    const offered = tuesday(diary, 'cut').split(' ')
    expect(offered.filter((time) => time >= '10:00' && time <= '14:00')).toEqual([
      '10:00',
      '10:10',
      '10:20',
      '10:30',
      '13:30',
      '13:40',
      '13:50',
      '14:00',
    ])
  })

  test('may lie outside the shift and the opening hours', () => {
    const diary = institute({ services: [cut], open: ['09:00-18:00'], members: [member('ana', ['cut'])] })
    expect(tuesday(diary, 'cut')).toBe('09:00 10:00 11:00 12:00 13:00 14:00 15:00 16:00 17:00')
  })

  test('do not separate the services of one visit, and are occupied once', () => {
    const diary = institute({
      services: [cut, service('fringe', { minutes: 20, bufferBeforeMinutes: 15 })],
      members: [member('ana', ['cut', 'fringe'])],
    })
    const planned = plan(diary, '10:00', [line('cut'), line('fringe')])
    expect(segments(planned)).toEqual(['ana 10:00-11:00', 'ana 11:00-11:20'])
    expect(occupied(planned)).toEqual(['ana 09:50-11:20'])
  })

  test('also keep other visits away from the chair', () => {
    const chairs = [resource('c1', { busy: busy('11:10-12:00') })]
    const diary = institute({ services: [{ ...cut, resourceType: 'chair' }], members: [member('ana', ['cut'])], resources: chairs })
    expect(tuesday(diary, 'cut')).toBe('09:00 13:00 14:00 15:00 16:00 17:00')
  })
})

describe('who performs it', () => {
  const cut = service('cut')
  const who = (members: InstituteDiary['members'], start = '14:00'): string | undefined =>
    plan(institute({ services: [cut], members }), start, [line('cut')]).segments[0]?.memberId

  test('for any member is the one with the fewest booked minutes that day', () => {
    expect(
      who([member('ana', ['cut'], { busy: busy('09:00-11:00') }), member('bea', ['cut'], { order: 2, busy: busy('09:00-10:00') })]),
    ).toBe('bea')
  })

  test('counts time booked twice only once and other days not at all', () => {
    const ana = member('ana', ['cut'], {
      busy: [...busy('09:00-10:00', '09:00-10:00'), { from: at('2027-03-08 09:00'), to: at('2027-03-08 18:00') }],
    })
    expect(who([member('bea', ['cut'], { busy: busy('09:00-10:10') }), ana])).toBe('ana')
  })

  test('is decided by the order of the team, then by id, when equally booked', () => {
    expect(who([member('ana', ['cut'], { order: 2 }), member('bea', ['cut'], { order: 1 })])).toBe('bea')
    expect(who([member('bea', ['cut']), member('ana', ['cut'])])).toBe('ana')
  })

  test('is nobody who costs more than the menu, unless asked for by name or by the institute', () => {
    const ana = member('ana', [], { performs: new Map([['cut', { onlyByName: true }]]) })
    const diary = institute({ services: [cut], members: [ana, member('bea', ['cut'], { busy: busy('14:00-15:00') })] })
    const taken = (asked = line('cut'), asking = ASKING) => planVisit(diary, [asked], at('14:00'), asking)
    expect(taken().ok).toBe(false)
    expect(taken(line('cut', 'ana')).ok).toBe(true)
    expect(taken(line('cut'), { ...ASKING, forInstitute: true }).ok).toBe(true)
  })

  test('is the next one when the first is busy then', () => {
    expect(who([member('ana', ['cut'], { busy: busy('14:30-14:40') }), member('bea', ['cut'], { busy: busy('09:00-12:00') })])).toBe('bea')
  })

  test('is never a member who is not bookable online, unless the institute books', () => {
    const diary = institute({ services: [cut], members: [member('ana', ['cut'], { bookableOnline: false })] })
    expect(tuesday(diary, 'cut')).toBe('')
    expect(planVisit(diary, [line('cut')], at('14:00'), { ...ASKING, forInstitute: true }).ok).toBe(true)
  })

  test('decides how long it takes: a junior has other starts than a senior', () => {
    const junior = member('bea', [], {
      performs: new Map([['cut', { parts: { activeMinutes: 90, idleMinutes: 0, activeAfterMinutes: 0 } }]]),
      rotas: [everyDay('09:00-12:00')],
    })
    const senior = member('ana', ['cut'], { rotas: [everyDay('09:00-12:00')] })
    const diary = institute({ services: [cut], members: [junior, senior] })
    const times = (memberId: string): string =>
      shown(offersForDays(diary, [line('cut', memberId)], { ...ASKING, fromDay: TUESDAY, days: 1 })[0]?.times ?? [])
    expect(times('ana')).toBe('09:00 10:00 11:00')
    expect(times('bea')).toBe('09:00 10:00')
  })
})

describe('a choice that leads nowhere', () => {
  test('is taken back: the next member may leave another time for the service after', () => {
    const own = (idleMinutes: number): MemberDiary['performs'] =>
      new Map([['colour', { parts: { activeMinutes: 30, idleMinutes, activeAfterMinutes: 20 } }]])
    const cy = member('cy', ['cut'], { busy: busy('09:00-10:10', '10:30-12:00') })
    const diary = institute({
      services: [COLOUR, service('cut', { minutes: 20 })],
      members: [member('ana', [], { performs: own(40) }), member('bea', [], { order: 1, performs: own(20) }), cy],
    })
    expect(segments(plan(diary, '09:00', [line('colour'), line('cut')]))).toEqual(['bea 09:00-10:10', 'cy 10:10-10:30'])
    const dee = member('dee', ['wash'], { rotas: [everyDay('08:00-09:00')] })
    const longer = institute({ services: [...diary.services.values(), service('wash')], members: [...diary.members, dee] })
    expect(segments(plan(longer, '08:00', [line('wash'), line('colour'), line('cut')]))).toContain('bea 09:00-10:10')
  })
})

describe('several services in one visit', () => {
  const services = [service('cut'), service('nails', { minutes: 30 })]
  const ana = member('ana', ['cut'])
  const bea = member('bea', ['nails'], { busy: busy('10:00-10:10') })

  test('follow one another without waiting', () => {
    const diary = institute({ services, members: [ana, bea] })
    expect(segments(plan(diary, '11:00', [line('cut'), line('nails')]))).toEqual(['ana 11:00-12:00', 'bea 12:00-12:30'])
    expect(tuesday(diary, 'cut', 'nails').split(' ')).not.toContain('09:00')
  })

  test('may wait for the next member as long as the institute allows', () => {
    const diary = institute({ services, rules: { maxWaitMinutes: 10 }, members: [ana, bea] })
    expect(segments(plan(diary, '09:00', [line('cut'), line('nails')]))).toEqual(['ana 09:00-10:00', 'bea 10:10-10:40'])
    const stricter = institute({ services, rules: { maxWaitMinutes: 5 }, members: [ana, bea] })
    expect(planVisit(stricter, [line('cut'), line('nails')], at('09:00'), ASKING)).toMatchObject({
      ok: false,
      reason: 'wait_too_long',
      line: 1,
    })
  })

  test('keep the order chosen, or come in the order that makes the visit shortest', () => {
    const cart = [line('nails'), line('cut')]
    const given = institute({
      services: [services[1]!, COLOUR],
      rules: { maxWaitMinutes: 0 },
      members: [member('ana', ['colour']), member('bea', ['nails'])],
    })
    const best = { ...given, rules: { ...given.rules, serviceOrder: 'best' as const } }
    const both = [line('nails'), line('colour')]
    expect(segments(plan(given, '10:00', both))).toEqual(['bea 10:00-10:30', 'ana 10:30-12:00'])
    expect(segments(plan(best, '10:00', both))).toEqual(['ana 10:00-11:30', 'bea 10:30-11:00'])
    expect(plan(best, '10:00', both).segments.map((segment) => segment.line)).toEqual([1, 0])
    expect(tuesday(institute({ services, members: [ana, bea] }), ...cart.map((one) => one.serviceId))).not.toContain('17:00')
  })

  test('in equally short orders come as they were chosen', () => {
    const diary = institute({ services, rules: { serviceOrder: 'best' }, members: [ana, bea] })
    expect(segments(plan(diary, '12:00', [line('nails'), line('cut')]))).toEqual(['bea 12:00-12:30', 'ana 12:30-13:30'])
  })

  test('are given up soon when the last cannot be had, however many ways there are to place the others', () => {
    const ids = ['a', 'b', 'c', 'd', 'e']
    const idling = ids.map((id) =>
      service(id, {
        parts: { activeMinutes: 5, idleMinutes: 60, activeAfterMinutes: 5 },
        ...(id === 'e' ? { resourceType: 'chair' } : {}),
      }),
    )
    const team = ['ana', 'bea', 'cy'].map((id, i) => {
      const own = { parts: { activeMinutes: 5 + 5 * i, idleMinutes: 60, activeAfterMinutes: 5 } }
      return member(id, [], { performs: new Map(ids.map((one) => [one, own])) })
    })
    const diary = institute({
      services: idling,
      rules: { maxWaitMinutes: 60, serviceOrder: 'best' },
      members: team,
      resources: [resource('c1', { busy: busy('08:00-20:00') })],
    })
    expect(tuesday(diary, ...ids)).toBe('')
  })

  test('of more than five keep the order chosen, however long', () => {
    const nails = service('nails', { minutes: 10 })
    const diary = institute({
      services: [COLOUR, nails],
      rules: { serviceOrder: 'best' },
      members: [member('ana', ['colour']), member('bea', ['nails'])],
    })
    const five = [...Array.from({ length: 4 }, () => line('nails')), line('colour')]
    expect(plan(diary, '10:00', five).endsAt).toBe(at('11:30'))
    expect(plan(diary, '10:00', [line('nails'), ...five]).endsAt).toBe(at('12:20'))
  })

  test('may be a service twice', () => {
    expect(segments(plan(institute({ services, members: [ana] }), '09:00', [line('cut'), line('cut')]))).toEqual([
      'ana 09:00-10:00',
      'ana 10:00-11:00',
    ])
  })
})
