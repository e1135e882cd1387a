/** What was paid online in the demo: checkouts, the pages of the sandbox they were paid on, and refunds, as rows. */
import type { OnlinePayment, OnlineVisit } from '@soigne/demo/showcase/online'
import type { InstituteRows, TableRows, VisitRows } from '@soigne/demo/rows/tables'
import { holdMinutes } from '@soigne/contract/appointments'
import { sitePath } from '@soigne/contract/site-routes'
import { minuteMs } from '@soigne/contract/time'
import type { Locale } from '@soigne/contract/wire'
import { describedVisit } from '#/features/checkout/service.ts'
import type { OnlineRefund, TakenOnline } from '#/features/ledger/service.ts'
import { referenceOfPage } from '#/features/sandbox-payments/service.ts'
import { instantText, parseInstant } from '#/platform/instants.ts'
import { steadyId } from '#/platform/steady-id.ts'

type Appointment = VisitRows['appointments'][number]

/** A payment with its names. */
interface Paid {
  payment: OnlinePayment
  visit: Appointment
  id: string
  pageId: string
  reference: string
}

/** The longest a page is open. */
const openMs = 45 * minuteMs
/** Agreed with the booking, though institutes of the demo charge no fees. */
const graceMinutes = 15
/** Asking a provider takes its time. */
const pageAfterMs = 400
const wordAfterMs = 1200
const leaseMs = minuteMs

export function namedPayments(online: readonly OnlineVisit[], { appointments }: VisitRows): Paid[] {
  const visits = new Map(appointments.map((visit) => [visit.id, visit]))
  return online.flatMap(({ id: visitId, payments }) => {
    const visit = visits.get(visitId)
    if (!visit) return []
    return payments.map((payment) => {
      const id = steadyId(`${visitId} checkout ${payment.kind}`)
      const pageId = steadyId(`${id} page`)
      return { payment, visit, id, pageId, reference: referenceOfPage(pageId) }
    })
  })
}

export const takenOf = ({ payment: { method, amount, isWhole, paidAt }, id, reference }: Paid): TakenOnline => ({
  checkoutId: id,
  reference,
  method,
  amount,
  isWhole,
  at: paidAt,
})

/** The language in which a client of the institute was asked. */
export const localeOf = ({ institute }: InstituteRows): 'en' | 'fr' => (institute.country_code === 'GB' ? 'en' : 'fr')

/** What the hold of a visit took; nobody knows it any more where it was let go. */
const takenBy = (occupations: VisitRows['occupations']): object[] =>
  occupations.map(({ subject_kind: kind, subject_id: subjectId, during }) => {
    const [from, to] = during.slice(1, -1).split(',')
    return { kind, subjectId, from, to }
  })

function checkoutRow({ payment, visit, id, pageId, reference }: Paid, locale: Locale, taken: readonly object[]): object {
  const { kind, method, amount, isWhole, begunAt, paidAt } = payment
  const isHold = kind === 'hold'
  const heldAt = isHold ? parseInstant(visit.created_at) : begunAt
  return {
    id,
    institute_id: visit.institute_id,
    appointment_id: visit.id,
    user_id: visit.user_id,
    amount,
    currency: visit.currency,
    payment: isWhole ? 'paid' : 'deposit_paid',
    payment_method: method,
    state: 'paid',
    reference,
    held_at: instantText(heldAt),
    until: instantText(heldAt + openMs),
    taken,
    begun_at: instantText(begunAt),
    ended_at: instantText(paidAt),
    kind,
    locale,
    deposit_amount: isHold ? (visit.deposit_amount ?? 0) : 0,
    fee_grace_minutes: isHold ? graceMinutes : 0,
    held_until: isHold ? instantText(heldAt + holdMinutes * minuteMs) : null,
    provider: 'sandbox',
    page_id: pageId,
  }
}

function pageRow({ payment, visit, id, pageId, reference }: Paid, { institute }: InstituteRows, locale: Locale): object {
  const { kind, method, amount, begunAt } = payment
  const isHold = kind === 'hold'
  const back = isHold ? sitePath('appointments') : sitePath('appointment', { id: visit.id })
  const about = { institute: institute.name, startsAt: visit.starts_at, timeZone: visit.time_zone }
  return {
    id: pageId,
    key: `demo ${id}`,
    checkout_id: id,
    institute: institute.id,
    amount,
    currency: visit.currency,
    method,
    description: describedVisit(about, locale),
    locale,
    return_url: `https://soigne.test${back}?payment=${id}`,
    until: instantText((isHold ? parseInstant(visit.created_at) : begunAt) + openMs),
    state: 'paid',
    reference,
    created_at: instantText(begunAt + pageAfterMs),
  }
}

/** As at real houses a card is given back at once, the others say so later. */
function refundRows({ id, saleId, checkoutId, method, amount, reason, at }: OnlineRefund, institute: InstituteRows): [object, object] {
  const { id: institute_id, currency } = institute.institute
  const givenId = steadyId(`${id} given`)
  const isCard = method === 'card'
  const sentAt = at + pageAfterMs
  const refund = {
    id,
    institute_id,
    checkout_id: checkoutId,
    appointment_id: saleId,
    amount,
    currency,
    reason,
    state: 'done',
    reference: givenId,
    claimed_until: instantText(sentAt + leaseMs),
    made_at: instantText(at),
    ended_at: instantText(sentAt + (isCard ? 0 : wordAfterMs)),
  }
  const created_at = instantText(sentAt)
  const page_id = steadyId(`${checkoutId} page`)
  return [refund, { id: givenId, key: id, page_id, refund_id: id, amount, state: isCard ? 'done' : 'waiting', created_at }]
}

/** All rows but payouts, what is pointed at first. */
export function onlineRows(
  institute: InstituteRows,
  visits: VisitRows,
  paid: readonly Paid[],
  refunds: readonly OnlineRefund[],
): TableRows[] {
  const locale = localeOf(institute)
  const times = Map.groupBy(visits.occupations, ({ appointment_id: visit }) => visit)
  const back = refunds.map((refund) => refundRows(refund, institute))
  return [
    ['checkouts', paid.map((one) => checkoutRow(one, locale, one.payment.kind === 'hold' ? takenBy(times.get(one.visit.id) ?? []) : []))],
    ['sandbox_pages', paid.map((one) => pageRow(one, institute, locale))],
    ['refunds', back.map(([refund]) => refund)],
    ['sandbox_refunds', back.map(([, given]) => given)],
  ]
}
