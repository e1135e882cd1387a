/** Free starts as the institute may take them, and why one is not free: for whom asks in words, lane by lane, with what can be done instead. */
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { dayMs, type Instant, minuteOf } from '@soigne/contract/time'
import type { Locale } from '@soigne/contract/wire'
import { addDays } from '@soigne/scheduling/days'
import { diaryFor } from '@soigne/scheduling/at-home'
import { spanMinutes } from '@soigne/scheduling/free-time'
import type { CartLine, EpochMinute, MemberDiary, Offer } from '@soigne/scheduling/model'
import { nextOffers, offersForDays } from '@soigne/scheduling/offers'
import { planVisit } from '@soigne/scheduling/plan-visit'
import { dayOf, wallMinuteOf } from '@soigne/scheduling/wall-clock'
import { inOnePlace, type LoadedInstitute, loadDiary, timesOf, withLengths } from '#/features/availability/service.ts'
import { readStart } from '#/features/booking/service.ts'
import { columnOf, type DiaryReaderScope, lengthsByHand, segmentsOf } from '#/features/visits/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { instantText, minuteOfText, minuteText, parseInstant } from '#/platform/instants.ts'
import { refuse } from '#/platform/refuse.ts'
import { dayText, timeText } from '#/texts/formats.ts'
import { localised, translate } from '#/texts/translate.ts'
import { forAnyone } from './booking.ts'
import { activeSpans, type CalendarFacts, opensOn, workOn } from './days.ts'
import { type Beside, type Part, readBeside, readVisit, readVisits, type VisitRow } from './days-store.ts'
import { type Having, type MemberLanes, refusedBy, type RefusedBy, refusedByResources, refusedOf, type Wanted } from './lanes.ts'
import type { Reader } from './reading.ts'

type Why = Answer<Calls['whyNot']>

/** So far ahead another time is looked for. */
const reachDays = 30

function checkCart({ serviceDetails, memberDetails }: LoadedInstitute, cart: readonly CartLine[]): void {
  for (const { serviceId, memberId } of cart) {
    if (!serviceDetails.has(serviceId)) throw refuse('not_found', { serviceId })
    if (memberId !== undefined && !memberDetails.has(memberId)) throw refuse('not_found', { staffId: memberId })
  }
}

/** Who sees one column alone asks of that one. */
function checkOwn(scope: DiaryReaderScope, cart: readonly CartLine[]): void {
  const own = columnOf(scope)
  if (own !== null && cart.some(({ memberId }) => memberId !== own)) throw refuse('not_found')
}

async function load(db: Db, scope: DiaryReaderScope, from: Instant, days: number, now: Instant, moved?: string): Promise<LoadedInstitute> {
  const stretch = { from: new Date(from - dayMs), to: new Date(from + days * dayMs) }
  const loaded = await loadDiary(db, {
    instituteId: scope.instituteId,
    ...stretch,
    now: new Date(now),
    ...(moved !== undefined && { ignoreAppointmentId: moved }),
  })
  if (!loaded) throw refuse('not_found')
  return loaded
}

export async function freeTimesFor(
  context: Pick<AppContext, 'database' | 'clock'>,
  scope: DiaryReaderScope,
  { cart, from, days, visit }: { cart: readonly CartLine[]; from: string; days: number; visit?: string | undefined },
): Promise<Answer<Calls['diaryTimes']>> {
  checkOwn(scope, cart)
  const now = context.clock.now()
  const db = context.database.prepared
  if (visit !== undefined && !(await readVisit(db, scope, visit, new Date(now)))) throw refuse('not_found')
  const found = await load(db, scope, parseInstant(`${from}T00:00:00Z`), days + 1, now, visit)
  checkCart(found, cart)
  const segments = visit === undefined ? [] : ((await segmentsOf(db, scope, [visit])).get(visit) ?? [])
  const diary = withLengths(forAnyone(found, cart).diary, lengthsByHand(segments))
  const offers = offersForDays(diary, inOnePlace(found, cart), { now: minuteOf(now), fromDay: from, days, forInstitute: true })
  return {
    timeZone: diary.timeZone,
    days: offers.map(({ day, times }) => ({ day, times: timesOf(times).map(({ startsAt, endsAt }) => ({ startsAt, endsAt })) })),
  }
}

interface Asked {
  /** All with the same member. */
  cart: readonly CartLine[]
  staffId: string
  startsAt: string
}

/** What was read, and for whom it is put into words. */
interface Facts {
  loaded: LoadedInstitute
  visits: readonly VisitRow[]
  beside: Beside
  locale: Locale
  day: string
}

/** The services one after the other from a start on, each with the time this member takes. */
function wantedOf({ loaded, locale }: Facts, services: readonly string[], member: MemberDiary, startsAt: EpochMinute): Wanted[] {
  let at = startsAt
  return services.flatMap((serviceId) => {
    const rule = loaded.diary.services.get(serviceId)
    if (!rule) return []
    const parts = member.performs.get(serviceId)?.parts ?? rule.parts
    const wanted: Wanted = {
      startsAt: at,
      rule: { ...rule, parts },
      what: localised(loaded.serviceDetails.get(serviceId)?.name ?? null, locale) ?? '',
    }
    at += spanMinutes(parts)
    return [wanted]
  })
}

/** Whose visit it is, in words: who comes for what. */
function nameOf({ life, customerName }: VisitRow, { snapshot }: Part, locale: Locale): string {
  if (life === 'held') return translate(locale, 'diary', 'held')
  const service = localised(snapshot.name, locale) ?? ''
  return customerName ? translate(locale, 'diary', 'visit', { client: customerName, service }) : service
}

/** Clean-up keeps visits apart, not the services of one visit: only before the first and after the last of them. */
function visitParts(row: VisitRow, memberId: string, locale: Locale): Having[] {
  return row.parts.flatMap((part, at) => {
    if (part.memberId !== memberId) return []
    const spans = activeSpans({
      startsAt: part.startsAt,
      endsAt: part.endsAt,
      active: part.snapshot.activeMinutes ?? null,
      idle: part.snapshot.idleMinutes ?? null,
    })
    const travel = part.snapshot.travelMinutes ?? 0
    const follows = row.parts[at + 1]?.memberId === memberId && row.parts[at + 1]?.startsAt === part.endsAt
    return spans.map((span, place): Having => ({
      ...span,
      reason: 'taken',
      what: nameOf(row, part, locale),
      before: place === 0 ? part.bufferBefore + travel : 0,
      after: place === spans.length - 1 && !follows ? part.bufferAfter + travel : 0,
    }))
  })
}

function havingOf({ visits, beside, locale }: Facts, memberId: string): Having[] {
  const plain = (one: { startsAt: string; endsAt: string }, reason: Having['reason'], what: string | null): Having => ({
    from: minuteOfText(one.startsAt),
    to: minuteOfText(one.endsAt),
    reason,
    what,
    before: 0,
    after: 0,
  })
  return [
    ...visits.filter(({ attendance }) => attendance !== 'no_show').flatMap((row) => visitParts(row, memberId, locale)),
    ...beside.blocked
      .filter(({ subjectKind, subjectId }) => subjectKind === 'member' && subjectId === memberId)
      .map((block) => plain(block, 'taken', block.note ?? translate(locale, 'diary', block.kind))),
    ...beside.sessions
      .filter((session) => session.memberId === memberId)
      .map((session) => plain(session, 'taken', localised(session.name, locale))),
    ...beside.external.filter((one) => one.memberId === memberId).map((one) => plain(one, 'external', null)),
  ].toSorted((one, other) => one.from - other.from)
}

function lanesOf(facts: Facts, member: MemberDiary): MemberLanes {
  const { diary } = facts.loaded
  const calendar: CalendarFacts = { diary, beside: facts.beside, taken: [] }
  const near = [addDays(facts.day, -1), facts.day, addDays(facts.day, 1)]
  const work = near.map((day) => workOn(calendar, member, day))
  return {
    opens: near.flatMap((day) => opensOn(calendar, day)),
    isClosed: opensOn(calendar, facts.day).length === 0,
    shifts: work.flatMap(({ shifts }) => shifts),
    away: work.flatMap(({ away }) => away.flatMap(({ spans }) => spans)),
    having: havingOf(facts, member.id),
  }
}

/** Everything that is in the way, of all services in their order. */
function everyReason(facts: Facts, services: readonly string[], member: MemberDiary, startsAt: EpochMinute): RefusedBy[] {
  const { diary } = facts.loaded
  const undone = services.filter((serviceId) => !member.performs.has(serviceId))
  if (undone.length > 0)
    return undone.map((serviceId) =>
      refusedBy('not_performed', 'rule', null, localised(facts.loaded.serviceDetails.get(serviceId)?.name ?? null, facts.locale)),
    )
  const lanes = lanesOf(facts, member)
  const reasons = wantedOf(facts, services, member, startsAt).flatMap((wanted, at) => {
    const rule = diary.services.get(services[at] ?? '')
    const type = rule?.resourceType
    const isLate = rule?.latestStart !== undefined && wallMinuteOf(diary.timeZone, wanted.startsAt) > rule.latestStart
    const units = diary.resources
      .filter((unit) => unit.type === type)
      .map((unit) => ({ name: facts.beside.resources.find(({ _id }) => _id === unit.id)?.name ?? '', busy: unit.busy }))
    return [
      ...(isLate ? [refusedBy('last_start', 'rule', null, wanted.what)] : []),
      ...refusedOf(wanted, lanes),
      ...(type === undefined ? [] : refusedByResources(wanted, units, type)),
    ]
  })
  return [...new Map(reasons.map((one) => [JSON.stringify(one), one])).values()]
}

const timeOf = ({ startsAt, endsAt }: Pick<Offer, 'startsAt' | 'endsAt'>, staffId: string) => ({
  staffId,
  startsAt: minuteText(startsAt),
  endsAt: minuteText(endsAt),
})

/** What a client reads: when they could come, and nobody's reasons. */
function clientsWords({ diary }: LoadedInstitute, cart: readonly CartLine[], at: EpochMinute, now: EpochMinute, locale: Locale): string {
  const day = dayOf(diary.timeZone, at)
  const [first] = nextOffers(diary, cart, { now, from: Math.max(at, now), untilDay: addDays(day, reachDays), limit: 1 })
  if (!first) return translate(locale, 'diary', 'notFree')
  const startsAt = minuteText(first.startsAt)
  const time = timeText(startsAt, diary.timeZone)
  if (dayOf(diary.timeZone, first.startsAt) === day) return translate(locale, 'diary', 'freeFrom', { time })
  return translate(locale, 'diary', 'freeFromDay', { day: dayText(startsAt, diary.timeZone, locale), time })
}

export async function whyNot(context: Pick<AppContext, 'database' | 'clock'>, { scope, locale }: Reader, asked: Asked): Promise<Why> {
  const { staffId } = asked
  const db = context.database.prepared
  const now = context.clock.now()
  const start = readStart(asked.startsAt, now)
  const at = minuteOf(start)
  checkOwn(scope, asked.cart)
  const loaded = await load(db, scope, start, reachDays + 2, now)
  checkCart(loaded, asked.cart)
  const { diary } = loaded
  const cart = inOnePlace(loaded, asked.cart)
  const services = cart.map(({ serviceId }) => serviceId)
  const member = diaryFor(diary, cart).members.find(({ id }) => id === staffId)
  if (!member) throw refuse('not_found', { staffId })
  const asking = { now: minuteOf(now), forInstitute: true }
  const plan = planVisit(diary, cart, at, asking)
  const day = dayOf(diary.timeZone, at)
  const around = { from: new Date(start - dayMs), to: new Date(start + 2 * dayMs), now: new Date(now) }
  const facts: Facts = {
    loaded: { ...loaded, diary: diaryFor(diary, cart) },
    locale,
    day,
    beside: await readBeside(db, scope, { ...around, fromDay: addDays(day, -1), toDay: addDays(day, 1) }),
    visits: plan.ok ? [] : await readVisits(db, scope, around),
  }
  const wanted = wantedOf(facts, services, member, at).at(-1)
  const reasons = plan.ok ? [] : everyReason(facts, services, member, at)
  const [next] = nextOffers(diary, cart, { ...asking, from: Math.max(at + 1, asking.now), untilDay: addDays(day, reachDays), limit: 1 })
  const others = columnOf(scope) === null ? diary.members.filter(({ id }) => id !== staffId) : []
  return {
    isFree: plan.ok,
    startsAt: instantText(start),
    endsAt: plan.ok ? minuteText(plan.plan.endsAt) : minuteText(wanted ? wanted.startsAt + spanMinutes(wanted.rule.parts) : at),
    refusedBy: plan.ok || reasons.length > 0 ? reasons : [refusedBy(plan.reason, 'rule', null, null)],
    next: next ? timeOf(next, staffId) : null,
    others: others.flatMap(({ id }) => {
      const other = planVisit(
        diary,
        cart.map((line) => ({ ...line, memberId: id })),
        at,
        asking,
      )
      return other.ok ? [timeOf(other.plan, id)] : []
    }),
    toClient: clientsWords(loaded, cart, at, asking.now, locale),
  }
}
