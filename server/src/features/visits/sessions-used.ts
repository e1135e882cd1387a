/** What becomes of the sessions that pay for a visit: back with a cancellation that is free, gone with one that is late and with a visit that was missed. */
import type { VisitSessions } from '@soigne/contract/vouchers'
import { parseInstant } from '#/platform/instants.ts'
import type { SessionsUsed } from './session-store.ts'
import { mayCancel } from './terms.ts'
import type { AppointmentRow } from './visit-store.ts'

type Visit = Pick<AppointmentRow, 'life' | 'attendance' | 'cancelledAt' | 'cancelledBy' | 'terms'>

/** Its client went after the free window; whoever else cancels costs nobody a session. */
const isCancelledLate = ({ life, cancelledAt, cancelledBy, terms }: Visit): boolean =>
  life === 'cancelled' && cancelledBy === 'client' && cancelledAt !== null && !mayCancel(terms, parseInstant(cancelledAt))

/** Its sessions go back, as soon as that is done. */
export const isCancelledFree = (visit: Visit): boolean => visit.life === 'cancelled' && !isCancelledLate(visit)

/** A session may be taken for it though nothing was done. */
export const isSessionLost = (visit: Visit): boolean =>
  isCancelledLate(visit) || (visit.life === 'booked' && visit.attendance === 'no_show')

/** As both sides read them. */
export const sessionsForWire = (used: readonly SessionsUsed[], visit: Visit): VisitSessions =>
  used.map(({ name, count, isBack }) => ({
    name,
    count,
    state: isBack || isCancelledFree(visit) ? 'back' : isSessionLost(visit) ? 'gone' : 'used',
  }))
