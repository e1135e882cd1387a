/** When the visits of a series are, and what stands in the way of each. */
import type { Locale } from '@soigne/contract/wire'
import { instantOf, type Instant } from '@soigne/contract/time'
import type { Occurrence } from '@soigne/contract/series'
import { instantText, parseInstant } from '#/platform/instants.ts'
import { type LoadedInstitute, liveDiary, verifiedDiary } from '#/features/availability/service.ts'
import {
  checkCart,
  factsOf,
  nearestIn,
  planFor,
  plannedSegments,
  type Requester,
  rowsOf,
  type VisitRequest,
} from '#/features/booking/service.ts'
import { type AppointmentRow, type CartEntry, type SegmentRow, segmentsForWire } from '#/features/visits/service.ts'
import type { SelfScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { RefusalError, refuse } from '#/platform/refuse.ts'
import { refusalText } from '#/texts/refusal-texts.ts'

/** Starts at the wall hour of a visit, so many weeks later each time; the visit itself is not among them. */
export function startsOfSeries({ startsAt, timeZone }: Pick<AppointmentRow, 'startsAt' | 'timeZone'>, everyWeeks: number, times: number) {
  const first = Temporal.Instant.from(startsAt).toZonedDateTimeISO(timeZone)
  return Array.from({ length: times - 1 }, (_, n) => first.add({ weeks: everyWeeks * (n + 1) }).epochMilliseconds as Instant)
}

/** The services of a visit with who does them now: who repeats a visit means these people. */
export function cartOf({ cart }: AppointmentRow, segments: readonly SegmentRow[]): CartEntry[] {
  const members = new Map(segments.map(({ snapshot, position, memberId }) => [snapshot.line ?? position, memberId]))
  return cart.map(({ serviceId, atHome }, line) => ({ serviceId, staffId: members.get(line) ?? 'any', ...(atHome && { atHome }) }))
}

/** A service or somebody that is gone since refuses each time alike, not the whole question. */
export const isOfOneTime = (error: unknown): error is RefusalError =>
  error instanceof RefusalError && ['slot_taken', 'not_offered', 'prerequisite_missing', 'not_found'].includes(error.code)

const goneReason = ({ details }: Pick<RefusalError, 'details'>): string =>
  details?.['staffId'] === undefined ? 'unknown_service' : 'unknown_member'

/** What stands in the way, said as it is: nobody has lost a race when they only look. */
export function conflictText({ code, details }: RefusalError, locale: Locale): string {
  const reason = code === 'not_found' ? goneReason({ details }) : details?.['reason']
  return code === 'prerequisite_missing'
    ? refusalText(locale, code, details, {})
    : refusalText(locale, 'not_offered', { reason: reason ?? 'other' }, {})
}

/** Whether another time may be had where this one cannot. */
export const wantsNearest = ({ code }: RefusalError): boolean => code === 'slot_taken' || code === 'not_offered'

interface Asked {
  context: AppContext
  who: Requester<SelfScope<true>>
  visit: { row: AppointmentRow; segments: SegmentRow[] }
  now: Instant
}

/** What one occurrence would be. */
async function occurrenceAt({ context, who, visit, now }: Asked, request: VisitRequest, loaded: LoadedInstitute): Promise<Occurrence> {
  const { row } = visit
  const length = parseInstant(row.endsAt) - parseInstant(row.startsAt)
  const client = await factsOf(context.database.db, loaded, request, who.scope)
  const answer = planFor(loaded, request, client, now, who.locale)
  if (!answer.ok)
    return {
      startsAt: instantText(request.startsAt),
      endsAt: instantText(request.startsAt + length),
      conflict: conflictText(answer.refusal, who.locale),
      nearest: wantsNearest(answer.refusal) ? nearestIn(loaded, request, client, now) : [],
      segments: [],
      total: null,
    }
  const rows = rowsOf({ loaded, plan: answer.plan })
  const { currency } = loaded.institute
  return {
    startsAt: instantText(request.startsAt),
    endsAt: instantText(instantOf(answer.plan.endsAt)),
    conflict: null,
    nearest: [],
    segments: segmentsForWire(plannedSegments(loaded, row.id, rows.segments), currency, who.locale),
    total: { amount: rows.totalAmount, currency },
  }
}

const meets = (one: { startsAt: string; endsAt: string }, other: { startsAt: string; endsAt: string }): boolean =>
  parseInstant(one.startsAt) < parseInstant(other.endsAt) && parseInstant(other.startsAt) < parseInstant(one.endsAt)

/** No time is proposed that another visit of the series will have, nor the same for two. */
function apart(items: readonly Occurrence[]): Occurrence[] {
  const taken: { startsAt: string; endsAt: string }[] = items.filter(({ conflict }) => conflict === null)
  return items.map((item) => {
    const nearest = item.nearest.filter((time) => !taken.some((other) => meets(time, other)))
    if (nearest[0]) taken.push(nearest[0])
    return { ...item, nearest }
  })
}

/** @throws not_offered where a service or somebody is gone, not_bookable, price_on_request */
function checkStillOffered(loaded: LoadedInstitute, request: VisitRequest): void {
  try {
    checkCart(loaded, request)
  } catch (error) {
    if (error instanceof RefusalError && error.code === 'not_found') throw refuse('not_offered', { reason: goneReason(error), nearest: [] })
    throw error
  }
}

/** @throws not_offered, not_bookable, price_on_request */
export async function occurrencesOf(asked: Asked, everyWeeks: number, times: number): Promise<Occurrence[]> {
  const { context, visit, now } = asked
  const { instituteId } = visit.row
  const cart = cartOf(visit.row, visit.segments)
  const state = await verifiedDiary(context, instituteId, now)
  if (!state) throw refuse('not_found')
  const loaded = liveDiary(state, now)
  const items: Occurrence[] = []
  for (const startsAt of startsOfSeries(visit.row, everyWeeks, times)) {
    checkStillOffered(loaded, { instituteId, cart, startsAt })
    items.push(await occurrenceAt(asked, { instituteId, cart, startsAt }, loaded))
  }
  return apart(items)
}
