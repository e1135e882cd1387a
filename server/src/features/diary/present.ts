/** Rows of the calendar as the wire shows them. */
import type { DiaryBlock, DiarySession, DiaryVisit } from '@soigne/contract/diary'
import type { Locale } from '@soigne/contract/wire'
import { type Instant, minuteMs } from '@soigne/contract/time'
import { attendanceAt, columnOf, type DiaryReaderScope, statusOf } from '#/features/visits/service.ts'
import { mayAlso } from '#/platform/access.ts'
import { instantText, parseInstant } from '#/platform/instants.ts'
import { localised } from '#/texts/translate.ts'
import type { Beside, Part, VisitRow } from './days-store.ts'

/** Instants of JSON made by the database are written another way. */
const instant = (text: string): string => instantText(parseInstant(text))

function idleOf({ startsAt, snapshot: { activeMinutes, idleMinutes } }: Part): { startsAt: string; endsAt: string } | null {
  if (activeMinutes === undefined || !idleMinutes) return null
  const from = parseInstant(startsAt) + activeMinutes * minuteMs
  return { startsAt: instantText(from), endsAt: instantText(from + idleMinutes * minuteMs) }
}

const segmentForWire = (part: Part, currency: string, locale: Locale): DiaryVisit['segments'][number] => ({
  position: part.position,
  serviceId: part.serviceId,
  serviceName: localised(part.snapshot.name, locale) ?? '',
  staffId: part.memberId,
  resourceId: part.resourceId,
  startsAt: instant(part.startsAt),
  endsAt: instant(part.endsAt),
  idle: idleOf(part),
  bufferBeforeMinutes: part.bufferBefore + (part.snapshot.travelMinutes ?? 0),
  bufferAfterMinutes: part.bufferAfter + (part.snapshot.travelMinutes ?? 0),
  price: part.priceAmount === null ? null : { amount: part.priceAmount, currency },
  priceKind: part.priceAmount === null ? 'on_request' : part.snapshot.priceKind === 'from' ? 'from' : 'fixed',
})

/** Times of steps; `done` is not kept when it comes by itself. */
const attendedOf = ({ attendedAt }: VisitRow): DiaryVisit['attendedAt'] =>
  Object.fromEntries(Object.entries(attendedAt ?? {}).map(([step, at]) => [step, instant(at)]))

/** Whether all of a visit is in the columns that somebody may change. */
function isInColumn({ parts }: VisitRow, scope: DiaryReaderScope): boolean {
  const own = columnOf(scope)
  return own === null || parts.every(({ memberId }) => memberId === own)
}

export function visitForDiary(row: VisitRow, scope: DiaryReaderScope, locale: Locale, now: Instant): DiaryVisit {
  return {
    _id: row.id,
    reference: row.reference,
    // A hold has no word of its own: `isHeld` says what it is.
    status: statusOf(row) ?? 'pending',
    isHeld: row.life === 'held',
    attendance: attendanceAt(row, now),
    attendedAt: attendedOf(row),
    startsAt: row.startsAt,
    endsAt: row.endsAt,
    customer: {
      _id: row.customerId,
      name: row.customerName ?? '',
      phone: mayAlso(scope, 'customers.read') ? row.phone : null,
      noShows: row.noShows,
      pastVisits: row.pastVisits,
    },
    segments: row.parts.map((part) => segmentForWire(part, row.currency, locale)),
    total: { amount: row.totalAmount, currency: row.currency },
    note: row.note,
    ownNote: row.ownNote,
    overbooked: row.overbooked,
    madeBy: row.madeBy,
    sessionId: row.sessionId,
    ...(row.isAtHome && { atHome: { city: row.homeCity } }),
    version: row.revision,
    undoUntil: isInColumn(row, scope) ? row.undoUntil : null,
  }
}

export const blockForWire = (block: Beside['blocked'][number]): DiaryBlock => ({
  _id: block.id,
  staffId: block.subjectKind === 'member' ? block.subjectId : null,
  resourceId: block.subjectKind === 'resource' ? block.subjectId : null,
  startsAt: instant(block.startsAt),
  endsAt: instant(block.endsAt),
  kind: block.kind,
  note: block.note,
})

export const sessionForDiary = (session: Beside['sessions'][number], locale: Locale): DiarySession => ({
  _id: session.id,
  serviceId: session.serviceId,
  serviceName: localised(session.name, locale) ?? '',
  staffId: session.memberId,
  resourceId: session.resourceId,
  startsAt: instant(session.startsAt),
  endsAt: instant(session.endsAt),
  capacity: session.capacity,
  booked: session.booked,
  held: session.held,
})
