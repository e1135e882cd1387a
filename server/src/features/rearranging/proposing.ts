/**
 * Which time is proposed for a visit that was hit: docs/decisions/084. A pure rule on a diary. Whoever asked for somebody by name is proposed them again,
 * within a week; whoever asked for anybody is proposed the same time with somebody else. A day later counts as four hours off.
 */
import type { ProposalReason } from '@soigne/contract/rearranging'
import type { CartLine, ClientFacts, Day, EpochMinute, InstituteDiary, Offer, Span, VisitPlan } from '@soigne/scheduling/model'
import { dayNumber } from '@soigne/scheduling/days'
import { offersForDays } from '@soigne/scheduling/offers'
import { planVisit } from '@soigne/scheduling/plan-visit'
import { dayOf, wallMinuteOf } from '@soigne/scheduling/wall-clock'

/** Days looked at from the day of the visit on. */
export const daysAhead = 15
/** A client who asked for somebody by name waits a week for them, and no longer. */
const patientDays = 7
/** Minutes of the clock that a day later is worth. */
const dayMinutes = 240
/** Nobody reads a letter sooner: other times than that of the visit begin later than this. */
const leadMinutes = 30
const most = { samePerson: 4, colleagues: 3 }

export interface Hit extends Span {
  /** Who does what now, in the order of the cart. */
  lines: readonly { serviceId: string; memberId: string; isHit: boolean; isByName: boolean; atHome?: boolean }[]
  client?: ClientFacts | undefined
  /** What the client does at other times. */
  apart: readonly Span[]
}

export interface Option {
  plan: VisitPlan
  reason: ProposalReason
}

export interface Found {
  options: Option[]
  /** The first day on which who does it now has time; null where they have it within the week, or not at all. */
  fullUntil: Day | null
}

/** Members who are not booked online are proposed by nobody but the institute itself, unless they do it now. */
function bookableDiary(diary: InstituteDiary, { lines }: Hit): InstituteDiary {
  const now = new Set(lines.map(({ memberId }) => memberId))
  return { ...diary, members: diary.members.filter(({ id, bookableOnline }) => bookableOnline || now.has(id)) }
}

/** The diary in which what a plan takes is taken. */
export function withPlan(diary: InstituteDiary, { occupations, sessionId }: VisitPlan): InstituteDiary {
  const taken = (subject: 'member' | 'resource', id: string): Span[] =>
    occupations.filter((one) => one.subject === subject && one.id === id).map(({ from, to }) => ({ from, to }))
  const sessions = diary.sessions?.map((one) => (one.id === sessionId ? { ...one, taken: one.taken + 1 } : one))
  return {
    ...diary,
    members: diary.members.map((one) => ({ ...one, busy: [...one.busy, ...taken('member', one.id)] })),
    resources: diary.resources.map((one) => ({ ...one, busy: [...one.busy, ...taken('resource', one.id)] })),
    ...(sessions && { sessions }),
  }
}

const touches = (one: Span, other: Span): boolean => one.from < other.to && other.from < one.to

interface Candidate {
  startsAt: EpochMinute
  days: number
  minutes: number
}

/** The start of each day that is nearest to the hour of the visit, the best first. */
function bestOfDays(diary: InstituteDiary, cart: readonly CartLine[], hit: Hit, now: EpochMinute): Candidate[] {
  const { timeZone } = diary
  const from = dayOf(timeZone, Math.max(hit.from, now))
  const hour = wallMinuteOf(timeZone, hit.from)
  const off = ({ startsAt }: Offer): number => Math.abs(wallMinuteOf(timeZone, startsAt) - hour)
  const isFit = ({ startsAt, endsAt }: Offer): boolean =>
    startsAt >= now + leadMinutes && startsAt !== hit.from && !hit.apart.some((one) => touches(one, { from: startsAt, to: endsAt }))
  const asking = { now, forInstitute: true, ...(hit.client && { client: hit.client }), fromDay: from, days: daysAhead }
  return offersForDays(diary, cart, asking)
    .flatMap(({ day, times }): Candidate[] => {
      const [best] = times.filter(isFit).toSorted((a, b) => off(a) - off(b) || a.startsAt - b.startsAt)
      return best ? [{ startsAt: best.startsAt, days: dayNumber(day) - dayNumber(dayOf(timeZone, hit.from)), minutes: off(best) }] : []
    })
    .toSorted((a, b) => a.days * dayMinutes + a.minutes - (b.days * dayMinutes + b.minutes))
}

const reasonOf = ({ days, minutes }: Candidate, who: 'same_person' | 'colleague'): ProposalReason =>
  who === 'colleague'
    ? days === 0
      ? 'colleague_same_day'
      : 'colleague'
    : days === 0
      ? 'same_person_same_day'
      : minutes === 0
        ? 'same_person_same_hour'
        : 'same_person'

export function optionsFor(whole: InstituteDiary, hit: Hit, now: EpochMinute): Found {
  const diary = bookableDiary(whole, hit)
  const same = hit.lines.map(({ serviceId, memberId, atHome }) => ({ serviceId, memberId, atHome }))
  const gone = new Set(hit.lines.filter(({ isHit }) => isHit).map(({ memberId }) => memberId))
  const others = { ...diary, members: diary.members.filter(({ id }) => !gone.has(id)) }
  const open = same.map(({ memberId, ...line }) => (gone.has(memberId) ? line : { ...line, memberId }))
  const asking = { now, forInstitute: true, ...(hit.client && { client: hit.client }) }
  const planned = (within: InstituteDiary, cart: readonly CartLine[], startsAt: EpochMinute, reason: ProposalReason): Option[] => {
    const answer = planVisit(within, cart, startsAt, asking)
    return answer.ok ? [{ plan: answer.plan, reason }] : []
  }
  const own = bestOfDays(diary, same, hit, now)
  const ownSoon = own.filter(({ days }) => days <= patientDays)
  const options = (some: readonly Candidate[], who: 'same_person' | 'colleague', limit: number): Option[] =>
    some
      .slice(0, limit)
      .flatMap((one) =>
        who === 'same_person'
          ? planned(diary, same, one.startsAt, reasonOf(one, who))
          : planned(others, open, one.startsAt, reasonOf(one, who)),
      )
  const samePerson = options(ownSoon, 'same_person', most.samePerson)
  const sameTime = hit.from >= now ? planned(others, open, hit.from, 'colleague_same_time') : []
  const colleagues = options(bestOfDays(others, open, hit, now), 'colleague', most.colleagues)
  const later = options(
    own.filter(({ days }) => days > patientDays),
    'same_person',
    1,
  )
  const isByName = hit.lines.some((line) => line.isHit && line.isByName)
  const [first] = own
  return {
    options: isByName ? [...samePerson, ...sameTime, ...colleagues, ...later] : [...sameTime, ...samePerson, ...colleagues, ...later],
    fullUntil: first && ownSoon.length === 0 ? dayOf(diary.timeZone, first.startsAt) : null,
  }
}
