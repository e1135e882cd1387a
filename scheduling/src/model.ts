/** The words of the time engine: what an institute's diary says, what a client asks for, and what is answered. */

/** Minutes since the Unix epoch, UTC, a whole number. A `now` may carry a fraction. No other unit of time can stand for it. */
export type EpochMinute = number & { readonly unit?: 'epoch minute' }

/** A calendar date of the institute's zone, `YYYY-MM-DD`. */
export type Day = string & { readonly unit?: 'day' }

/** ISO weekday, 1 Monday … 7 Sunday. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7

/**
 * Wall-clock minutes counted from midnight of the day the range opens, half-open.
 * `opensAt` 0…1439, `closesAt` up to 2880: a range past midnight belongs to the day it opens.
 */
export interface WallRange {
  readonly opensAt: number
  readonly closesAt: number
}

/**
 * Days of a closure or an absence, both ends included. Without `part` it takes away everything that opens on these days
 * (a night shift with its hours after midnight too); with `part` it takes those wall-clock minutes of each day.
 */
export interface DayRange {
  readonly fromDay: Day
  readonly toDay: Day
  readonly part?: WallRange | undefined
}

/** A stretch of instants, half-open. */
export interface Span {
  readonly from: EpochMinute
  readonly to: EpochMinute
}

/**
 * The three parts of a service in elapsed minutes: the member works (at least 1), the client waits while the member is free, the member works again.
 * The client and the resource stay for all three.
 */
export interface ServiceParts {
  readonly activeMinutes: number
  readonly idleMinutes: number
  readonly activeAfterMinutes: number
}

/**
 * What must be true of the client before the service. `prior_service`: a visit with that service ended at least `minHours` before the start
 * and not more than `maxMonths` calendar months before its day. `minimum_age`: in completed years on the day.
 */
export type Prerequisite =
  | { readonly kind: 'prior_service'; readonly serviceId: string; readonly minHours: number; readonly maxMonths: number }
  | { readonly kind: 'minimum_age'; readonly years: number }

/** The time rules of one service. Buffers are minutes that keep other visits away; the client never sees them. */
export interface ServiceRule {
  readonly id: string
  readonly parts: ServiceParts
  readonly bufferBeforeMinutes: number
  readonly bufferAfterMinutes: number
  /** Last wall-clock minute at which it may start, counted from the day its opening range opens (1500 is 01:00 in the night). */
  readonly latestStart?: number | undefined
  /** Replaces the institute's notice for this service; the strictest of a cart holds. */
  readonly noticeMinutes?: number | undefined
  /** The kind of room, chair or machine it occupies for the whole span. */
  readonly resourceType?: string | undefined
  readonly prerequisites: readonly Prerequisite[]
  /** Begins only once the services before it in the visit are finished, never in their idle parts. */
  readonly isSequential?: boolean | undefined
  /** Seats of a session of this service. With more than one it is offered at its group sessions and at no other time. */
  readonly capacity?: number | undefined
  /** Where it is done; in the salon when absent. */
  readonly venue?: 'salon' | 'home' | 'either' | undefined
  /** Of its buffers, what is the way to a client; only where it is done at home. */
  readonly travelMinutes?: number | undefined
}

/** One working range of a day with its breaks; breaks are counted from the same midnight. */
export interface ShiftHours extends WallRange {
  readonly breaks: readonly WallRange[]
}

/** A shift of a rota: in which of its weeks, on which weekday. */
export interface Shift extends ShiftHours {
  readonly week: 1 | 2 | 3 | 4
  readonly weekday: Weekday
}

/**
 * A repeating pattern of 1 to 4 weeks. Week 1 is the ISO week (Monday to Sunday) that contains `anchorDay`, before and after it without end.
 * Of the rotas valid on a day the one with the latest `validFrom` counts (absent is earliest; equal: the later in the list).
 */
export interface Rota {
  readonly weeks: 1 | 2 | 3 | 4
  readonly anchorDay: Day
  readonly validFrom?: Day | undefined
  readonly validTo?: Day | undefined
  readonly shifts: readonly Shift[]
}

/** Replaces the rota on one day; no shifts means a day off. Of several for one day the last counts. */
export interface DayOverride {
  readonly day: Day
  readonly shifts: readonly ShiftHours[]
}

/** That a member performs a service, with own parts where they differ from the menu. */
export interface Performance {
  readonly parts?: ServiceParts | undefined
  /** Costs more than the menu says: a client gets this member by name alone, never where anyone was asked for. */
  readonly onlyByName?: boolean | undefined
}

/**
 * The diary of one team member. `busy` is what other visits, holds and blocked times occupy, buffers included, in any order and in whole
 * minutes (round outwards). To move a visit, leave out its own.
 */
export interface MemberDiary {
  readonly id: string
  /** Place in the team; decides between equally booked members. */
  readonly order: number
  readonly bookableOnline: boolean
  readonly rotas: readonly Rota[]
  readonly overrides: readonly DayOverride[]
  readonly absences: readonly DayRange[]
  readonly busy: readonly Span[]
  /** By service id. */
  readonly performs: ReadonlyMap<string, Performance>
}

/** The diary of one room, chair or machine. */
export interface ResourceDiary {
  readonly id: string
  readonly type: string
  readonly order: number
  readonly closures: readonly DayRange[]
  readonly busy: readonly Span[]
}

/**
 * A service given at one time by one member to several clients, who take a seat each. The span is as clients see it; its time is in `busy`
 * of the member and the resource like everything else.
 */
export interface GroupSession extends Span {
  readonly id: string
  readonly serviceId: string
  readonly memberId: string
  readonly resourceId?: string | undefined
  readonly seats: number
  /** Seats booked or held; to move a visit, leave out its own. */
  readonly taken: number
}

/** The rules an institute sets for its booking. */
export interface InstituteRules {
  readonly gridMinutes: 5 | 10 | 15 | 20 | 30 | 60
  readonly noticeMinutes: number
  /** How many days after today may be booked; 0 is today only. */
  readonly horizonDays: number
  /** Longest wait of the client between two services of a visit, idle parts excepted. */
  readonly maxWaitMinutes: number
  /** What happens to starts that strand time too short to sell. */
  readonly gaps: 'off' | 'rank' | 'hide'
  readonly serviceOrder: 'given' | 'best'
}

/** One weekly opening range. */
export interface OpeningHours extends WallRange {
  readonly weekday: Weekday
}

/** Everything the engine knows of one institute. */
export interface InstituteDiary {
  /** IANA name. */
  readonly timeZone: string
  readonly rules: InstituteRules
  readonly openingHours: readonly OpeningHours[]
  readonly closures: readonly DayRange[]
  readonly members: readonly MemberDiary[]
  readonly resources: readonly ResourceDiary[]
  readonly services: ReadonlyMap<string, ServiceRule>
  /** In any order. */
  readonly sessions?: readonly GroupSession[] | undefined
  /** Kept free before and after a visit at a client's home; none when absent. */
  readonly travelMinutes?: number | undefined
}

/** One service of a cart; without `memberId` any member may perform it. All lines of a visit are at home, or none. */
export interface CartLine {
  readonly serviceId: string
  readonly memberId?: string | undefined
  readonly atHome?: boolean | undefined
}

/** What is known of the person the visit is for; only prerequisites read it. */
export interface ClientFacts {
  readonly birthday?: Day | undefined
  /** What they had and what they have booked ahead, neither cancelled nor missed. */
  readonly visits: readonly { readonly serviceId: string; readonly endsAt: EpochMinute }[]
}

/** The moment and the point of view of a question. */
export interface Asking {
  readonly now: EpochMinute
  /** Absent: prerequisites are not checked (guests see times, the hold checks). */
  readonly client?: ClientFacts | undefined
  /**
   * The institute books for itself: members not bookable online count, and notice, horizon and the gap rule are waived.
   * A single start may then also lie off the grid or in the past.
   */
  readonly forInstitute?: boolean | undefined
}

/** Morning before 12:00, afternoon 12:00 to 17:00, evening from 17:00, by the wall clock of the start's day. */
export type PartOfDay = 'morning' | 'afternoon' | 'evening'

/** A start that can be booked. */
export interface Offer {
  readonly startsAt: EpochMinute
  readonly endsAt: EpochMinute
  /** Minutes this start leaves that are too short to sell; 0 when it leaves none or the gap rule is off. */
  readonly strandedMinutes: number
  /** Of group sessions only: free seats of all that begin then. */
  readonly seatsLeft?: number
}

/** The offers of one calendar day, in order of time. */
export interface DayOffers {
  readonly day: Day
  readonly times: readonly Offer[]
}

/** Whether a day has any offer; `closed` when the institute has no opening hours left on it. */
export interface DayRoom {
  readonly day: Day
  readonly room: 'none' | 'some'
  readonly closed: boolean
}

/** One service of a planned visit, performed by one member. */
export interface PlannedSegment {
  /** Place of its line in the cart. */
  readonly line: number
  readonly serviceId: string
  readonly memberId: string
  readonly startsAt: EpochMinute
  readonly endsAt: EpochMinute
  readonly parts: ServiceParts
  readonly resourceId?: string
  /** The way before and after it, at home. */
  readonly travelMinutes?: number
}

/** Time taken from a member or a resource, buffers included. */
export interface Occupation extends Span {
  readonly subject: 'member' | 'resource'
  readonly id: string
}

/** A visit with everything decided. Segments are in the order they are performed; occupations are merged per subject. */
export interface VisitPlan {
  readonly startsAt: EpochMinute
  readonly endsAt: EpochMinute
  readonly segments: readonly PlannedSegment[]
  readonly occupations: readonly Occupation[]
  readonly strandedMinutes: number
  /** The group session whose seat it is; it takes no time of its own. */
  readonly sessionId?: string
}

/** Why a start is refused; `refusal-reasons.ts` says when each is given. */
export type RefusalReason =
  | 'empty_cart'
  | 'unknown_service'
  | 'unknown_member'
  | 'past'
  | 'notice'
  | 'horizon'
  | 'nonexistent_time'
  | 'repeated_time'
  | 'closed'
  | 'outside_opening'
  | 'prerequisite'
  | 'not_performed'
  | 'not_bookable_online'
  | 'on_leave'
  | 'outside_shift'
  | 'on_break'
  | 'off_grid'
  | 'last_start'
  | 'taken'
  | 'buffer'
  | 'no_resource'
  | 'wait_too_long'
  | 'strands_gap'
  | 'session_alone'
  | 'no_session'
  | 'full'

/** Why one member cannot take one line; `blocking` is the visit or break in the way and ends when the member is free again. */
export interface MemberRefusal {
  readonly line: number
  readonly memberId: string
  readonly reason: RefusalReason
  readonly blocking?: Span
}

/** A refused start. */
export interface StartRefusal {
  readonly ok: false
  readonly reason: RefusalReason
  /** Place in the cart of the line that fails; absent when the start itself is refused. */
  readonly line?: number
  /** With `notice` and `past`: the first instant that would respect them. */
  readonly earliest?: EpochMinute
  /** With `horizon`: the last day that may be booked. */
  readonly lastDay?: Day
  /** With `prerequisite`: the one that does not hold. */
  readonly prerequisite?: Prerequisite
  /** For every member considered for the failing line, in the order of the team. */
  readonly members: readonly MemberRefusal[]
}

/** The answer to "may this visit start then?". */
export type Planning = { readonly ok: true; readonly plan: VisitPlan } | StartRefusal
