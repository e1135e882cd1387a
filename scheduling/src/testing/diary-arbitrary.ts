/** Random small institutes for property tests: every rule appears, most often around a change of the clock. */
import fc from 'fast-check'
import { readingOf } from './readings.ts'
import { shiftDay } from './timeline.ts'
import type {
  CartLine,
  ClientFacts,
  Day,
  DayRange,
  EpochMinute,
  GroupSession,
  InstituteDiary,
  MemberDiary,
  Prerequisite,
  ResourceDiary,
  Rota,
  ServiceParts,
  ServiceRule,
  ShiftHours,
  Span,
  WallRange,
} from '#/model.ts'

/** One random question about one day. */
export interface Case {
  readonly diary: InstituteDiary
  readonly cart: readonly CartLine[]
  readonly day: Day
  readonly now: EpochMinute
  readonly client: ClientFacts | undefined
  readonly forInstitute: boolean
}

/** Zones with days on which their clocks change in every known way, and some on which nothing happens. */
const PLACES: readonly (readonly [string, Day])[] = [
  ['Europe/Paris', '2027-03-28'],
  ['Europe/Paris', '2026-10-25'],
  ['Europe/Paris', '2026-12-31'],
  ['Africa/Casablanca', '2026-09-20'],
  ['Africa/El_Aaiun', '2026-03-22'],
  ['Africa/Cairo', '2026-04-24'],
  ['Africa/Cairo', '2026-10-29'],
  ['Asia/Beirut', '2027-03-28'],
  ['Asia/Beirut', '2026-10-24'],
  ['America/Vancouver', '2026-03-08'],
  ['America/Havana', '2026-11-01'],
  ['America/Santiago', '2026-09-06'],
  ['America/Santiago', '2027-04-03'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['Australia/Lord_Howe', '2027-04-04'],
  ['Asia/Kathmandu', '2027-01-01'],
  ['Pacific/Apia', '2026-06-30'],
  ['Pacific/Chatham', '2026-09-27'],
  ['Atlantic/Azores', '2026-10-25'],
  ['Antarctica/Troll', '2027-03-28'],
  ['America/Nuuk', '2027-03-27'],
  ['America/St_Johns', '2026-11-01'],
]

/** Present in one of four. */
const seldom = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })

const minutes = (from: number, to: number, step: number): fc.Arbitrary<number> =>
  fc.integer({ min: Math.ceil(from / step), max: Math.floor(to / step) }).map((n) => n * step)

const wallRange = (from: number, to: number, longest = 600): fc.Arbitrary<WallRange> =>
  fc
    .tuple(minutes(from, to, 5), minutes(10, longest, 5))
    .map(([opensAt, length]) => ({ opensAt, closesAt: Math.min(opensAt + length, 2880) }))

/** Mostly steps of five minutes, now and then an odd length. */
const length = (from: number, to: number): fc.Arbitrary<number> =>
  fc.oneof({ weight: 5, arbitrary: minutes(from, to, 5) }, { weight: 1, arbitrary: fc.integer({ min: Math.max(from, 1), max: to }) })

const parts: fc.Arbitrary<ServiceParts> = fc.oneof(
  length(5, 60).map((activeMinutes) => ({ activeMinutes, idleMinutes: 0, activeAfterMinutes: 0 })),
  fc.record({ activeMinutes: length(5, 30), idleMinutes: length(5, 60), activeAfterMinutes: length(0, 30) }),
)

const prerequisite: fc.Arbitrary<Prerequisite> = fc.oneof(
  fc.record({
    kind: fc.constant('prior_service' as const),
    serviceId: fc.constantFrom('a', 'b'),
    minHours: fc.constantFrom(0, 24, 48),
    maxMonths: fc.constantFrom(1, 6),
  }),
  fc.record({ kind: fc.constant('minimum_age' as const), years: fc.constantFrom(16, 18) }),
)

const service = (id: string): fc.Arbitrary<ServiceRule> =>
  fc.record({
    id: fc.constant(id),
    parts,
    bufferBeforeMinutes: fc.constantFrom(0, 0, 5, 10, 15),
    bufferAfterMinutes: fc.constantFrom(0, 0, 5, 10),
    latestStart: seldom(minutes(900, 1560, 30)),
    noticeMinutes: seldom(fc.constantFrom(0, 30, 300)),
    resourceType: fc.constantFrom(undefined, undefined, undefined, 'chair', 'room'),
    isSequential: fc.constantFrom(undefined, undefined, true),
    prerequisites: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.tuple(prerequisite) }),
  })

const shiftHours: fc.Arbitrary<ShiftHours> = fc
  .tuple(
    fc.oneof(wallRange(0, 1435, 900), wallRange(0, 600, 1200), {
      weight: 3,
      arbitrary: fc.constantFrom({ opensAt: 60, closesAt: 1290 }, { opensAt: 425, closesAt: 1000 }, { opensAt: 0, closesAt: 1500 }),
    }),
    fc.array(wallRange(0, 1600), { maxLength: 2 }),
  )
  .map(([hours, breaks]) => ({ ...hours, breaks: breaks.map((one) => ({ ...one, closesAt: Math.min(one.closesAt, one.opensAt + 40) })) }))

const dayRange = (day: Day): fc.Arbitrary<DayRange> =>
  fc.record({
    fromDay: fc.constantFrom(shiftDay(day, -3), shiftDay(day, -1), day, shiftDay(day, 1)),
    toDay: fc.constantFrom(shiftDay(day, -1), day, shiftDay(day, 1)),
    part: fc.option(wallRange(0, 1435), { nil: undefined, freq: 2 }),
  })

const busySpans = (noon: EpochMinute): fc.Arbitrary<readonly Span[]> =>
  fc.array(
    fc
      .tuple(minutes(-1500, 1500, 5), fc.constantFrom(5, 20, 23, 40, 90))
      .map(([from, length]) => ({ from: noon + from, to: noon + from + length })),
    { maxLength: 8 },
  )

const rota = (day: Day): fc.Arbitrary<Rota> =>
  fc
    .tuple(
      fc.constantFrom(1 as const, 2 as const, 3 as const, 4 as const),
      fc.integer({ min: -60, max: 60 }),
      fc.array(shiftHours, { minLength: 1, maxLength: 3 }),
    )
    .chain(([weeks, away, hours]) =>
      fc.record({
        weeks: fc.constant(weeks),
        anchorDay: fc.constant(shiftDay(day, away)),
        validFrom: fc.constantFrom(undefined, undefined, undefined, shiftDay(day, -9), day, shiftDay(day, 1)),
        validTo: seldom(fc.constantFrom(day, shiftDay(day, -1))),
        shifts: fc.array(fc.nat(hours.length - 1), { minLength: 1, maxLength: 7 }).map((picks) =>
          ([1, 2, 3, 4] as const).flatMap((week) =>
            ([1, 2, 3, 4, 5, 6, 7] as const).flatMap((weekday) => {
              const pick = picks[(week * 7 + weekday) % picks.length]!
              const shared = (week + weekday) % 5 === 0 ? hours : [hours[pick]!]
              return shared.map((one) => ({ ...one, week, weekday }))
            }),
          ),
        ),
      }),
    )

const member = (id: string, day: Day, noon: EpochMinute): fc.Arbitrary<MemberDiary> =>
  fc.record({
    id: fc.constant(id),
    order: fc.nat(2),
    bookableOnline: fc.constantFrom(true, true, true, true, true, true, false),
    rotas: fc.array(rota(day), { minLength: 1, maxLength: 2 }),
    overrides: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      {
        weight: 1,
        arbitrary: fc.array(fc.record({ day: fc.constantFrom(day, shiftDay(day, -1)), shifts: fc.array(shiftHours, { maxLength: 2 }) }), {
          maxLength: 2,
        }),
      },
    ),
    absences: fc.oneof({ weight: 7, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(dayRange(day), { maxLength: 2 }) }),
    busy: busySpans(noon),
    performs: fc
      .array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.record({ parts: seldom(parts), onlyByName: seldom(fc.constant(true)) })), {
        maxLength: 2,
      })
      .chain((own) =>
        fc.subarray(['a', 'b', 'c'], { minLength: 2 }).map((list) => new Map([...list.map((id) => [id, {}] as const), ...own])),
      ),
  })

const resource = (id: string, day: Day, noon: EpochMinute): fc.Arbitrary<ResourceDiary> =>
  fc.record({
    id: fc.constant(id),
    type: fc.constantFrom('chair', 'chair', 'room'),
    order: fc.nat(1),
    closures: fc.oneof({ weight: 8, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(dayRange(day), { maxLength: 1 }) }),
    busy: busySpans(noon),
  })

const rules: fc.Arbitrary<InstituteDiary['rules']> = fc.record({
  gridMinutes: fc.constantFrom(5 as const, 10 as const, 15 as const, 20 as const, 30 as const, 60 as const),
  noticeMinutes: fc.constantFrom(0, 60, 120),
  horizonDays: fc.constantFrom(0, 1, 2, 30, 30, 30, 30),
  maxWaitMinutes: fc.constantFrom(0, 0, 5, 15),
  gaps: fc.constantFrom('off' as const, 'rank' as const, 'hide' as const),
  serviceOrder: fc.constantFrom('given' as const, 'best' as const),
})

const diaryOf = (timeZone: string, day: Day, noon: EpochMinute): fc.Arbitrary<InstituteDiary> =>
  fc.record({
    timeZone: fc.constant(timeZone),
    rules,
    openingHours: fc
      .array(
        fc.oneof(
          {
            weight: 3,
            arbitrary: fc.constantFrom({ opensAt: 0, closesAt: 780 }, { opensAt: 420, closesAt: 1200 }, { opensAt: 1000, closesAt: 1600 }),
          },
          { weight: 2, arbitrary: wallRange(0, 1435) },
        ),
        { minLength: 1, maxLength: 3 },
      )
      .map((ranges) =>
        ([1, 2, 3, 4, 5, 6, 7] as const).flatMap((weekday) =>
          ranges.map((range, i) => ({
            weekday,
            opensAt: range.opensAt,
            closesAt: i === 0 ? Math.min(range.opensAt + 900 + 60 * weekday, 2880) : range.closesAt,
          })),
        ),
      ),
    closures: fc.oneof({ weight: 8, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(dayRange(day), { maxLength: 2 }) }),
    members: fc.oneof(
      fc.tuple(member('m1', day, noon)),
      fc.tuple(member('m1', day, noon), member('m2', day, noon)),
      fc.tuple(member('m3', day, noon), member('m1', day, noon), member('m2', day, noon)),
    ),
    resources: fc.oneof(
      fc.tuple(resource('r2', day, noon), resource('r1', day, noon)),
      fc.tuple(resource('r1', day, noon), resource('r3', day, noon), resource('r2', day, noon)),
    ),
    services: fc.tuple(service('a'), service('b'), service('c')).map((list) => new Map(list.map((one) => [one.id, one]))),
  })

const client: fc.Arbitrary<ClientFacts> = fc.record({
  birthday: fc.constantFrom(undefined, '1990-05-05', '2009-03-28', '2008-02-29', '2010-10-26'),
  visits: fc.array(fc.record({ serviceId: fc.constantFrom('a', 'b'), endsAt: fc.integer({ min: 29_300_000, max: 30_100_000 }) }), {
    maxLength: 6,
  }),
})

/** A random institute, cart, moment and day. */
export const anyCase: fc.Arbitrary<Case> = fc
  .tuple(fc.constantFrom(...PLACES), fc.integer({ min: -1, max: 1 }))
  .chain(([[timeZone, around], shift]) => {
    const day = shiftDay(around, shift)
    const noon = readingOf(timeZone, day, 720)
    return fc.record({
      diary: diaryOf(timeZone, day, noon),
      cart: fc.array(fc.record({ serviceId: fc.constantFrom('a', 'b', 'c'), memberId: seldom(fc.constantFrom('m1', 'm1', 'm2')) }), {
        minLength: 1,
        maxLength: 3,
      }),
      day: fc.constant(day),
      now: fc
        .oneof(
          { weight: 6, arbitrary: minutes(-1600, -700, 1) },
          { weight: 1, arbitrary: minutes(-700, 300, 1) },
          { weight: 1, arbitrary: fc.double({ min: -900, max: 0, noNaN: true }) },
        )
        .map((away) => noon + away),
      client: fc.option(client, { nil: undefined, freq: 2 }),
      forInstitute: fc.constantFrom(false, false, false, true),
    })
  })

/** The same at the client's home. */
export const anyHomeCase: fc.Arbitrary<Case> = fc.tuple(anyCase, fc.constantFrom(0, 10, 25, 45)).map(([one, travelMinutes]) => ({
  ...one,
  cart: one.cart.map((line) => ({ ...line, atHome: true })),
  diary: { ...one.diary, travelMinutes },
}))

const session = (id: string, noon: EpochMinute): fc.Arbitrary<GroupSession> =>
  fc
    .record({
      id: fc.constant(id),
      serviceId: fc.constantFrom('a', 'a', 'a', 'b'),
      memberId: fc.constantFrom('m1', 'm1', 'm2', 'gone'),
      resourceId: seldom(fc.constantFrom('r1', 'r2')),
      // Few starts, so that some sessions begin together.
      at: fc.oneof({ weight: 3, arbitrary: minutes(-720, 700, 60) }, { weight: 1, arbitrary: minutes(-900, 900, 5) }),
      length: fc.constantFrom(20, 45, 60, 90),
      seats: fc.integer({ min: 1, max: 5 }),
      taken: fc.nat(5),
    })
    .map(({ at, length, taken, ...rest }) => ({ ...rest, from: noon + at, to: noon + at + length, taken: Math.min(taken, rest.seats) }))

/** A random institute in which some services are given to groups. */
export const anySessionCase: fc.Arbitrary<Case> = anyCase.chain((one) => {
  const noon = readingOf(one.diary.timeZone, one.day, 720)
  return fc
    .record({
      groups: fc.constantFrom<readonly string[]>(['a'], ['a', 'b']),
      sessions: fc
        .array(fc.constant(null), { minLength: 3, maxLength: 14 })
        .chain((list) => fc.tuple(...list.map((_, n) => session(`s${n}`, noon)))),
      cart: fc.oneof(
        { weight: 6, arbitrary: fc.constant([{ serviceId: 'a' }]) },
        { weight: 2, arbitrary: fc.constant([{ serviceId: 'a', memberId: 'm1' }]) },
        { weight: 1, arbitrary: fc.constant([...one.cart, { serviceId: 'a' }]) },
        { weight: 1, arbitrary: fc.constant(one.cart) },
      ),
    })
    .map(({ groups, sessions, cart }) => ({
      ...one,
      cart,
      diary: {
        ...one.diary,
        sessions,
        services: new Map(
          [...one.diary.services].map(([id, rule]) => [id, groups.includes(id) ? { ...rule, capacity: 4 } : { ...rule, capacity: 1 }]),
        ),
      },
    }))
})
