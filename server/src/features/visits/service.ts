/** Visits as they are stored and told. Booking, checkout and changes of appointments build on them; they know none of these. */
export {
  appointmentForWire,
  attendanceAt,
  deskPathOf,
  holdForWire,
  isAtHome,
  lengthByHand,
  lengthsByHand,
  mayBeCancelled,
  overlapForWire,
  priceKindOf,
  segmentsForWire,
  statusForWire,
  totalKindOf,
  wayBeginsAt,
  whereOf,
} from './present.ts'
export { calendarOfVisits, wordsOfVisit } from './calendar-text.ts'
export { sessionsOfVisit } from './session-store.ts'
export { isCancelledFree, isSessionLost, sessionsForWire } from './sessions-used.ts'
export { isReached, type PartyScope, type Reach, reachedBy } from './reach-store.ts'
export { type Recipients, recipientsOf } from './recipients-store.ts'
export { lives, type Party, partyOf, payments, stateOf, statusOf, stepFrom } from './state-graph.ts'
export {
  lateCancelling,
  lateFeeAt,
  mayCancel,
  mayCancelLate,
  mayMove,
  mostLate,
  type Terms,
  termsAfterMove,
  termsFor,
  wireTerms,
} from './terms.ts'
export {
  type AppointmentRow,
  type CartEntry,
  columnOf,
  type DiaryReaderScope,
  findAllShown,
  findShown,
  findVisit,
  listOfInstitute,
  listOwn,
  liveHolds,
  type SegmentRow,
  segmentsOf,
  type ShownVisit,
  type VisitScope,
} from './visit-store.ts'
