/** The terms accepted with a visit: windows for changing one's mind, fixed when it is booked. */

export interface Terms {
  /** Null: never online. */
  cancelWindowMinutes: number | null
  rescheduleWindowMinutes: number | null
  /** Cancelling is free until this instant (ISO); null when it never is. */
  freeUntil: string | null
}

const minuteMs = 60_000

/** What holds for a visit that starts then. */
export function termsFor(rules: { cancelWindowMinutes: number | null; rescheduleWindowMinutes: number | null }, startsAt: number): Terms {
  const { cancelWindowMinutes, rescheduleWindowMinutes } = rules
  return {
    cancelWindowMinutes,
    rescheduleWindowMinutes,
    freeUntil: cancelWindowMinutes === null ? null : new Date(startsAt - cancelWindowMinutes * minuteMs).toISOString(),
  }
}

/** Moving in time moves the free window with the visit; moving late leaves it where it was, so a far new date cannot buy a free way out. */
export function termsAfterMove(terms: Terms, newStart: number, now: number): Terms {
  if (terms.freeUntil === null || terms.cancelWindowMinutes === null) return terms
  if (now > Date.parse(terms.freeUntil)) return terms
  return { ...terms, freeUntil: new Date(newStart - terms.cancelWindowMinutes * minuteMs).toISOString() }
}

export const mayCancel = (terms: Terms, now: number): boolean => terms.freeUntil !== null && now <= Date.parse(terms.freeUntil)

export const mayMove = (terms: Terms, startsAt: number, now: number): boolean =>
  terms.rescheduleWindowMinutes !== null && now <= startsAt - terms.rescheduleWindowMinutes * minuteMs

/** As the wire shows them. */
export const wireTerms = (
  terms: Terms,
): { cancelWindowHours: number | null; rescheduleWindowHours: number | null; freeUntil: string | null } => ({
  cancelWindowHours: terms.cancelWindowMinutes === null ? null : terms.cancelWindowMinutes / 60,
  rescheduleWindowHours: terms.rescheduleWindowMinutes === null ? null : terms.rescheduleWindowMinutes / 60,
  freeUntil: terms.freeUntil,
})
