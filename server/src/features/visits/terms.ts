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

/** After the free window, while it could still be moved: whoever has paid a deposit may leave it and go. */
export const mayCancelLate = (terms: Terms, startsAt: Instant, now: Instant, depositAmount: number | null): boolean =>
  (depositAmount ?? 0) > 0 && terms.cancelWindowMinutes !== null && mayMove(terms, startsAt, now)

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
