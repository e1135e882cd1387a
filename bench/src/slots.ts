/** Slots of a month against the plain-integer floor, measured in the same run. Prints one JSON line for each figure. */
import type { CartLine, InstituteDiary } from '@soigne/scheduling/model'
import { nextOffers, offersForDays } from '@soigne/scheduling/offers'
import { planVisit } from '@soigne/scheduling/plan-visit'
import { minuteMs } from '@soigne/contract/time'
import { floorStarts, type FloorMonth } from './slots-floor.ts'
import { bareMonth, busyOfMonth, DAYS, FROM_DAY, NOW, ruledMonth, TIME_ZONE, type Size } from './slots-month.ts'

/** One measured figure; `ratio` is against the floor of the same run, `limit` bounds the ratio if there is one, else the value. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: 'ms'
  readonly limit?: number
  readonly ratio?: number
}

const SIZES: readonly Size[] = [
  { members: 1, busyEach: 50, minutes: 15 },
  { members: 20, busyEach: 50, minutes: 15 },
  { members: 20, busyEach: 500, minutes: 15 },
  { members: 20, busyEach: 500, minutes: 60 },
]
/** Held to at 500 busy times each, the busiest institutes; with few the floor has next to nothing to do. */
const LIMITED = { busyEach: 500, limit: 5 }
const CART_OF_THREE = [{ serviceId: 'colour' }, { serviceId: 'cut' }, { serviceId: 'finish' }]

/** The middle one of many runs in milliseconds, after warming up. */
function medianMs(work: () => unknown, runs = 60): number {
  for (let i = 0; i < runs; i++) work()
  const times = Array.from({ length: runs }, () => {
    const before = performance.now()
    work()
    return performance.now() - before
  })
  return times.sort((a, b) => a - b)[runs >> 1]!
}

function floorMonth(size: Size): FloorMonth {
  const first = Temporal.PlainDate.from(FROM_DAY)
  return {
    timeZone: TIME_ZONE,
    days: Array.from({ length: DAYS }, (_, i) => first.add({ days: i })),
    minutes: size.minutes,
    busy: busyOfMonth(size).map((own) => own.map(({ from, to }) => ({ from: from * minuteMs, to: to * minuteMs }))),
  }
}

function monthOf(diary: InstituteDiary, cart: readonly CartLine[]): readonly number[] {
  const offered = offersForDays(diary, cart, { now: NOW, fromDay: FROM_DAY, days: DAYS })
  return offered.flatMap(({ times }) => times.map(({ startsAt }) => startsAt))
}

function figure(name: string, value: number, more: Partial<Figure> = {}): Figure {
  return { name, value: Number(value.toFixed(3)), unit: 'ms', ...more }
}

function measureSize(size: Size): readonly Figure[] {
  const name = `slots-month-${String(size.members)}-${String(size.busyEach)}-${String(size.minutes)}`
  const month = floorMonth(size)
  const bare = bareMonth(size)
  const ruled = ruledMonth(size)
  const expected = floorStarts(month).map((at) => at / minuteMs)
  const ours = monthOf(bare, [{ serviceId: 'one' }])
  if (expected.join() !== ours.join()) throw new Error(`${name}: the floor and the engine do not agree`)
  const floor = medianMs(() => floorStarts(month))
  const against = (work: () => unknown): { value: number; ratio: number } => {
    const value = medianMs(work)
    return { value, ratio: Number((value / floor).toFixed(2)) }
  }
  const plain = against(() => monthOf(bare, [{ serviceId: 'one' }]))
  const whole = against(() => monthOf(ruled, [{ serviceId: 'colour' }]))
  const limit = size.busyEach === LIMITED.busyEach ? { limit: LIMITED.limit } : {}
  return [
    figure(`${name}-floor`, floor),
    figure(`${name}-same-rules`, plain.value, { ratio: plain.ratio, ...limit }),
    figure(`${name}-every-rule`, whole.value, { ratio: whole.ratio, ...limit }),
  ]
}

/** Measures everything; the bench runner prints what it returns. */
export function run(): readonly Figure[] {
  const diary = ruledMonth({ members: 20, busyEach: 50, minutes: 15 })
  const best: InstituteDiary = { ...diary, rules: { ...diary.rules, serviceOrder: 'best' } }
  const day = { now: NOW, fromDay: '2027-03-18', days: 1 }
  const soon = { now: NOW, from: NOW, limit: 3, untilDay: '2027-06-01' }
  const start = offersForDays(diary, CART_OF_THREE, day)[0]?.times[0]?.startsAt ?? NOW
  return [
    ...SIZES.flatMap(measureSize),
    figure(
      'slots-day-of-20-cart-of-3',
      medianMs(() => offersForDays(diary, CART_OF_THREE, day)),
      { limit: 3 },
    ),
    figure(
      'slots-day-of-20-cart-of-3-best-order',
      medianMs(() => offersForDays(best, CART_OF_THREE, day)),
    ),
    figure(
      'slots-next-3-of-20',
      medianMs(() => nextOffers(diary, [{ serviceId: 'cut' }], soon)),
    ),
    figure(
      'slots-plan-of-20-cart-of-3',
      medianMs(() => planVisit(diary, CART_OF_THREE, start, { now: NOW })),
    ),
  ]
}

if (import.meta.main) for (const one of run()) console.log(JSON.stringify(one))
