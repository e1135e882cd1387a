/** Steps of a diary: what was asked and answered, as somebody with a pencil would write it. */

/** Minutes since the epoch. */
export interface Taken {
  subject: string
  from: number
  to: number
}
export interface VisitRequest {
  /** Milliseconds since the epoch. */
  startsAt: number
  /** Places in the menu, each with a place in the team or anybody. */
  lines: readonly (readonly [service: number, member: number | 'any'])[]
}
export interface Segment {
  serviceId: string
  staffId: string
  startsAt: string
}

/** What was done, or found impossible. `refused` is a no in words, `unknown` no answer at all. */
export type Step =
  | { kind: 'hold'; visit: string; taken: readonly Taken[]; startsAt: number }
  | { kind: 'no time'; request: VisitRequest; visit?: string }
  | { kind: 'book' | 'release' | 'cancel'; visit: string }
  | { kind: 'not held' | 'not booked'; visit: string }
  | { kind: 'move'; visit: string; taken: readonly Taken[]; startsAt: number }
  | { kind: 'expire'; visit: string }
  /** A holiday where nobody is booked; sick leave anywhere, naming the visits it hits. */
  | { kind: 'leave'; leave: string; taken: Taken; hits?: readonly string[] }
  | { kind: 'no leave'; taken: Taken }
  | { kind: 'return'; leave: string }
  | { kind: 'block'; block: string; taken: Taken }
  | { kind: 'no block'; taken: Taken }
  | { kind: 'unblock'; block: string }
  /** Booked at the desk for who stands there: no hold comes before it. */
  | { kind: 'walk in'; visit: string; taken: readonly Taken[]; startsAt: number }
  /** Over whatever is there, but on nobody's leave. */
  | { kind: 'overbook'; visit: string; taken: readonly Taken[]; startsAt: number }
  | { kind: 'no overbook'; taken: readonly Taken[] }
  /** A class of so many seats, where neither leave nor anything of the institute is. */
  | { kind: 'open'; session: string; taken: readonly Taken[]; member: string; startsAt: number; capacity: number }
  | { kind: 'no open'; taken: readonly Taken[] }
  /** With every visit booked in it; who only holds a seat has it no more. */
  | { kind: 'close'; session: string }
  /** A hold of a seat, and that there was none with this member at this time. */
  | { kind: 'seat'; visit: string; member: string; startsAt: number }
  | { kind: 'no seat'; member: string; startsAt: number }
  /** A time kept for a client instead of the one they have, while they decide; `before` is when the visit begins as it stands. */
  | { kind: 'propose'; visit: string; hold: string; taken: readonly Taken[]; startsAt: number; before: number }
  | { kind: 'no propose'; visit: string; taken: readonly Taken[] }
  /** What was kept is the visit's now; or all of it is given up. */
  | { kind: 'accept'; visit: string; startsAt: number }
  | { kind: 'decline'; visit: string }
  | { kind: 'not proposed'; visit: string }
  /** What was kept for a visit that was moved or cancelled another way is free again, a little later. */
  | { kind: 'tidy'; visit: string }
  /** All that another calendar has on a day; it asks nobody. */
  | { kind: 'sync'; source: string; busy: readonly Taken[] }
  | { kind: 'read'; visit: string; status: string; startsAt: number }
  | { kind: 'look'; request: VisitRequest; isOffered: boolean }
