/** What could be proposed to whom: the visits that are hit with what fits each, so that no two proposals take the same time. */
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import type { ProposalOption, ProposalRow } from '@soigne/contract/rearranging'
import type { Locale } from '@soigne/contract/wire'
import type { InstituteDiary, Span } from '@soigne/scheduling/model'
import { dayNumber } from '@soigne/scheduling/days'
import { edgeAt, spanOfDay, zoneClock } from '@soigne/scheduling/wall-clock'
import { dayMs, type Instant, instantOf, minuteOf } from '@soigne/contract/time'
import { type LoadedInstitute, loadDiary, withLengths } from '#/features/availability/service.ts'
import { factsOf } from '#/features/booking/service.ts'
import { backOf } from '#/features/removed-services/service.ts'
import {
  type AppointmentRow,
  findAllShown,
  findVisit,
  lengthsByHand,
  segmentsForWire,
  type SegmentRow,
  type ShownVisit,
} from '#/features/visits/service.ts'
import { type InstituteScope, mayAlso, systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { instantText, minuteOfText, minuteText, parseInstant } from '#/platform/instants.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import { apartOf, closuresOf, findHits, type HitRow, type Stretch } from './hits-store.ts'
import { daysAhead, type Found, type Hit, optionsFor, withPlan } from './proposing.ts'
import { membersOf } from './store.ts'

export type DiaryScope = InstituteScope<'diary.change'>
/** What a service asks of a client, and when they are busy, is looked up for the plan alone. */
const system = systemScope('propose another time')

export interface About {
  staffId?: string | undefined
  fromDay?: string | undefined
  toDay?: string | undefined
  visit?: string | string[] | undefined
}
/** No closure or absence is arranged further than this at once. */
const longestMs = 62 * dayMs

const lineOf = ({ snapshot, position }: SegmentRow): number => snapshot.line ?? position

/** A visit as the rule reads it. */
export function hitOf({ row, segments }: ShownVisit, positions: readonly number[], apart: readonly Span[]): Hit {
  const byLine = segments.toSorted((one, other) => lineOf(one) - lineOf(other))
  return {
    from: minuteOfText(row.startsAt),
    to: minuteOfText(row.endsAt),
    lines: byLine.map((segment) => {
      const { staffId: wished, atHome } = row.cart[lineOf(segment)] ?? {}
      return {
        serviceId: segment.serviceId,
        memberId: segment.memberId,
        isHit: positions.includes(segment.position),
        isByName: wished !== undefined && wished !== 'any',
        ...(atHome && { atHome }),
      }
    }),
    apart,
  }
}

/** How the institute sees a visit here; how to reach the client is for those who may see customers. */
export function visitForWire(
  scope: DiaryScope,
  { row, segments }: Pick<ShownVisit, 'row' | 'segments'>,
  locale: Locale,
): ProposalRow['visit'] {
  return {
    _id: row.id,
    reference: row.reference,
    startsAt: row.startsAt,
    endsAt: row.endsAt,
    customer: {
      name: row.customerName ?? '',
      phone: mayAlso(scope, 'customers.read') ? row.customerPhone : null,
      hasAccount: row.userId !== null,
    },
    segments: segmentsForWire(segments, row.currency, locale),
    total: { amount: row.totalAmount, currency: row.currency },
  }
}

/** Zones are converted here and nowhere else. */
export async function closedOf(db: Db, scope: InstituteScope<never>, now: Instant): Promise<{ timeZone: string; closed: Stretch[] }> {
  const found = await closuresOf(db, scope, new Date(now))
  if (!found) throw refuse('not_found')
  const { timeZone, days } = found
  const clock = zoneClock(timeZone)
  const closed = days.flatMap(([fromDay, toDay, opensAt, closesAt]): Stretch[] => {
    if (opensAt === null || closesAt === null)
      return [{ from: minuteText(spanOfDay(timeZone, fromDay).from), to: minuteText(spanOfDay(timeZone, toDay).to) }]
    const [first, last] = [dayNumber(fromDay), dayNumber(toDay)]
    return Array.from({ length: last - first + 1 }, (_, at) => ({
      from: minuteText(edgeAt(clock, first + at, opensAt)),
      to: minuteText(edgeAt(clock, first + at, closesAt)),
    }))
  })
  return { timeZone, closed }
}

interface Range {
  fromDay: string
  toDay: string
  span: { from: Instant; to: Instant }
}
function rangeOf({ fromDay, toDay }: About, timeZone: string): Range | null {
  if (fromDay === undefined) return null
  const last = toDay ?? fromDay
  const span = { from: instantOf(spanOfDay(timeZone, fromDay).from), to: instantOf(spanOfDay(timeZone, last).to) }
  if (last < fromDay || span.to - span.from > longestMs) throw refuseField('toDay', 'date')
  return { fromDay, toDay: last, span }
}

/** The diary as it will be: the days asked about are closed, or the member is away. */
function afterwards(diary: InstituteDiary, { staffId }: About, range: Range | null): InstituteDiary {
  if (!range) return diary
  const days = { fromDay: range.fromDay, toDay: range.toDay }
  if (staffId === undefined) return { ...diary, closures: [...diary.closures, days] }
  return {
    ...diary,
    members: diary.members.map((one) => (one.id === staffId ? { ...one, absences: [...one.absences, days] } : one)),
  }
}

/** The diary around visits that look for another time. */
export async function diaryAround(db: Db, scope: DiaryScope, starts: readonly string[], now: Instant): Promise<LoadedInstitute> {
  const last = Math.max(now, ...starts.map(parseInstant))
  const loaded = await loadDiary(db, {
    instituteId: scope.instituteId,
    from: new Date(now - dayMs),
    to: new Date(last + (daysAhead + 2) * dayMs),
    now: new Date(now),
  })
  if (!loaded) throw refuse('not_found')
  return loaded
}

/** What a service asks of the client of a visit. */
export const clientOf = async (db: Db, loaded: LoadedInstitute, row: AppointmentRow, now: Instant) =>
  row.userId === null
    ? undefined
    : factsOf(
        db,
        loaded,
        { instituteId: row.instituteId, cart: row.cart, startsAt: now, ignoreAppointmentId: row.id },
        system.user(row.userId),
      )

type People = Awaited<ReturnType<typeof membersOf>>
export const peopleOf = (people: People, ids: readonly string[]): ProposalOption['staff'] =>
  ids.map((id) => ({ staffId: id, name: people.get(id)?.name ?? '', imageUrl: people.get(id)?.imageUrl ?? '' }))

const optionsForWire = ({ options }: Found, people: People): ProposalOption[] =>
  options.map(({ plan, reason }) => ({
    startsAt: minuteText(plan.startsAt),
    endsAt: minuteText(plan.endsAt),
    staff: peopleOf(
      people,
      plan.segments.toSorted((one, other) => one.line - other.line).map(({ memberId }) => memberId),
    ),
    reason,
  }))

interface Arranging {
  db: Db
  scope: DiaryScope
  loaded: LoadedInstitute
  now: Instant
}
/** One visit after the other: what is proposed to one is taken for the next. */
async function arrange(
  { db, scope, loaded, now }: Arranging,
  diary: InstituteDiary,
  rows: readonly HitRow[],
  locale: Locale,
): Promise<ProposalRow[]> {
  const ids = rows.map(({ id }) => id)
  const visits = await findAllShown(
    db,
    ids.map(() => scope),
    ids,
  )
  const userIds = [...visits.values()].flatMap(({ row }) => row.userId ?? [])
  const busy = new Map((await apartOf(db, system, { userIds, not: ids, now: new Date(now) })).map(({ userId, spans }) => [userId, spans]))
  const people = await membersOf(db, scope)
  let left = diary
  const items: ProposalRow[] = []
  for (const { id, positions } of rows) {
    const visit = visits.get(id)
    if (!visit) continue
    const { row } = visit
    const apart = (busy.get(row.userId ?? '') ?? []).map(({ from, to }) => ({ from: minuteOfText(from), to: minuteOfText(to) }))
    const client = await clientOf(db, loaded, row, now)
    const isAhead = parseInstant(row.startsAt) > now
    const found: Found = isAhead
      ? optionsFor(withLengths(left, lengthsByHand(visit.segments)), { ...hitOf(visit, positions, apart), client }, minuteOf(now))
      : { options: [], fullUntil: null }
    const [first] = found.options
    if (first && row.userId !== null) left = withPlan(left, first.plan)
    items.push({
      visit: visitForWire(scope, visit, locale),
      options: optionsForWire(found, people),
      fullUntil: found.fullUntil,
      refunded: { amount: await backOf(db, row, now), currency: row.currency },
    })
  }
  return items
}

/** @throws not_found for members and visits of somebody else */
export async function proposalsFor(
  context: AppContext,
  scope: DiaryScope,
  about: About,
  locale: Locale,
): Promise<Answer<Calls['proposals']>> {
  const { db } = context.database
  const now = context.clock.now()
  const people = await membersOf(db, scope)
  if (about.staffId !== undefined && !people.has(about.staffId)) throw refuse('not_found')
  const named = about.visit === undefined ? null : [about.visit].flat()
  for (const id of named ?? []) if (!(await findVisit(db, scope, { id }))) throw refuse('not_found')
  const { timeZone, closed } = await closedOf(db, scope, now)
  const range = rangeOf(about, timeZone)
  const rows = await findHits(db, scope, {
    memberId: about.staffId ?? null,
    from: range && instantText(range.span.from),
    to: range && instantText(range.span.to),
    ids: named,
    closed,
    now: new Date(now),
  })
  const loaded = await diaryAround(
    db,
    scope,
    rows.map(({ startsAt }) => startsAt),
    now,
  )
  const diary = afterwards(loaded.diary, about, range)
  return { timeZone, now: instantText(now), items: await arrange({ db, scope, loaded, now }, diary, rows, locale) }
}
