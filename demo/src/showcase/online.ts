// Who paid online: what an institute asks for before a visit, and what some clients choose to pay themselves before they come.
import { hourMs, type Instant, minuteMs } from '@soigne/contract/time'
import { type Random, randomFrom } from '#/random.ts'
import type { InstituteRow } from '#/rows/institute.ts'
import { instantText, parseInstant } from '#/rows/instants.ts'
import type { InstituteRows, VisitRows } from '#/rows/tables.ts'
import type { AppointmentRow } from '#/rows/visits.ts'

/** One payment on a page of a provider; instants in milliseconds since the epoch. */
export interface OnlinePayment {
  /** With the booking, or what was left of the visit. */
  kind: 'hold' | 'rest'
  method: 'card' | 'paypal' | 'klarna'
  amount: number
  /** Whether nothing is left to pay after it. */
  isWhole: boolean
  /** When the page was asked for, and when it was paid. */
  begunAt: Instant
  paidAt: Instant
}

export interface OnlineVisit {
  id: string
  /** The first paid first. */
  payments: readonly OnlinePayment[]
  /** Of one that was cancelled: what of the money stays with the institute. */
  cancelled: { at: Instant; by: 'client' | 'institute'; kept: number } | null
}

const [paysAll, paysAhead, paysRest, cancelsLate] = [0.2, 0.16, 0.35, 0.5] as const
const cardsAndWallets = { card: 7, paypal: 2, klarna: 1 } as const
type Method = OnlinePayment['method']

/** Cards more than all else. */
function methodOf({ payment_methods: taken }: InstituteRow, random: Random): Method {
  const all = (Object.keys(cardsAndWallets) as Method[]).filter((method) => taken.includes(method))
  return random.pick(all.flatMap((method) => Array.from({ length: cardsAndWallets[method] }, () => method)))
}

/** What the institute asks for before a visit of that price: a part of it is rounded once, and it is never more than the price. */
function depositOf({ deposit_kind: kind, deposit_percent: percent, deposit_amount: fixed }: InstituteRow, total: number): number {
  if (kind === 'fixed') return Math.min(fixed ?? 0, total)
  return kind === 'percent' ? Math.min(Math.floor((2 * total * (percent ?? 0) + 100) / 200), total) : 0
}

/** People take a moment to find their card. */
function pageAt(begunAt: Instant, random: Random): Pick<OnlinePayment, 'begunAt' | 'paidAt'> {
  return { begunAt, paidAt: begunAt + random.between(40, 150) * 1000 }
}

/** With the booking: the deposit, or all at once. */
function paidWithBooking(visit: AppointmentRow, institute: InstituteRow, random: Random): OnlinePayment | null {
  const total = visit.total_amount
  const deposit = depositOf(institute, total)
  // Who has to pay nothing pays before a visit that is still to come only where it was cancelled: then it is over as well.
  const isOver = visit.payment === 'paid' || visit.life === 'cancelled'
  const isAll = random.chance(paysAll) && (deposit > 0 || isOver)
  const amount = isAll ? total : deposit
  if (amount === 0) return null
  const begunAt = parseInstant(visit.created_at) + random.between(20, 60) * 1000
  return { kind: 'hold', method: methodOf(institute, random), amount, isWhole: amount === total, ...pageAt(begunAt, random) }
}

/** At hours at which people are awake: the day before at about the time of the visit, or in the hours before it. */
function aheadOf(visit: AppointmentRow, random: Random): Instant | null {
  const [booked, starts] = [parseInstant(visit.created_at), parseInstant(visit.starts_at)]
  const isDayBefore = random.chance(0.5) && booked < starts - 27 * hourMs
  const [latest, span] = isDayBefore ? [starts - 22 * hourMs, 4 * hourMs] : [starts - 20 * minuteMs, 100 * minuteMs]
  const at = latest - random.between(0, span)
  return at > booked + hourMs / 2 ? at : null
}

/** What is left, before the visit: of one that was kept. */
function paidAhead(visit: AppointmentRow, before: OnlinePayment | null, institute: InstituteRow, random: Random): OnlinePayment | null {
  if (visit.payment !== 'paid' || before?.isWhole || !random.chance(before ? paysRest : paysAhead)) return null
  const begunAt = aheadOf(visit, random)
  if (begunAt === null) return null
  const amount = visit.total_amount - (before?.amount ?? 0)
  return { kind: 'rest', method: before?.method ?? methodOf(institute, random), amount, isWhole: true, ...pageAt(begunAt, random) }
}

/** Some clients cancel after the free time, while they still may: in the middle of it, if that is behind us. */
function cancelledAt(visit: AppointmentRow, institute: InstituteRow, now: Instant, random: Random): Instant {
  const { cancelWindowMinutes: free, rescheduleWindowMinutes: last, freeUntil } = visit.terms
  const usual = parseInstant(visit.cancelled_at ?? visit.created_at)
  const isLate = visit.cancelled_by === 'client' && institute.deposit_kind !== 'none' && random.chance(cancelsLate)
  if (!isLate || free === null || last === null || free <= last) return usual
  const middle = parseInstant(freeUntil) + ((free - last) / 2) * minuteMs
  return middle > usual && middle <= now ? middle : usual
}

/** A client who cancels late leaves the deposit; else everything goes back. */
function cancelledOf(visit: AppointmentRow, paid: OnlinePayment, { institute, at }: { institute: InstituteRow; at: Instant }) {
  const { cancelled_by: by, terms } = visit
  if (by === null) return null
  const isLate = by === 'client' && at > parseInstant(terms.freeUntil)
  return { at, by, kept: isLate ? Math.min(paid.amount, depositOf(institute, visit.total_amount)) : 0 }
}

function payOne(visit: AppointmentRow, institute: InstituteRow, now: Instant): OnlineVisit | null {
  if (visit.made_by !== 'client' || visit.total_amount === 0) return null
  const random = randomFrom(`online ${visit.id}`)
  const booked = paidWithBooking(visit, institute, random)
  const at = cancelledAt(visit, institute, now, random)
  // Whoever cancelled while the page was open has paid nothing.
  if (booked && visit.cancelled_at !== null && at <= booked.paidAt + minuteMs) return null
  const ahead = paidAhead(visit, booked, institute, random)
  const payments = [booked, ahead].filter((one) => one !== null)
  const [first] = payments
  return first ? { id: visit.id, payments, cancelled: cancelledOf(visit, first, { institute, at }) } : null
}

/** What a visit says of how it was paid. */
export function noteOnline(visit: AppointmentRow, { payments, cancelled }: OnlineVisit, institute: InstituteRow): void {
  const [first] = payments
  if (first?.kind === 'hold') {
    visit.payment_method = first.method
    visit.deposit_amount = depositOf(institute, visit.total_amount)
    visit.confirmed_at = instantText(first.paidAt)
  }
  if (cancelled) visit.cancelled_at = instantText(cancelled.at)
  if (cancelled?.kept === 0) visit.payment = 'refunded'
  else if (visit.payment === 'none') visit.payment = payments.some(({ isWhole }) => isWhole) ? 'paid' : 'deposit_paid'
}

/** Makes some visits of an institute paid online, as far as clients booked them, and answers which. Each visit has its own random source. */
export function payOnline({ institute }: InstituteRows, { appointments }: VisitRows, now: Instant): OnlineVisit[] {
  return appointments.flatMap((visit) => {
    const online = payOne(visit, institute, now)
    if (online) noteOnline(visit, online, institute)
    return online ?? []
  })
}
