/** Free stretches between what a member does, what would fit into them, and what the gap rule kept whole when somebody chose a start. */
import { dayNumber } from './days.ts'
import { freeSpans, type DaysAsked } from './free-spans.ts'
import type { Asking, CartLine, EpochMinute, InstituteDiary, Span } from './model.ts'
import { offersForDays } from './offers.ts'
import { dayOf, spanOfDay } from './wall-clock.ts'

/** Time of one member in which nothing is booked, with something before and after it on the same day. */
export interface Gap extends Span {
  readonly memberId: string
}

/** The gaps of these days that are still to come, soonest first; one that has begun is what is left of it. */
export function gapsBetween(diary: InstituteDiary, asked: DaysAsked, now: EpochMinute): readonly Gap[] {
  const from = Math.ceil(now)
  return diary.members
    .flatMap(({ id, busy }) =>
      freeSpans(diary, id, asked)
        .filter((free) => free.to > from && isBetween(diary.timeZone, busy, free))
        .map((free): Gap => ({ from: Math.max(free.from, from), to: free.to, memberId: id })),
    )
    .sort((a, b) => a.from - b.from)
}

function isBetween(timeZone: string, busy: readonly Span[], free: Span): boolean {
  const before = spanOfDay(timeZone, dayOf(timeZone, free.from)).from
  const after = spanOfDay(timeZone, dayOf(timeZone, free.to - 1)).to
  return busy.some(({ to }) => before < to && to <= free.from) && busy.some(({ from }) => free.to <= from && from < after)
}

/** For each gap, in their order, which of the services could be booked wholly inside it with its member now, in the order given. */
export function servicesThatFit(
  diary: InstituteDiary,
  gaps: readonly Gap[],
  serviceIds: readonly string[],
  now: EpochMinute,
): readonly (readonly string[])[] {
  const found = gaps.map((): string[] => [])
  const days = gaps.flatMap(({ from, to }) => [dayNumber(dayOf(diary.timeZone, from)), dayNumber(dayOf(diary.timeZone, to - 1))])
  const fromDay = gaps[0] && dayOf(diary.timeZone, gaps[0].from)
  if (fromDay === undefined) return found
  const count = Math.max(...days) - dayNumber(fromDay) + 1
  for (const member of diary.members) {
    const own = gaps.flatMap((gap, at) => (gap.memberId === member.id ? [{ gap, at }] : []))
    const longest = Math.max(0, ...own.map(({ gap }) => gap.to - gap.from))
    for (const serviceId of serviceIds) {
      const parts = member.performs.get(serviceId)?.parts ?? diary.services.get(serviceId)?.parts
      if (!member.performs.has(serviceId) || !parts || parts.activeMinutes + parts.idleMinutes + parts.activeAfterMinutes > longest)
        continue
      const offers = offersForDays(diary, [{ serviceId, memberId: member.id }], { now, fromDay, days: count }).flatMap(({ times }) => times)
      for (const { gap, at } of own)
        if (offers.some(({ startsAt, endsAt }) => gap.from <= startsAt && endsAt <= gap.to)) found[at]?.push(serviceId)
    }
  }
  return found
}

/** What the gap rule chose from when it hid starts. */
export interface HiddenStarts {
  /** All that the day had, those it hid among them. */
  readonly starts: number
  /** What these would strand, added up. */
  readonly strandedMinutes: number
}

/**
 * The starts of the day of a chosen start, without the gap rule; nothing where the rule hid none of them, or where the chosen one is not one that
 * it left. The diary must not hold the visit itself. A start taken blindly would have stranded `strandedMinutes / starts`; the chosen one none.
 */
export function hiddenBeside(
  diary: InstituteDiary,
  cart: readonly CartLine[],
  startsAt: EpochMinute,
  asking: Asking,
): HiddenStarts | undefined {
  if (diary.rules.gaps !== 'hide' || asking.forInstitute === true) return undefined
  const fromDay = dayOf(diary.timeZone, startsAt)
  const shown: InstituteDiary = { ...diary, rules: { ...diary.rules, gaps: 'rank' } }
  const all = offersForDays(shown, cart, { ...asking, fromDay, days: 1 }).flatMap(({ times }) => times)
  const strandedMinutes = all.reduce((sum, one) => sum + one.strandedMinutes, 0)
  if (strandedMinutes === 0 || all.find((one) => one.startsAt === startsAt)?.strandedMinutes !== 0) return undefined
  return { starts: all.length, strandedMinutes }
}
