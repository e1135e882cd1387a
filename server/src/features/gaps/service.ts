/** Gaps of the next days as the dashboard shows them, and offering one to who waits. */
import { type Gap, gapDays, type Gaps, namesOfGap } from '@soigne/contract/gaps'
import { dayMs, type Instant, instantOf, minuteMs, minuteOf } from '@soigne/contract/time'
import type { Locale } from '@soigne/contract/wire'
import { addDays, dayNumber, weekdayOfNumber } from '@soigne/scheduling/days'
import { gapsBetween, type Gap as FreeGap, servicesThatFit } from '@soigne/scheduling/gaps-to-fill'
import { dayOf, spanOfDay } from '@soigne/scheduling/wall-clock'
import { type LoadedInstitute, loadDiary, performersOf } from '#/features/availability/service.ts'
import { freeLapsed } from '#/features/booking/service.ts'
import { readInstant } from '#/features/diary-entries/service.ts'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import { goThrough, isQuiet, whoFits } from '#/features/waiting/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { instantText, minuteText } from '#/platform/instants.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import { localised } from '#/texts/translate.ts'
import { keptSince } from './store.ts'

/** As many as a card shows: those that somebody waits for first, then by time. */
const mostGaps = 6

/** What clients book online without a session, the longest first. */
const bookable = (loaded: LoadedInstitute): string[] =>
  [...loaded.serviceDetails.values()]
    .filter(({ id, capacity }) => (capacity ?? 1) <= 1 && performersOf(loaded, id).length > 0)
    .toSorted((a, b) => b.durationMinutes - a.durationMinutes)
    .map(({ id }) => id)

/** Gaps into which something fits, each with what does. */
function worthFilling(loaded: LoadedInstitute, day: string, now: Instant): { gap: FreeGap; services: readonly string[] }[] {
  if (loaded.institute.state !== 'published' || !loaded.institute.claimed) return []
  const gaps = gapsBetween(loaded.diary, { fromDay: day, days: gapDays }, minuteOf(now))
  const fitting = servicesThatFit(loaded.diary, gaps, bookable(loaded), minuteOf(now))
  return gaps.flatMap((gap, at) => (fitting[at]?.length ? [{ gap, services: fitting[at] }] : []))
}

/** As the diary names people it hardly knows: no more than it takes to speak of them. */
const shortName = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  lastName === '' ? firstName : `${firstName} ${[...lastName][0]}.`

export async function gapsOf(context: AppContext, scope: InstituteScope<'diary.read'>, locale: Locale): Promise<Gaps> {
  const { db } = context.database
  const { instituteId } = scope
  const now = context.clock.now()
  const loaded = await loadDiary(db, { instituteId, from: new Date(now), to: new Date(now + gapDays * dayMs), now: new Date(now) })
  if (!loaded) throw refuse('not_found')
  const { timeZone, rules } = loaded.diary
  const day = dayOf(timeZone, minuteOf(now))
  const found = worthFilling(loaded, day, now)
  const gaps = found.map(({ gap }) => gap)
  const people = await whoFits(context, { db, instituteId, now }, loaded, gaps)
  const waitedFor = found.map((one, at) => ({ ...one, waiting: people[at] ?? [] }))
  const shown = waitedFor.toSorted((a, b) => Number(b.waiting.length > 0) - Number(a.waiting.length > 0)).slice(0, mostGaps)
  const nameOf = (id: string): string => localised(loaded.serviceDetails.get(id)?.name ?? null, locale) ?? ''
  const items = shown.map(({ gap, services, waiting }): Gap => {
    const member = loaded.memberDetails.get(gap.memberId)
    return {
      member: { _id: gap.memberId, name: member?.name ?? '', imageUrl: member?.imageUrl ?? '' },
      startsAt: minuteText(gap.from),
      endsAt: minuteText(gap.to),
      services: services.slice(0, namesOfGap).map(nameOf),
      moreServices: Math.max(0, services.length - namesOfGap),
      waiting: waiting
        .slice(0, namesOfGap)
        .map((one) => ({ name: shortName(one), services: one.cart.map(({ serviceId }) => nameOf(serviceId)) })),
      moreWaiting: Math.max(0, waiting.length - namesOfGap),
    }
  })
  const monday = addDays(day, 1 - weekdayOfNumber(dayNumber(day)))
  const kept = rules.gaps === 'hide' ? await keptSince(db, scope, new Date(instantOf(spanOfDay(timeZone, monday).from))) : null
  return {
    now: instantText(now),
    timeZone,
    day,
    isNight: isQuiet(timeZone, now),
    items,
    more: found.length - shown.length,
    kept: kept && { minutes: Math.round(kept.minutes), bookings: kept.bookings },
  }
}

export interface GapAsked {
  staffId: string
  startsAt: string
  endsAt: string
}
export interface GapOffers {
  offers: { name: string; startsAt: string; until: string }[]
}

/** Holds what is asked for those who wait, in their order. @throws not_found, bad_input, quiet_hours, gap_taken, nobody_waits */
export async function offerGap(context: AppContext, scope: InstituteScope<'diary.change'>, asked: GapAsked): Promise<GapOffers> {
  const { instituteId } = scope
  return changeInstitute(context, { instituteId, by: scope }, async (unit) => {
    const [begins, to] = [readInstant('startsAt', asked.startsAt, unit.now), readInstant('endsAt', asked.endsAt, unit.now)]
    // The minutes of it that have passed since it was shown are nobody's.
    const from = Math.max(begins, Math.ceil(unit.now / minuteMs) * minuteMs)
    if (begins >= to || to - begins > 2 * dayMs) throw refuseField('endsAt', 'date')
    await freeLapsed(unit)
    const loaded = await loadDiary(unit.db, { instituteId, from: new Date(begins), to: new Date(to), now: new Date(unit.now) })
    if (!loaded?.memberDetails.has(asked.staffId)) throw refuse('not_found')
    const { diary } = loaded
    if (isQuiet(diary.timeZone, unit.now)) throw refuse('quiet_hours')
    const fromDay = dayOf(diary.timeZone, minuteOf(begins))
    const days = dayNumber(dayOf(diary.timeZone, minuteOf(to) - 1)) - dayNumber(fromDay) + 1
    const isFree = gapsBetween(diary, { fromDay, days }, minuteOf(unit.now)).some(
      (gap) => gap.memberId === asked.staffId && gap.from <= minuteOf(from) && minuteOf(to) <= gap.to,
    )
    if (!isFree || from >= to) throw refuse('gap_taken')
    const made = await goThrough(context, unit, { from, to, memberId: asked.staffId })
    if (made.length === 0) throw refuse('nobody_waits')
    return {
      offers: made.map((one) => ({ name: shortName(one), startsAt: instantText(one.startsAt), until: instantText(one.until) })),
    }
  })
}
