/** A small institute for readable tests: every part may be replaced, wall times are written as clocks show them. */
import type {
  Asking,
  EpochMinute,
  InstituteDiary,
  MemberDiary,
  Offer,
  ResourceDiary,
  Rota,
  ServiceRule,
  Span,
  WallRange,
  Weekday,
} from '#/model.ts'
import { readingOf } from './readings.ts'

export const TUESDAY = '2027-03-09'
const EVERY_DAY: readonly Weekday[] = [1, 2, 3, 4, 5, 6, 7]

/** Wall minutes of '09:30'; '25:00' is one in the night. */
export function clock(time: string): number {
  const [hours, minutes] = time.split(':').map(Number)
  return (hours ?? 0) * 60 + (minutes ?? 0)
}

/** A range of wall time, '09:00-18:00'. */
export function hours(range: string): WallRange {
  const [opens, closes] = range.split('-')
  return { opensAt: clock(opens ?? ''), closesAt: clock(closes ?? '') }
}

/** The instant of '2027-03-09 15:00' in Paris, or of '15:00' on the Tuesday. */
export function at(time: string, timeZone = 'Europe/Paris'): EpochMinute {
  const [day, wall] = time.includes(' ') ? time.split(' ') : [TUESDAY, time]
  return readingOf(timeZone, day ?? '', clock(wall ?? ''))
}

/** Busy time on the Tuesday, '10:00-10:30'. */
export function busy(...ranges: readonly string[]): readonly Span[] {
  return ranges.map((range) => {
    const [from, to] = range.split('-')
    return { from: at(from ?? ''), to: at(to ?? '') }
  })
}

/** The same hours every day of every week. */
export function everyDay(range: string, breaks: readonly string[] = []): Rota {
  const shift = { ...hours(range), breaks: breaks.map(hours) }
  return { weeks: 1, anchorDay: '2027-01-04', shifts: EVERY_DAY.map((weekday) => ({ ...shift, week: 1, weekday })) }
}

/** A service of an hour unless told otherwise. */
export function service(id: string, more: Partial<ServiceRule> & { minutes?: number } = {}): ServiceRule {
  const { minutes = 60, ...rest } = more
  return {
    id,
    parts: { activeMinutes: minutes, idleMinutes: 0, activeAfterMinutes: 0 },
    bufferBeforeMinutes: 0,
    bufferAfterMinutes: 0,
    prerequisites: [],
    ...rest,
  }
}

/** A member who works 09:00 to 18:00 and performs the named services. */
export function member(id: string, performs: readonly string[], more: Partial<MemberDiary> = {}): MemberDiary {
  return {
    id,
    order: 0,
    bookableOnline: true,
    rotas: [everyDay('09:00-18:00')],
    overrides: [],
    absences: [],
    busy: [],
    performs: new Map(performs.map((one) => [one, {}])),
    ...more,
  }
}

/** A chair unless told otherwise. */
export function resource(id: string, more: Partial<ResourceDiary> = {}): ResourceDiary {
  return { id, type: 'chair', order: 0, closures: [], busy: [], ...more }
}

/** An institute in Paris, open 08:00 to 20:00 every day, on a grid of an hour. */
export function institute(
  more: Partial<Omit<InstituteDiary, 'services' | 'rules' | 'openingHours'>> & {
    readonly services: readonly ServiceRule[]
    readonly rules?: Partial<InstituteDiary['rules']>
    readonly open?: readonly string[]
  },
): InstituteDiary {
  const { services, rules, open = ['08:00-20:00'], ...rest } = more
  return {
    timeZone: 'Europe/Paris',
    rules: { gridMinutes: 60, noticeMinutes: 0, horizonDays: 365, maxWaitMinutes: 0, gaps: 'off', serviceOrder: 'given', ...rules },
    openingHours: EVERY_DAY.flatMap((weekday) => open.map((range) => ({ weekday, ...hours(range) }))),
    closures: [],
    members: [],
    resources: [],
    services: new Map(services.map((one) => [one.id, one])),
    ...rest,
  }
}

/** Asked on the day before the Tuesday at noon. */
export const ASKING: Asking = { now: at('2027-03-08 12:00') }

/** Offers as the clock shows them: '09:00 10:00'. */
export function shown(offers: readonly Offer[], timeZone = 'Europe/Paris'): string {
  return offers.map(({ startsAt }) => wallOf(startsAt, timeZone)).join(' ')
}

/** An instant as the clock shows it: '09:00'. */
export function wallOf(instant: EpochMinute, timeZone = 'Europe/Paris'): string {
  return Temporal.Instant.fromEpochMilliseconds(instant * 60_000)
    .toZonedDateTimeISO(timeZone)
    .toPlainTime()
    .toString()
    .slice(0, 5)
}
