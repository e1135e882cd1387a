/** Rows of the database as the wire shows them. */
import type { Appointment, Hold } from '@soigne/contract/appointments'
import { sitePath } from '@soigne/contract/site-routes'
import type { Locale, PriceKind } from '@soigne/contract/wire'
import { hourMs, type Instant, minuteMs } from '@soigne/contract/time'
import type { ServiceParts } from '@soigne/scheduling/model'
import { parseInstant } from '#/platform/instants.ts'
import { localised, translate } from '#/texts/translate.ts'
import { stateOf, statusOf, stepFrom } from './state-graph.ts'
import type { AppointmentRow, SegmentRow, ShownVisit } from './visit-store.ts'
import { mayCancel, mayCancelLate, mayMove, wireTerms } from './terms.ts'

/** Attendance turns done by itself one hour after the end unless somebody marked it. */
export function attendanceAt(row: Pick<AppointmentRow, 'attendance' | 'endsAt' | 'life'>, now: Instant): AppointmentRow['attendance'] {
  return row.attendance === 'expected' && row.life !== 'cancelled' && now >= parseInstant(row.endsAt) + hourMs ? 'done' : row.attendance
}

/** @throws for a hold */
export function statusForWire(row: AppointmentRow): Appointment['status'] {
  const status = statusOf(row)
  if (status === null) throw new Error('a hold is not shown as an appointment')
  return status
}

export const addressOf = (row: AppointmentRow): string =>
  [row.addressLine, [row.postalCode, row.city].filter(Boolean).join(' ')].filter(Boolean).join(', ')

/** Whether it is done at the client's home. */
export const isAtHome = ({ cart }: Pick<AppointmentRow, 'cart'>): boolean => cart.some(({ atHome }) => atHome === true)

/** Where somebody goes for it, in the words of its client; an address of theirs is in no such text. */
export const whereOf = (row: AppointmentRow, locale: Locale): string =>
  isAtHome(row) ? translate(locale, 'mails', 'atYourHome') : `${row.instituteName}\n${addressOf(row)}`

/** What was said of its price when it was booked. */
export const priceKindOf = ({ priceAmount, snapshot }: SegmentRow): PriceKind =>
  priceAmount === null ? 'on_request' : snapshot.priceKind === 'from' ? 'from' : 'fixed'

/** What the prices of a visit add up to: exactly this, at least this, or nothing before somebody was asked. */
export function totalKindOf(segments: readonly SegmentRow[]): PriceKind {
  const kinds = segments.map(priceKindOf)
  if (kinds.length > 0 && kinds.every((kind) => kind === 'on_request')) return 'on_request'
  return kinds.every((kind) => kind === 'fixed') ? 'fixed' : 'from'
}

/** The time a service was given by hand; null where the menu's holds. */
export function lengthByHand({ snapshot }: SegmentRow): ServiceParts | null {
  const { activeMinutes, idleMinutes, activeAfterMinutes, isResized } = snapshot as Partial<ServiceParts> & { isResized?: boolean }
  if (isResized !== true || activeMinutes === undefined) return null
  return { activeMinutes, idleMinutes: idleMinutes ?? 0, activeAfterMinutes: activeAfterMinutes ?? 0 }
}

/** By service: one that was given its time by hand is in a visit once. */
export const lengthsByHand = (segments: readonly SegmentRow[]): Map<string, ServiceParts> =>
  new Map(
    segments.flatMap((segment) => {
      const parts = lengthByHand(segment)
      return parts ? [[segment.serviceId, parts] as const] : []
    }),
  )

export const segmentsForWire = (segments: SegmentRow[], currency: string, locale: Locale): Appointment['segments'] =>
  segments.map((segment) => ({
    serviceId: segment.serviceId,
    serviceName: localised(segment.snapshot.name, locale) ?? '',
    staffId: segment.memberId,
    staffName: segment.memberName,
    staffImageUrl: segment.memberImageUrl,
    startsAt: segment.startsAt,
    endsAt: segment.endsAt,
    price: segment.priceAmount === null ? null : { amount: segment.priceAmount, currency },
    priceKind: priceKindOf(segment),
  }))

/** By its client, now: within the free window, or later by leaving the deposit. */
export function mayBeCancelled(row: AppointmentRow, now: Instant): boolean {
  const startsAt = parseInstant(row.startsAt)
  if (startsAt <= now || !stepFrom('cancel', stateOf(row), 'client')) return false
  return mayCancel(row.terms, now) || mayCancelLate(row, startsAt, now)
}

/** One of several services, by its client, within the free window. On the way to a client's home times hang together. */
const mayLoseService = (row: AppointmentRow, services: number, now: Instant): boolean =>
  services > 1 &&
  !isAtHome(row) &&
  parseInstant(row.startsAt) > now &&
  stepFrom('remove_service', stateOf(row), 'client') !== null &&
  mayCancel(row.terms, now)

/** When somebody sets out to the client's home. */
export function wayBeginsAt(row: Pick<AppointmentRow, 'startsAt'>, segments: readonly SegmentRow[]): Instant {
  const minutes = segments.map(({ snapshot }) => (typeof snapshot['travelMinutes'] === 'number' ? snapshot['travelMinutes'] : 0))
  return parseInstant(row.startsAt) - Math.max(0, ...minutes) * minuteMs
}

/** Where a visit at home is, by its client, until somebody is on the way there. */
const mayCorrectHome = (row: AppointmentRow, segments: readonly SegmentRow[], now: Instant): boolean =>
  isAtHome(row) && stepFrom('correct_home', stateOf(row), 'client') !== null && wayBeginsAt(row, segments) > now

export function appointmentForWire(row: AppointmentRow, segments: SegmentRow[], locale: Locale, now: Instant): Appointment {
  const over = parseInstant(row.startsAt) <= now
  const status = statusForWire(row)
  return {
    _id: row.id,
    reference: row.reference,
    status,
    attendance: attendanceAt(row, now),
    startsAt: row.startsAt,
    endsAt: row.endsAt,
    institute: {
      _id: row.instituteId,
      slug: row.instituteSlug,
      name: row.instituteName,
      timeZone: row.timeZone,
      coverUrl: row.coverUrl ?? `/art/cover/${row.category}/${row.instituteSlug}.svg`,
      address: addressOf(row),
      phone: row.institutePhone,
      location: { lat: row.lat, lon: row.lon },
    },
    segments: segmentsForWire(segments, row.currency, locale),
    total: { amount: row.totalAmount, currency: row.currency },
    paymentMethod: row.paymentMethod,
    payAtSalon: status === 'pending',
    note: row.note,
    terms: wireTerms(row.terms),
    canCancel: mayBeCancelled(row, now),
    canReschedule: !over && stepFrom('move', status, 'client') !== null && mayMove(row.terms, parseInstant(row.startsAt), now),
    ...(mayLoseService(row, segments.length, now) && { canRemoveService: true }),
    createdAt: row.createdAt,
    cancelledAt: row.cancelledAt,
    ...(isAtHome(row) && { atHome: true }),
    ...(mayCorrectHome(row, segments, now) && { canCorrectHome: true }),
  }
}

/** A word about another visit at the same time. */
export const overlapForWire = (overlap: NonNullable<ShownVisit['overlap']>) => ({
  overlapsWith: { _id: overlap.id, instituteName: overlap.instituteName, startsAt: overlap.startsAt },
})

export function holdForWire(row: AppointmentRow, segments: SegmentRow[], locale: Locale, overlap: ShownVisit['overlap'] = null): Hold {
  return {
    _id: row.id,
    startsAt: row.startsAt,
    endsAt: row.endsAt,
    expiresAt: row.expiresAt ?? row.startsAt,
    total: { amount: row.totalAmount, currency: row.currency },
    // A checkout has its own time.
    extended: row.holdExtended || row.payment === 'awaiting',
    institute: { _id: row.instituteId, slug: row.instituteSlug, name: row.instituteName, timeZone: row.timeZone },
    segments: segmentsForWire(segments, row.currency, locale),
    terms: wireTerms(row.terms),
    ...(isAtHome(row) && { atHome: true }),
    ...(overlap && overlapForWire(overlap)),
  }
}

/** Where those of its institute find a visit: in their calendar, on its day there. */
export function deskPathOf({ id, startsAt, timeZone }: Pick<AppointmentRow, 'id' | 'startsAt' | 'timeZone'>): string {
  const day = Temporal.Instant.from(startsAt).toZonedDateTimeISO(timeZone).toPlainDate().toString()
  return `${sitePath('diary')}?${new URLSearchParams({ day, visit: id })}`
}
