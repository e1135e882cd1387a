/** The institutes of the slots bench: the bare month that the floor can compute too, and the same month with every rule switched on. */
import { randomFrom } from '@soigne/demo/random'
import type { InstituteDiary, MemberDiary, ServiceRule, Span, Weekday } from '@soigne/scheduling/model'
import { minuteMs } from '@soigne/contract/time'

/** One size of the bench. */
export interface Size {
  readonly members: number
  readonly busyEach: number
  readonly minutes: 15 | 20 | 60
}

export const TIME_ZONE = 'Europe/Paris'
export const FROM_DAY = '2027-03-08'
export const DAYS = 31
/** The first of March 2027, noon UTC, in epoch minutes. */
export const NOW = Date.UTC(2027, 2, 1, 12) / minuteMs

const WORKDAYS: readonly Weekday[] = [1, 2, 3, 4, 5, 6]

/** Busy times of every member in epoch minutes: 20, 40 or 60 minutes on a 5-minute grid inside 09:00 to 17:20 of random days. */
export function busyOfMonth(size: Size): readonly (readonly Span[])[] {
  const random = randomFrom('a month of 2027')
  const first = Temporal.PlainDate.from(FROM_DAY)
  const nines = Array.from({ length: DAYS }, (_, i) => {
    const nine = first.add({ days: i }).toZonedDateTime({ timeZone: TIME_ZONE, plainTime: '09:00' })
    return nine.epochMilliseconds / minuteMs
  })
  return Array.from({ length: size.members }, () =>
    Array.from({ length: size.busyEach }, () => {
      const from = nines[Math.floor(random.next() * DAYS)]! + Math.floor(random.next() * 100) * 5
      return { from, to: from + 20 * (1 + Math.floor(random.next() * 3)) }
    }),
  )
}

function service(id: string, minutes: number, more: Partial<ServiceRule> = {}): ServiceRule {
  return {
    id,
    parts: { activeMinutes: minutes, idleMinutes: 0, activeAfterMinutes: 0 },
    bufferBeforeMinutes: 0,
    bufferAfterMinutes: 0,
    prerequisites: [],
    ...more,
  }
}

function member(index: number, busy: readonly Span[], serviceIds: readonly string[], rules: boolean): MemberDiary {
  const hours = rules
    ? [{ opensAt: 9 * 60, closesAt: 18 * 60, breaks: [{ opensAt: 13 * 60, closesAt: 14 * 60 }] }]
    : [
        { opensAt: 9 * 60, closesAt: 13 * 60, breaks: [] },
        { opensAt: 14 * 60, closesAt: 18 * 60, breaks: [] },
      ]
  return {
    id: `member-${String(index).padStart(2, '0')}`,
    order: index,
    bookableOnline: true,
    rotas: [
      { weeks: 1, anchorDay: FROM_DAY, shifts: WORKDAYS.flatMap((weekday) => hours.map((one) => ({ ...one, week: 1 as const, weekday }))) },
    ],
    overrides: [],
    absences: rules && index === 3 ? [{ fromDay: '2027-03-15', toDay: '2027-03-17' }] : [],
    busy,
    performs: new Map(serviceIds.map((id) => [id, {}])),
  }
}

/** The month of the floor: opening hours, shifts and busy times, every other rule switched off. */
export function bareMonth(size: Size, busy = busyOfMonth(size)): InstituteDiary {
  return {
    timeZone: TIME_ZONE,
    rules: { gridMinutes: size.minutes, noticeMinutes: 0, horizonDays: 365, maxWaitMinutes: 0, gaps: 'off', serviceOrder: 'given' },
    openingHours: WORKDAYS.flatMap((weekday) => [
      { weekday, opensAt: 9 * 60, closesAt: 13 * 60 },
      { weekday, opensAt: 14 * 60, closesAt: 18 * 60 },
    ]),
    closures: [],
    members: busy.map((own, index) => member(index, own, ['one'], false)),
    resources: [],
    services: new Map([['one', service('one', size.minutes)]]),
  }
}

/** The same busy times with breaks, an absence, a closure, buffers, idle parts, chairs, gaps, notice and a last start. */
export function ruledMonth(size: Size, busy = busyOfMonth(size)): InstituteDiary {
  const [colour, cut, finish] = [
    service('colour', 0, {
      parts: { activeMinutes: 15, idleMinutes: 30, activeAfterMinutes: 10 },
      bufferBeforeMinutes: 5,
      bufferAfterMinutes: 5,
      latestStart: 16 * 60,
      noticeMinutes: 240,
      resourceType: 'chair',
    }),
    service('cut', 20, { bufferAfterMinutes: 5, resourceType: 'chair' }),
    service('finish', 15, { bufferBeforeMinutes: 5 }),
  ]
  return {
    ...bareMonth(size, busy),
    rules: { gridMinutes: size.minutes, noticeMinutes: 120, horizonDays: 365, maxWaitMinutes: 10, gaps: 'rank', serviceOrder: 'given' },
    openingHours: WORKDAYS.map((weekday) => ({ weekday, opensAt: 9 * 60, closesAt: 18 * 60 })),
    closures: [
      { fromDay: '2027-03-29', toDay: '2027-03-29' },
      { fromDay: '2027-03-10', toDay: '2027-03-10', part: { opensAt: 16 * 60, closesAt: 18 * 60 } },
    ],
    members: busy.map((own, index) => member(index, own, ['colour', 'cut', 'finish'], true)),
    resources: Array.from({ length: 12 }, (_, index) => ({
      id: `chair-${String(index)}`,
      type: 'chair',
      order: index,
      closures: [],
      busy: busy[index % busy.length]!.filter((_, i) => i % 4 === 0),
    })),
    services: new Map([colour, cut, finish].map((one) => [one!.id, one!])),
  }
}
