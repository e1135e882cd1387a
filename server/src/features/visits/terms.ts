/** The terms accepted with a visit: windows for changing one's mind, fixed when it is booked. */
import { type Instant, minuteMs } from '@soigne/contract/time'
import { instantText, parseInstant } from '#/platform/instants.ts'

export interface Terms {
  /** Null: never online. */
  cancelWindowMinutes: number | null
  rescheduleWindowMinutes: number | null
  /** Cancelling is free until this instant (ISO); null when it never is. */
  freeUntil: string | null
  /** The institute has asked for another time, or is late: leaving and moving are free until then (ISO), whatever the windows. */
  openUntil?: string
}

const isOpen = ({ openUntil }: Terms, now: Instant): boolean => openUntil !== undefined && now <= parseInstant(openUntil)

/** What holds for a visit that starts then. */
export function termsFor(rules: { cancelWindowMinutes: number | null; rescheduleWindowMinutes: number | null }, startsAt: Instant): Terms {
  const { cancelWindowMinutes, rescheduleWindowMinutes } = rules
  return {
    cancelWindowMinutes,
    rescheduleWindowMinutes,
    freeUntil: cancelWindowMinutes === null ? null : instantText(startsAt - cancelWindowMinutes * minuteMs),
  }
}

/**
 * Moving in time moves the free window with the visit; moving late leaves it where it was, so a far new date cannot buy a free way out.
 * A move that the institute asked for sets a new one.
 */
export function termsAfterMove({ openUntil, ...terms }: Terms, newStart: Instant, now: Instant): Terms {
  if (openUntil !== undefined && now <= parseInstant(openUntil)) return termsFor(terms, newStart)
  if (terms.freeUntil === null || terms.cancelWindowMinutes === null) return terms
  if (now > parseInstant(terms.freeUntil)) return terms
  return { ...terms, freeUntil: instantText(newStart - terms.cancelWindowMinutes * minuteMs) }
}

export const mayCancel = (terms: Terms, now: Instant): boolean =>
  isOpen(terms, now) || (terms.freeUntil !== null && now <= parseInstant(terms.freeUntil))

export const mayMove = (terms: Terms, startsAt: Instant, now: Instant): boolean =>
  isOpen(terms, now) || (terms.rescheduleWindowMinutes !== null && now <= startsAt - terms.rescheduleWindowMinutes * minuteMs)

/** What was agreed for who cancels late or does not come; minor units. */
export interface FeeTerms {
  late: number
  noShow: number
  /** After the free window, and after the start, nothing is charged for so long. */
  graceMinutes: number
}

/** What cancelling now costs its client: nothing within the free window and the grace after it, nor where a session of a package is what it costs, and never more than the price. */
export function lateFeeAt(
  {
    terms,
    fees,
    totalAmount,
    sessionsWorth = null,
  }: { terms: Terms; fees: FeeTerms | null; totalAmount: number; sessionsWorth?: number | null },
  now: Instant,
): number {
  if (!fees || sessionsWorth !== null || mayCancel(terms, now)) return 0
  const { freeUntil } = terms
  return freeUntil !== null && now <= parseInstant(freeUntil) + fees.graceMinutes * minuteMs ? 0 : Math.min(fees.late, totalAmount)
}

interface Agreed {
  terms: Terms
  depositAmount: number | null
  fees: FeeTerms | null
  totalAmount: number
  sessionsWorth?: number | null
}

/** Most that is kept or charged of a visit: its price, of which sessions that are gone are a part. */
export const mostLate = ({ totalAmount, sessionsWorth = null }: Pick<Agreed, 'totalAmount' | 'sessionsWorth'>): number =>
  Math.max(0, totalAmount - (sessionsWorth ?? 0))

/**
 * What going after the free window costs in money, minor units, and until when: whoever has a deposit to leave, a fee to pay or a session to lose may, while it
 * could be moved. Beside a session there is no fee.
 */
export function lateCancelling(
  { terms, depositAmount, fees, totalAmount, sessionsWorth = null }: Agreed,
  startsAt: Instant,
): { costs: number; until: Instant } | null {
  const fee = sessionsWorth === null ? (fees?.late ?? 0) : 0
  const costs = Math.min(mostLate({ totalAmount, sessionsWorth }), Math.max(depositAmount ?? 0, fee))
  if ((costs === 0 && sessionsWorth === null) || terms.cancelWindowMinutes === null || terms.rescheduleWindowMinutes === null) return null
  const until = startsAt - terms.rescheduleWindowMinutes * minuteMs
  return mayCancel(terms, until) ? null : { costs, until }
}

export const mayCancelLate = (agreed: Agreed, startsAt: Instant, now: Instant): boolean =>
  now <= (lateCancelling(agreed, startsAt)?.until ?? -Infinity)

/** As the wire shows them. */
export const wireTerms = (
  terms: Terms,
): { cancelWindowHours: number | null; rescheduleWindowHours: number | null; freeUntil: string | null } => ({
  cancelWindowHours: terms.cancelWindowMinutes === null ? null : terms.cancelWindowMinutes / 60,
  rescheduleWindowHours:
    terms.openUntil !== undefined ? 0 : terms.rescheduleWindowMinutes === null ? null : terms.rescheduleWindowMinutes / 60,
  freeUntil:
    [terms.freeUntil, terms.openUntil]
      .filter((one) => typeof one === 'string')
      .toSorted()
      .at(-1) ?? null,
})
