/** What the last eight weeks would have been under other rules: bookings and searches asked again, off the main thread. */
import type { InstituteSettings } from '@soigne/contract/institute-settings'
import { dayMs, minuteMs } from '@soigne/contract/time'
import { fewSearches, mostReplayed, type Turned, type WhatIf, whatIfDays, type WhatIfReason } from '@soigne/contract/what-if'
import { weekdays, type Locale } from '@soigne/contract/wire'
import type { CartLine, InstituteDiary, RefusalReason, Weekday } from '@soigne/scheduling/model'
import type { ChangedRules, Replayed, Turned as TurnedOne } from '@soigne/scheduling/replay'
import { type LoadedInstitute, loadDiary } from '#/features/availability/service.ts'
import { linesOf } from '#/features/booking/service.ts'
import { wallMinutes } from '#/features/institute-settings/service.ts'
import { keptSearches } from '#/features/time-searches/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { instantText, minuteText, minuteOfText } from '#/platform/instants.ts'
import { startThread } from '#/platform/limited-thread.ts'
import { refuse } from '#/platform/refuse.ts'
import { openTurns, type TakeTurn } from '#/platform/turns.ts'
import { localised } from '#/texts/translate.ts'
import { bookingsMade, takenSince } from './store.ts'
import type { ReplayQuestion } from './what-if-thread.ts'

/** Stretches of taken time that are read: those latest in time. */
const mostTaken = 50_000
const threadLimits = { timeMs: 10_000, memoryMb: 256 } as const
const examples = 3
/** Further than anybody books. */
const aheadMs = 420 * dayMs

export interface WhatIfAsked {
  rules?: InstituteSettings['rules'] | undefined
  openingHours?: InstituteSettings['openingHours'] | undefined
}

const changedOf = ({ rules, openingHours }: WhatIfAsked): ChangedRules => ({
  ...(rules && {
    rules: {
      gridMinutes: rules.gridMinutes as InstituteDiary['rules']['gridMinutes'],
      noticeMinutes: rules.noticeMinutes,
      horizonDays: rules.horizonDays,
      maxWaitMinutes: rules.maxWaitMinutes,
      gaps: rules.gapPolicy,
      serviceOrder: rules.serviceOrder,
    },
  }),
  ...(openingHours && {
    openingHours: openingHours.flatMap(({ weekday, ranges }) =>
      ranges.map(({ opensAt, closesAt }) => ({
        weekday: (weekdays.indexOf(weekday) + 1) as Weekday,
        opensAt: wallMinutes(opensAt),
        closesAt: wallMinutes(closesAt),
      })),
    ),
  }),
})

const reasonNames: { readonly [Reason in RefusalReason]?: WhatIfReason } = {
  notice: 'notice',
  horizon: 'horizon',
  off_grid: 'grid',
  closed: 'hours',
  outside_opening: 'hours',
  strands_gap: 'gap',
  wait_too_long: 'wait',
}
const nameOf = (reason: RefusalReason): WhatIfReason => reasonNames[reason] ?? 'other'

interface Asked {
  askedAt: string
  cart: readonly CartLine[]
}

/** Told as counts and a few examples, spread over the time. */
function told(turned: readonly TurnedOne[], asked: readonly Asked[], loaded: LoadedInstitute, locale: Locale): Turned {
  const counts = Map.groupBy(turned, ({ reason }) => nameOf(reason))
  const step = Math.max(1, turned.length / examples)
  const shown = Array.from({ length: Math.min(examples, turned.length) }, (_, n) => turned[Math.floor(n * step)]!)
  return {
    count: turned.length,
    reasons: [...counts].map(([reason, { length: count }]) => ({ reason, count })).toSorted((a, b) => b.count - a.count),
    examples: shown.map(({ at, startsAt, reason }) => ({
      askedAt: asked[at]!.askedAt,
      startsAt: minuteText(startsAt),
      services: asked[at]!.cart.map(({ serviceId }) => localised(loaded.serviceDetails.get(serviceId)?.name ?? null, locale) ?? ''),
      reason: nameOf(reason),
    })),
  }
}

/** One replay at a time in a process, and a few that wait. */
const lines = new WeakMap<AppContext['clock'], TakeTurn>()
function lineOf({ clock, patienceMs }: AppContext): TakeTurn {
  let line = lines.get(clock)
  if (!line) lines.set(clock, (line = openTurns({ atOnce: 1, waiting: 10, patienceMs })))
  return line
}

/** @throws too_many_requests where it takes too long */
async function replayed(question: ReplayQuestion): Promise<Replayed> {
  const thread = await startThread<ReplayQuestion, Replayed>(new URL('./what-if-thread.ts', import.meta.url), threadLimits)
  try {
    const outcome = await thread.ask(question)
    if ('answer' in outcome) return outcome.answer
    if (outcome.ended === 'broken') throw new Error('the thread of a replay broke')
    throw refuse('too_many_requests', undefined, { retryAfter: 60 })
  } finally {
    await thread.end()
  }
}

const withoutBusy = (diary: InstituteDiary): InstituteDiary => ({
  ...diary,
  members: diary.members.map((member) => ({ ...member, busy: [] })),
  resources: diary.resources.map((resource) => ({ ...resource, busy: [] })),
})

/** @throws not_found, too_many_requests */
export async function whatIf(
  context: AppContext,
  scope: InstituteScope<'institute.change'>,
  asked: WhatIfAsked,
  locale: Locale,
): Promise<WhatIf> {
  const { db } = context.database
  const now = context.clock.now()
  // Whole minutes, so that the same question a moment later is about the same weeks.
  const since = Math.floor(now / minuteMs) * minuteMs - whatIfDays * dayMs
  const loaded = await loadDiary(db, {
    instituteId: scope.instituteId,
    from: new Date(since),
    to: new Date(now + aheadMs),
    now: new Date(now),
  })
  if (!loaded) throw refuse('not_found')
  const limited = { since: new Date(since), most: mostReplayed }
  const made = await bookingsMade(db, scope, limited)
  const kept = await keptSearches(db, scope, limited)
  const taken = await takenSince(db, scope, {
    from: new Date(since - dayMs),
    to: new Date(now + aheadMs),
    now: new Date(now),
    most: mostTaken,
  })
  const bookings = made.map((one) => ({
    ...one,
    askedAt: minuteOfText(one.askedAt),
    startsAt: minuteOfText(one.startsAt),
    cart: linesOf(one.cart),
  }))
  const searches = kept.map((one) => ({ ...one, askedAt: minuteOfText(one.askedAt), cart: linesOf(one.cart), found: one.found > 0 }))
  const outcome = await lineOf(context)(scope.instituteId, () =>
    replayed({ diary: withoutBusy(loaded.diary), changed: changedOf(asked), past: { bookings, searches, taken } }),
  )
  const tell = (turned: readonly TurnedOne[], among: readonly { askedAt: string; cart: readonly { serviceId: string }[] }[]) =>
    told(turned, among, loaded, locale)
  return {
    timeZone: loaded.diary.timeZone,
    since: instantText(since),
    bookings: { total: made[0]?.total ?? 0, replayed: made.length, counted: outcome.bookings, lost: tell(outcome.lostBookings, made) },
    searches: {
      total: kept[0]?.total ?? 0,
      replayed: kept.length,
      counted: outcome.searches,
      foundNothing: outcome.foundNothing,
      areFew: outcome.searches < fewSearches,
      won: tell(outcome.wonSearches, kept),
      lost: tell(outcome.lostSearches, kept),
    },
  }
}
