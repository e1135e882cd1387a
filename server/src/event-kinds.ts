/** Everything that can happen, and what is told of it. The list is closed: an event of another kind does not compile. */
import type { SpineEvent } from './platform/events.ts'

interface VisitTime {
  /** Instants, ISO. */
  startsAt: string
  endsAt: string
}

/** Of what an institute does to a visit: nobody is told before it can be taken back no more; `undoes` where this takes something back. */
interface TakenBack {
  toldLater?: true
  undoes?: true
}

type Attendance = 'expected' | 'arrived' | 'in_service' | 'done' | 'no_show'

interface BlockedPayload extends VisitTime {
  subjectKind: 'member' | 'resource'
  subjectId: string
  kind?: 'break' | 'meeting' | 'training' | 'errand' | 'other'
  note: string | null
}

interface DaysPayload {
  memberId: string
  kind: 'on_holiday' | 'sick_leave' | 'other'
  fromDay: string
  toDay: string
}
interface LeavePayload extends DaysPayload {
  /** Wall minutes of each day; null for whole days. */
  opensAt: number | null
  closesAt: number | null
}

interface SessionPayload extends VisitTime {
  serviceId: string
  memberId: string
  resourceId: string | null
  capacity: number
}

/** Of a hold or the visit it became. */
interface CheckoutPayload {
  checkoutId: string
  /** Minor units. */
  amount: number
  currency: string
}
/** Minor units. */
interface MoneyPayload {
  amount: number
  currency: string
}
type Level = 'owner' | 'manager' | 'reception' | 'staff'

export interface EventPayloads {
  /** A time is kept for somebody for some minutes. */
  'visit.held': VisitTime & { userId: string; expiresAt: string }
  'visit.extended': { expiresAt: string }
  'visit.released': VisitTime
  /** A hold ran out and its time is free again. */
  'visit.lapsed': VisitTime
  /** `seriesId`: one of several made at once, told together. */
  'visit.booked': VisitTime & { userId: string | null; seriesId?: string } & TakenBack
  /** A hold waits for its payment, longer than others. */
  'checkout.begun': VisitTime & CheckoutPayload & { until: string }
  /** Paid; the money has to go back where the time had gone to somebody else. */
  'checkout.settled': CheckoutPayload & { outcome: 'booked' | 'refund_due' }
  /** Nothing was taken; `until`: the hold goes on until then. */
  'checkout.abandoned': { checkoutId: string; why: 'cancelled' | 'failed' | 'expired'; until?: string }
  /** Money goes back to whoever paid online; the visit it was for is the subject. And what became of it. */
  'refund.made': MoneyPayload & {
    refundId: string
    reason: 'late_payment' | 'cancelled_by_client' | 'cancelled_by_institute' | 'credit_note' | 'fee_waived' | 'service_removed'
  }
  /** Somebody asks again for one that was refused. */
  'refund.retried': { refundId: string }
  /** What was refused was paid back otherwise. */
  'refund.settled': { refundId: string }
  'refund.ended': { refundId: string; state: 'waiting' | 'done' | 'failed' }
  /** The bank of a client took money back; the visit it was paid for is the subject. And what it decided. */
  'dispute.opened': MoneyPayload & { disputeId: string }
  'dispute.ended': MoneyPayload & { disputeId: string; state: 'won' | 'lost' }
  /** The bank of an institute refused a payout, which is the subject. */
  'payout.refused': MoneyPayload
  /** Whoever cancelled late or did not come is charged when this is over; the visit is the subject. And what became of it. */
  'fee.made': MoneyPayload & { feeId: string; kind: 'late_cancel' | 'no_show'; dueAt: string }
  'fee.ended': MoneyPayload & { feeId: string; state: 'charged' | 'asked' | 'unpaid' | 'waived' | 'withdrawn' | 'given_back' }
  /** It was waived, and is due again. */
  'fee.resumed': MoneyPayload & { feeId: string }
  /** Its charge is under way. */
  'fee.charging': MoneyPayload & { feeId: string }
  /** Money was taken at the counter or online; the sale is the subject, and its visit where it is one. */
  'sale.taken': MoneyPayload
  /** Money went back, by a credit note. */
  'sale.refunded': MoneyPayload & { documentId: string }
  /** An invoice or a credit note was issued, which is the subject. */
  'document.issued': MoneyPayload & { saleId: string }
  /** The last day of a gift card or a package was over; the sale that sold it is the subject. */
  'voucher.expired': MoneyPayload
  /** Of a visit that was missed before such deposits were kept; later ones are kept with `visit.attended`. */
  'deposit.kept': MoneyPayload
  /** The till of a day was counted. */
  'till.closed': MoneyPayload & { day: string }
  'visit.moved': VisitTime & { before: VisitTime } & TakenBack
  /** `isReasonTold`: why is for its client to read. */
  'visit.cancelled': VisitTime & {
    by: 'client' | 'institute' | 'system'
    reason: string | null
    isReasonTold?: true
    seriesId?: string
  } & TakenBack
  /** What the institute did can be taken back no more: whoever knew the visit is told, and what it no longer takes is there for others. */
  'visit.settled': { freed: VisitTime[] }
  /** One service takes more or less time, and what follows it moves along. */
  'visit.resized': VisitTime & { before: VisitTime; segment: number; minutes: number }
  /** One service of several is let go; `refunded`: what goes back of the deposit, minor units. */
  'visit.shortened': VisitTime & { before: VisitTime; service: Partial<Record<string, string>>; refunded: number }
  /** A visit at home is at another address, which no event says. `toldLater`: with the booking, which nobody was told of yet. */
  'visit.readdressed': VisitTime & { toldLater?: true }
  /** Whether somebody came, as far as it is known. */
  'visit.attended': VisitTime & { attendance: Attendance; before: Attendance }
  /** The institute noted something for itself. */
  'visit.noted': VisitTime
  /** A visit is repeated, or what is left of its series cancelled, at once: these visits, which have their own events. The series is the subject. */
  'series.made': { visits: string[]; userId: string }
  'series.cancelled': { visits: string[]; userId: string }
  /** Two at one time on purpose: outside the wall, taken for everybody else. */
  'visit.overbooked': VisitTime & { customerId: string | null; reason: string }
  'time.blocked': BlockedPayload
  'time.unblocked': BlockedPayload
  /** A member goes away; `visits` are those it hits, which stay until somebody decides. */
  'leave.set': LeavePayload & { visits: string[] }
  'leave.removed': LeavePayload
  /** A member of the team asks for days off, and what becomes of it; the request is the subject. */
  'leave.asked': DaysPayload
  'leave.withdrawn': DaysPayload
  'leave.answered': DaysPayload & { answer: 'agreed' | 'declined'; reason: string | null }
  /** Seats are visits, whose events are theirs. */
  'session.opened': SessionPayload
  'session.moved': SessionPayload & { before: SessionPayload }
  /** More or fewer seats. */
  'session.resized': SessionPayload
  'session.closed': SessionPayload
  /** What another calendar says has changed, between two instants. */
  'external.synced': VisitTime & { memberId: string; added: number; removed: number }
  /** Somebody without a confirmed account was asked to work here; it is the invitation that this happened to. */
  'person.invited': { level: Level }
  'person.uninvited': { level: Level }
  /** Somebody works here from now on: added by the owner, or invited and confirmed meanwhile. */
  'person.joined': { userId: string; level: Level }
  'person.changed': { userId: string; level: Level; before: Level }
  /** Nobody's access any more; they left when they are the actor. */
  'person.removed': { userId: string; level: Level }
  /** Of the site, not of an institute. */
  'operator.added': { userId: string }
  'operator.removed': { userId: string }
  /** An account has ended; what stays of it names nobody. */
  'account.erased': Record<never, never>
  /** A client has said how a visit was; it is the review that this happened to. */
  'review.written': { appointmentId: string; userId: string; rating: number }
  /** The institute answered; `isNew` unless it changed its answer. */
  'review.replied': { appointmentId: string; isNew: boolean }
  /** An operator decided about reports: it stays, or is seen no more. */
  'review.decided': { decision: 'kept' | 'hidden' }
  /** In a conversation, which is the subject; `userId` is its client. What was said is in the message alone. */
  'message.sent': { messageId: string; seq: number; side: 'client' | 'institute'; userId: string }
  /** One side has seen what the other wrote, up to this place; events of before name none. */
  'chat.read': { side: 'client' | 'institute'; userId: string; seq?: number }
  /** What was sent is on a screen of that side. */
  'chat.delivered': { side: 'client' | 'institute'; userId: string }
  /** An operator decided about a conversation: nobody writes in it any more, or they may again. */
  'chat.decided': { userId: string; decision: 'stopped' | 'allowed' }
  /** A time is held for somebody who waits for it; it is the entry of the list that this happened to. */
  'waiting.offered': VisitTime & { offerId: string; userId: string; appointmentId: string; until: string }
  /** They took it, for the visit that is named. The releases before cancelled the visit it replaced, and named that too. */
  'waiting.taken': { appointmentId: string; visitId: string | null }
  /** Another time is kept for a client and proposed for their visit, which is the subject. */
  'visit.proposed': VisitTime & { rearrangementId: string; userId: string; holdId: string; until: string; before: VisitTime }
  /** What became of it: said by its client, or settled by the institute. */
  'visit.rearranged': VisitTime & { rearrangementId: string; state: 'accepted' | 'other_time' | 'declined' | 'by_phone' | 'settled' }
  /** A member runs late today, from the first instant on; these visits have to wait, by id. The notice is the subject. */
  'member.late': VisitTime & { memberId: string; minutes: number; visits: string[] }
  /** It is taken back; these visits were told. */
  'member.on_time': VisitTime & { memberId: string; visits: string[] }
  /** What these people were told, or have read of it, is another than before: their bells are told the count. */
  'bell.changed': { userIds: string[] }
  /** Set up by its owner: it is found and booked from now on. */
  'institute.published': { userId: string; slug: string }
  /** Somebody says that a listed institute is theirs; it is the claim that this happened to. */
  'claim.made': { userId: string }
  'claim.withdrawn': { userId: string }
  'claim.decided': { userId: string; decision: 'accepted' | 'refused' }
  /** The owner had the business checked; what was sent is the subject, and what it says is in it alone. */
  'business_check.sent': Record<never, never>
  'business_check.withdrawn': Record<never, never>
  'business_check.decided': { decision: 'accepted' | 'refused' }
  /** A client's record was added, changed, or lets its person book no more; it is the record that this happened to, and what it says is in it alone. */
  'customer.changed': { what: 'added' | 'fields' | 'blocked' | 'unblocked' | 'health' | 'files' | 'consents' | 'relations' }
  /** Two records of one person were joined, or taken apart again; the kept one is the subject. */
  'customer.merged': { mergeId: string; mergedId: string }
  'customer.parted': { mergeId: string; mergedId: string }
  'customers.imported': { added: number; filled: number }
  /** Somebody took everything of the institute away as a file; with what is kept of so many clients’ health. */
  'institute.exported': { health: number }
  /** Hours, team, services, rules: what an institute sets. */
  'institute.changed': { what: string }
}

declare module './platform/events.ts' {
  interface EventRegistry extends EventPayloads {}
}

export type EventKind = keyof EventPayloads

/** One event of a kind as it is stored. */
export type EventOf<Kind extends EventKind = EventKind> = { [K in Kind]: SpineEvent<K, EventPayloads[K]> }[Kind]
