/** Everything that keeps a service from beginning at a time with somebody, lane by lane. Nothing is read here. */
import type { EpochMinute, ServiceRule, Span } from '@soigne/scheduling/model'
import { spanMinutes } from '@soigne/scheduling/free-time'
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { minuteText } from '#/platform/instants.ts'
import { without } from './days.ts'

export type RefusedBy = Answer<Calls['whyNot']>['refusedBy'][number]

/** Time of a member that something has, with the minutes kept before and after it. */
export interface Having extends Span {
  reason: 'taken' | 'external'
  what: string | null
  before: number
  after: number
}

/** One service where it would be. */
export interface Wanted {
  startsAt: EpochMinute
  rule: Pick<ServiceRule, 'parts' | 'bufferBeforeMinutes' | 'bufferAfterMinutes'>
  what: string
}

export interface MemberLanes {
  opens: readonly Span[]
  isClosed: boolean
  shifts: readonly Span[]
  away: readonly Span[]
  having: readonly Having[]
}

const overlap = (one: Span, other: Span): boolean => one.from < other.to && one.to > other.from

export function refusedBy(reason: string, lane: RefusedBy['lane'], span: Span | null, what: string | null): RefusedBy {
  return { reason, lane, startsAt: span && minuteText(span.from), endsAt: span && minuteText(span.to), what }
}

export const wholeOf = ({ startsAt, rule: { parts } }: Wanted): Span => ({ from: startsAt, to: startsAt + spanMinutes(parts) })

/** When the member works. */
export function handsOn({ startsAt, rule: { parts } }: Wanted): Span[] {
  const first = { from: startsAt, to: startsAt + parts.activeMinutes }
  if (parts.idleMinutes === 0) return [first]
  const back = first.to + parts.idleMinutes
  return [first, { from: back, to: back + parts.activeAfterMinutes }]
}

const buffersOf = ({ from, to, before, after }: Having): Span[] =>
  [
    { from: from - before, to: from },
    { from: to, to: to + after },
  ].filter((span) => span.from < span.to)

/** What somebody has of the time wanted, and the clean-up that belongs to it or is too near. */
function refusedByOthers(wanted: Wanted, having: readonly Having[]): RefusedBy[] {
  const work = handsOn(wanted)
  const { bufferBeforeMinutes, bufferAfterMinutes } = wanted.rule
  const [first, last] = [work[0], work.at(-1)]
  const own: Span[] = [
    { from: (first?.from ?? 0) - bufferBeforeMinutes, to: first?.from ?? 0 },
    { from: last?.to ?? 0, to: (last?.to ?? 0) + bufferAfterMinutes },
  ].filter((span) => span.from < span.to)
  return having.flatMap((one) => {
    const isHit = work.some((part) => overlap(part, one))
    const cleanups = buffersOf(one).filter((span) => (isHit && span.from >= one.to) || work.some((part) => overlap(part, span)))
    const tooNear = isHit ? [] : own.filter((span) => overlap(span, one) || buffersOf(one).some((buffer) => overlap(span, buffer)))
    return [
      ...(isHit ? [refusedBy(one.reason, 'person', one, one.what)] : []),
      ...cleanups.map((span) => refusedBy('buffer', 'cleanup', span, one.what)),
      ...tooNear.map((span) => refusedBy('buffer', 'cleanup', span, wanted.what)),
    ]
  })
}

/** Of one service, everything but rooms and machines. In the order a day is read: the house, the shift, the person, clean-up. */
export function refusedOf(wanted: Wanted, { opens, isClosed, shifts, away, having }: MemberLanes): RefusedBy[] {
  const work = handsOn(wanted)
  const shut = without([wholeOf(wanted)], opens)
  const off = without(work, shifts)
  const gone = away.filter((span) => work.some((part) => overlap(part, span)))
  return [
    ...shut.map((span) => refusedBy(isClosed ? 'closed' : 'outside_opening', 'open', span, null)),
    ...off.map((span) => refusedBy('outside_shift', 'shift', span, null)),
    ...gone.map((span) => refusedBy('away', 'shift', span, null)),
    ...refusedByOthers(wanted, having),
  ]
}

/** Of rooms or machines of a kind, none is free for the whole span: the one that would be first. */
export function refusedByResources(wanted: Wanted, units: readonly { name: string; busy: readonly Span[] }[], type: string): RefusedBy[] {
  const { bufferBeforeMinutes, bufferAfterMinutes } = wanted.rule
  const whole = wholeOf(wanted)
  const span = { from: whole.from - bufferBeforeMinutes, to: whole.to + bufferAfterMinutes }
  const hits = units.map(({ name, busy }) => ({ name, busy: busy.filter((one) => overlap(one, span)) }))
  if (units.length === 0) return [refusedBy('no_resource', 'resource', null, type)]
  if (hits.some(({ busy }) => busy.length === 0)) return []
  const untilOf = ({ busy }: { busy: readonly Span[] }): number => Math.max(...busy.map(({ to }) => to))
  const soonest = hits.reduce((best, one) => (untilOf(one) < untilOf(best) ? one : best))
  return [
    refusedBy('no_resource', 'resource', { from: Math.min(...soonest.busy.map(({ from }) => from)), to: untilOf(soonest) }, soonest.name),
  ]
}
