/** The way to visits at home as a wall: between homes, between a home and the salon, at the edges of shifts, breaks, leave and closures. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diaryFor, withOnlyAtHome } from './at-home.ts'
import type { CartLine, InstituteDiary, MemberDiary, Span } from './model.ts'
import { offersForDays } from './offers.ts'
import { planVisit } from './plan-visit.ts'
import { ASKING, at, busy, everyDay, hours, institute, member, resource, service, shown, TUESDAY } from './testing/small-institute.ts'
import { occupied, plan, segments } from './testing/small-visits.ts'

const home: readonly CartLine[] = [{ serviceId: 'cut', atHome: true }]
const salon: readonly CartLine[] = [{ serviceId: 'cut', atHome: false }]
const either = service('cut', { venue: 'either' })
const gone = (range: string) => ({ fromDay: TUESDAY, toDay: TUESDAY, part: hours(range) })
const day = (more: Partial<MemberDiary> = {}, rest: Partial<Parameters<typeof institute>[0]> = {}): InstituteDiary =>
  institute({ services: [either], members: [member('ana', ['cut'], more)], travelMinutes: 30, rules: { gridMinutes: 30 }, ...rest })
const starts = (diary: InstituteDiary, cart = home): string =>
  shown(offersForDays(diary, cart, { ...ASKING, fromDay: TUESDAY, days: 1 })[0]?.times ?? [])
const reason = (diary: InstituteDiary, time: string, cart = home): string => {
  const planned = planVisit(diary, cart, at(time), ASKING)
  return planned.ok ? 'ok' : planned.reason
}

test('the way may lie before a shift and after it, the visit may not', () => {
  const diary = day({ rotas: [everyDay('10:00-13:00')] })
  expect(starts(diary)).toBe('10:00 10:30 11:00 11:30 12:00')
  expect(starts(diary)).toBe(starts(diary, salon))
  expect(reason(diary, '12:30')).toBe('outside_shift')
  expect(occupied(plan(diary, '10:00', home))).toEqual(['ana 09:30-11:30'])
})

test('the way may lie in a break and outside opening hours, as every buffer may', () => {
  expect(starts(day({ rotas: [everyDay('09:00-15:00', ['11:00-12:00'])] }))).toBe('09:00 09:30 10:00 12:00 12:30 13:00 13:30 14:00')
  const short = day({}, { open: ['10:00-12:00'] })
  expect(starts(short)).toBe('10:00 10:30 11:00')
  expect([reason(short, '09:30'), reason(short, '11:30')]).toEqual(['outside_opening', 'outside_opening'])
})

test('the way keeps out of leave to the minute, and a closure keeps out only the visit', () => {
  const away = day({ absences: [gone('12:00-14:00')] })
  expect(starts(away)).toBe('09:00 09:30 10:00 10:30 14:30 15:00 15:30 16:00 16:30 17:00')
  expect(starts(away, salon)).toContain('11:00 14:00')
  expect(reason(away, '11:00')).toBe('buffer')
  const closed = day({}, { closures: [gone('12:00-14:00')] })
  expect(starts(closed)).toBe('09:00 09:30 10:00 10:30 11:00 14:00 14:30 15:00 15:30 16:00 16:30 17:00')
  expect(reason(closed, '11:30')).toBe('closed')
})

test('between a visit in the salon and a home one way is enough, and not one minute less', () => {
  expect(starts(day({ busy: busy('12:00-13:00') }))).toBe('09:00 09:30 10:00 10:30 13:30 14:00 14:30 15:00 15:30 16:00 16:30 17:00')
  const tight = day({ busy: busy('12:00-13:01') })
  expect([reason(tight, '13:30'), reason(tight, '14:00')]).toEqual(['buffer', 'ok'])
  const early = day({ busy: busy('11:29-12:00') })
  expect([reason(early, '10:00'), reason(early, '09:30')]).toEqual(['buffer', 'ok'])
})

test('between two homes lie the way back and the way there', () => {
  const diary = day()
  const [first] = plan(diary, '10:00', home).occupations
  const after = day({ busy: [{ from: first!.from, to: first!.to }] })
  expect([reason(after, '11:30'), reason(after, '12:00')]).toEqual(['buffer', 'ok'])
  expect([reason(after, '11:00', salon), reason(after, '11:30', salon)]).toEqual(['taken', 'ok'])
})

test('without a way a visit at home stands where one in the salon does, but takes no chair', () => {
  const chair = [resource('c', { busy: busy('09:00-17:00') })]
  const services = [service('cut', { venue: 'either', resourceType: 'chair' })]
  const diary = day({ busy: busy('10:00-11:00') }, { services, resources: chair, travelMinutes: 0 })
  expect(starts(diary)).toBe('09:00 11:00 11:30 12:00 12:30 13:00 13:30 14:00 14:30 15:00 15:30 16:00 16:30 17:00')
  expect(starts(diary, salon)).toBe('17:00')
  expect(starts({ ...diary, travelMinutes: undefined })).toBe(starts(diary))
  expect(occupied(plan(diary, '09:00', home))).toEqual(['ana 09:00-10:00'])
  expect(occupied(plan(diary, '17:00', salon))).toEqual(['ana 17:00-18:00', 'c 17:00-18:00'])
})

test('two services at one home have a way before the first and after the last, and none lies free between', () => {
  const services = [either, service('wax', { venue: 'either', minutes: 30 })]
  const diary = day(
    {
      performs: new Map([
        ['cut', {}],
        ['wax', {}],
      ]),
    },
    { services, travelMinutes: 20 },
  )
  const both = plan(diary, '10:00', [...home, { serviceId: 'wax', atHome: true }])
  const [from, to] = [Math.min(...both.occupations.map((one) => one.from)), Math.max(...both.occupations.map((one) => one.to))]
  expect([from, to]).toEqual([at('09:40'), at('11:50')])
  expect(segments(both)).toEqual(['ana 10:00-11:00', 'ana 11:00-11:30'])
})

test('what a member does in a time of her own is unbroken at home as well', () => {
  const parts = { activeMinutes: 20, idleMinutes: 30, activeAfterMinutes: 10 }
  const own = day({ performs: new Map([['cut', { parts }]]) }, { travelMinutes: 15 })
  expect(occupied(plan(own, '10:00', home))).toEqual(['ana 09:45-11:15'])
  expect(occupied(plan(own, '10:00', salon))).toEqual(['ana 10:00-10:20', 'ana 10:50-11:00'])
})

test('a diary is changed only for the services that are asked for at home, and is itself left as it was', () => {
  const services = [either, service('wax', { bufferAfterMinutes: 5 }), service('henna', { venue: 'home' })]
  const diary = withOnlyAtHome(
    day(
      {
        performs: new Map([
          ['cut', {}],
          ['wax', {}],
          ['henna', {}],
        ]),
      },
      { services },
    ),
  )
  const buffers = ({ services: all }: InstituteDiary): unknown[] =>
    [...all.values()].map((one) => [one.id, one.bufferBeforeMinutes, one.bufferAfterMinutes])
  const before = [
    ['cut', 0, 0],
    ['wax', 0, 5],
    ['henna', 30, 30],
  ]
  expect(buffers(diary)).toEqual(before)
  expect(diaryFor(diary, salon)).toBe(diary)
  expect(buffers(diaryFor(diary, home))).toEqual([['cut', 30, 30], ...before.slice(1)])
  expect(buffers(diaryFor(diary, [...home, { serviceId: 'henna', atHome: true }]))[2]).toEqual(['henna', 30, 30])
  expect(buffers(diary)).toEqual(before)
})

/** Spans of the day in steps of five minutes. */
const anySpans = fc.array(
  fc.record({ from: fc.integer({ min: 0, max: 100 }), length: fc.integer({ min: 1, max: 20 }) }).map(({ from, length }): Span => {
    const begin = at('08:30') + from * 5
    return { from: begin, to: begin + length * 5 }
  }),
  { maxLength: 4 },
)

test('any day: a home is offered exactly where the visit lies in the shift and the ways and the visit touch nothing', () => {
  let offered = 0
  fc.assert(
    fc.property(anySpans, fc.constantFrom(0, 5, 25, 60), fc.constantFrom(0, 10), (taken, travelMinutes, after) => {
      const apart: Span[] = []
      for (const span of taken.toSorted((a, b) => a.from - b.from)) if (span.from >= (apart.at(-1)?.to ?? 0)) apart.push(span)
      const services = [service('cut', { venue: 'either', minutes: 45, bufferAfterMinutes: after })]
      const diary = day({ busy: apart }, { services, travelMinutes, rules: { gridMinutes: 15 } })
      const wanted: number[] = []
      for (let start = at('09:00'); start + 45 <= at('18:00'); start += 15) {
        const [from, to] = [start - travelMinutes, start + 45 + after + travelMinutes]
        if (apart.every((span) => span.to <= from || to <= span.from)) wanted.push(start)
      }
      const [found] = offersForDays(diary, home, { ...ASKING, fromDay: TUESDAY, days: 1 })
      expect(found!.times.map(({ startsAt }) => startsAt)).toEqual(wanted)
      offered += wanted.length
    }),
    { numRuns: 300, seed: 20_261_125 },
  )
  expect(offered).toBeGreaterThan(1000)
})

test('two homes that are booked one after the other from what is offered never have less than two ways between them', () => {
  fc.assert(
    fc.property(fc.nat(30), fc.nat(30), fc.constantFrom(10, 30, 45), (one, two, travelMinutes) => {
      const first = offersForDays(day({}, { travelMinutes }), home, { ...ASKING, fromDay: TUESDAY, days: 1 })[0]!.times
      const chosen = first[one % first.length]!.startsAt
      const planned = planVisit(day({}, { travelMinutes }), home, chosen, ASKING)
      if (!planned.ok) throw new Error(planned.reason)
      const rest = day({ busy: planned.plan.occupations.map(({ from, to }) => ({ from, to })) }, { travelMinutes })
      const then = offersForDays(rest, home, { ...ASKING, fromDay: TUESDAY, days: 1 })[0]!.times
      const next = then[two % then.length]!.startsAt
      const [earlier, later] = [Math.min(chosen, next), Math.max(chosen, next)]
      expect(later - (earlier + 60)).toBeGreaterThanOrEqual(2 * travelMinutes)
    }),
    { numRuns: 100, seed: 20_261_125 },
  )
})
