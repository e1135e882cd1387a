/** Running late: who has to wait is reckoned and told, and may leave free of charge. It ends with the day. */
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import type { LateNotice, LateVisit } from '@soigne/contract/rearranging'
import type { Locale } from '@soigne/contract/wire'
import { dayOf, spanOfDay } from '@soigne/scheduling/wall-clock'
import { type Instant, instantOf, minuteMs, minuteOf } from '@soigne/contract/time'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import { backOf, ifRestLeft, restOf } from '#/features/removed-services/service.ts'
import { findAllShown, type SegmentRow, segmentsForWire, type ShownVisit, stateOf, stepFrom } from '#/features/visits/service.ts'
import { type InstituteScope, mayAlso, type SelfScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { instantText, minuteOfText, minuteText, parseInstant } from '#/platform/instants.ts'
import { refuse } from '#/platform/refuse.ts'
import { localised } from '#/texts/translate.ts'
import {
  awayOn,
  endNotice,
  insertNotice,
  type LateVisitRow,
  lateVisitsOf,
  type NoticeRow,
  noticesOf,
  restOfDay,
  type RestRow,
} from './late-store.ts'
import { type Delayed, whoWaits } from './lateness.ts'
import { closedOf } from './proposals.ts'
import { membersOf, openTermsUntil } from './store.ts'

type ChangeScope = InstituteScope<'diary.change'>

/** Those who keep their time are shown too, a few of them. */
const mostUnaffected = 3

/** Midnight of the institute. */
const endOfDay = (timeZone: string, now: Instant): Instant => instantOf(spanOfDay(timeZone, dayOf(timeZone, minuteOf(now))).to)

interface Reckoned {
  rows: RestRow[]
  waiting: Delayed[]
  endsAt: Instant
}
async function reckon(db: Db, scope: InstituteScope<never>, late: { memberId: string; minutes: number }, now: Instant): Promise<Reckoned> {
  const endsAt = endOfDay((await closedOf(db, scope, now)).timeZone, now)
  const rows = await restOfDay(db, scope, { now: new Date(now), until: new Date(endsAt) })
  const segments = rows.map(({ startsAt, endsAt: to, ...row }) => ({ ...row, from: minuteOfText(startsAt), to: minuteOfText(to) }))
  return { rows, waiting: whoWaits(segments, late, minuteOf(now)), endsAt }
}

interface Waiting {
  visitId: string
  position: number
  startsAt: string
  expectedAt: string
}
const waitingOf = ({ segment: { visitId, position, from }, minutes }: Delayed): Waiting => ({
  visitId,
  position,
  startsAt: minuteText(from),
  expectedAt: minuteText(from + minutes),
})

function lateVisitOf(scope: ChangeScope, { row, segments }: ShownVisit, one: Waiting, locale: Locale): LateVisit {
  const segment = segments.find(({ position }) => position === one.position)
  return {
    _id: row.id,
    customer: row.customerName ?? '',
    serviceName: localised(segment?.snapshot.name ?? {}, locale) ?? '',
    staffId: segment?.memberId ?? '',
    startsAt: one.startsAt,
    expectedAt: one.expectedAt,
    minutes: Math.round((parseInstant(one.expectedAt) - parseInstant(one.startsAt)) / minuteMs),
    isTold: row.userId !== null,
    phone: mayAlso(scope, 'customers.read') ? row.customerPhone : null,
  }
}

async function visitsForWire(db: Db, scope: ChangeScope, some: readonly Waiting[], locale: Locale): Promise<LateVisit[]> {
  const ids = some.map(({ visitId }) => visitId)
  const shown = await findAllShown(
    db,
    ids.map(() => scope),
    ids,
  )
  return some.flatMap((one) => {
    const visit = shown.get(one.visitId)
    return visit ? [lateVisitOf(scope, visit, one, locale)] : []
  })
}

/** The next visits of the member that keep their time. */
function unaffectedOf({ rows, waiting }: Reckoned, memberId: string, now: Instant): Waiting[] {
  const late = new Set(waiting.map(({ segment }) => segment.visitId))
  return rows
    .filter((row) => row.memberId === memberId && parseInstant(row.startsAt) > now && !late.has(row.visitId))
    .slice(0, mostUnaffected)
    .map(({ visitId, position, startsAt }) => ({ visitId, position, startsAt, expectedAt: startsAt }))
}

interface Said {
  id: string | null
  saidAt: string | null
  memberId: string
  minutes: number
  endsAt: string
}
async function noticeForWire(
  db: Db,
  scope: ChangeScope,
  said: Said,
  lists: { affected: readonly Waiting[]; unaffected: readonly Waiting[] },
  locale: Locale,
): Promise<LateNotice> {
  const people = await membersOf(db, scope)
  return {
    _id: said.id,
    staffId: said.memberId,
    name: people.get(said.memberId)?.name ?? '',
    minutes: said.minutes,
    saidAt: said.saidAt,
    endsAt: said.endsAt,
    affected: await visitsForWire(db, scope, lists.affected, locale),
    unaffected: await visitsForWire(db, scope, lists.unaffected, locale),
  }
}

async function checkMember(db: Db, scope: InstituteScope<never>, memberId: string): Promise<void> {
  if (!(await membersOf(db, scope)).has(memberId)) throw refuse('not_found')
}

const todayOf = async (db: Db, scope: ChangeScope, now: Instant): Promise<string> =>
  dayOf((await closedOf(db, scope, now)).timeZone, minuteOf(now))

/** Whoever is away all day is not late: their visits need another time. */
async function checkThere(db: Db, scope: ChangeScope, memberId: string, now: Instant): Promise<void> {
  await checkMember(db, scope, memberId)
  if ((await awayOn(db, scope, await todayOf(db, scope, now))).has(memberId))
    throw refuse('not_offered', { reason: 'on_leave', nearest: [] })
}

interface LateAsked {
  memberId: string
  minutes: number
}

/** Nothing is said and nobody told. */
export async function wouldRunLate(context: AppContext, scope: ChangeScope, late: LateAsked, locale: Locale): Promise<LateNotice> {
  const { db } = context.database
  const now = context.clock.now()
  await checkThere(db, scope, late.memberId, now)
  const reckoned = await reckon(db, scope, late, now)
  const said = { id: null, saidAt: null, ...late, endsAt: instantText(reckoned.endsAt) }
  const unaffected = unaffectedOf(reckoned, late.memberId, now)
  return noticeForWire(db, scope, said, { affected: reckoned.waiting.map(waitingOf), unaffected }, locale)
}

/** Whoever was told of a wait that is over is told so; what was said before of the same hour is not said again. */
async function sayAnew(
  unit: Unit,
  scope: ChangeScope,
  { memberId, minutes }: LateAsked,
  affected: readonly Waiting[],
  endsAt: string,
): Promise<string> {
  const earlier = await endNotice(unit, memberId)
  const before = earlier ? await lateVisitsOf(unit.db, scope, [earlier.id]) : []
  const id = await insertNotice(unit, { memberId, minutes, endsAt, visits: affected })
  const isSame = (one: Waiting) =>
    before.some(
      ({ visitId, startsAt, expectedAt }) => visitId === one.visitId && startsAt === one.startsAt && expectedAt === one.expectedAt,
    )
  const news = affected.filter((one) => !isSame(one)).map(({ visitId }) => visitId)
  unit.record('member.late', id, { memberId, minutes, startsAt: instantText(unit.now), endsAt, visits: news })
  const freed = stillToCome(before, unit.now).filter(({ visitId }) => !affected.some((one) => one.visitId === visitId))
  if (earlier && freed.length > 0) recordOnTime(unit, earlier, freed)
  return id
}

const stillToCome = (visits: readonly LateVisitRow[], now: Instant): LateVisitRow[] =>
  visits.filter(({ startsAt, expectedAt }) => parseInstant(startsAt) > now && parseInstant(expectedAt) > now)

const recordOnTime = (unit: Unit, { id, memberId, endsAt }: NoticeRow, visits: readonly LateVisitRow[]): void =>
  unit.record('member.on_time', id, {
    memberId,
    startsAt: instantText(unit.now),
    endsAt,
    visits: visits.map(({ visitId }) => visitId),
  })

export async function runLate(context: AppContext, scope: ChangeScope, late: LateAsked, locale: Locale): Promise<LateNotice> {
  const { instituteId } = scope
  await checkThere(context.database.db, scope, late.memberId, context.clock.now())
  return changeInstitute(context, { instituteId, by: scope }, async (unit) => {
    const reckoned = await reckon(unit.db, scope, late, unit.now)
    const affected = reckoned.waiting.map(waitingOf)
    const endsAt = instantText(reckoned.endsAt)
    const id = await sayAnew(unit, scope, late, affected, endsAt)
    const shown = await findAllShown(
      unit.db,
      affected.map(() => scope),
      affected.map(({ visitId }) => visitId),
    )
    // Until it begins nobody has to stay who was told to wait.
    for (const { row } of shown.values()) if (parseInstant(row.startsAt) > unit.now) await openTermsUntil(unit, row.id, row.startsAt)
    const said = { id, saidAt: instantText(unit.now), ...late, endsAt }
    return noticeForWire(unit.db, scope, said, { affected, unaffected: unaffectedOf(reckoned, late.memberId, unit.now) }, locale)
  })
}

/** Once more changes nothing. */
export async function runOnTime(context: AppContext, scope: ChangeScope, memberId: string): Promise<void> {
  const { instituteId } = scope
  await checkMember(context.database.db, scope, memberId)
  await changeInstitute(context, { instituteId, by: scope }, async (unit) => {
    const ended = await endNotice(unit, memberId)
    if (!ended) return unit.nothingChanged()
    recordOnTime(unit, ended, stillToCome(await lateVisitsOf(unit.db, scope, [ended.id]), unit.now))
  })
}

/** Who runs late now. */
export async function lateMembers(context: AppContext, scope: ChangeScope, locale: Locale): Promise<Answer<Calls['lateMembers']>> {
  const { db } = context.database
  const now = context.clock.now()
  const notices = await noticesOf(db, scope, new Date(now))
  const visits = Map.groupBy(
    await lateVisitsOf(
      db,
      scope,
      notices.map(({ id }) => id),
    ),
    ({ noticeId }) => noticeId,
  )
  const items: LateNotice[] = []
  for (const notice of notices) {
    const affected = stillToCome(visits.get(notice.id) ?? [], now)
    items.push(await noticeForWire(db, scope, notice, { affected, unaffected: [] }, locale))
  }
  const { timeZone } = await closedOf(db, scope, now)
  const away = await awayOn(db, scope, dayOf(timeZone, minuteOf(now)))
  const rest = await restOfDay(db, scope, { now: new Date(now), until: new Date(endOfDay(timeZone, now)) })
  const expected = new Set(rest.map(({ memberId }) => memberId).filter((id) => !away.has(id)))
  // What was said of somebody before they went away can still be taken back; where nobody is expected, nobody is late.
  const isThere = (id: string): boolean => expected.has(id) || notices.some(({ memberId }) => memberId === id)
  const team = [...(await membersOf(db, scope)).values()].filter(({ id, isActive }) => isActive && isThere(id))
  return {
    timeZone,
    now: instantText(now),
    items,
    team: team.map(({ id, name, imageUrl }) => ({ staffId: id, name, imageUrl })),
  }
}

type Leaving = NonNullable<NonNullable<Answer<Calls['ownProposal']>['late']>['leaving']>
type Visit = Pick<ShownVisit, 'row' | 'segments'>

/** What somebody who was told to wait may leave: all of a visit before it begins, and then what has not begun of it; null where nothing may be left. */
export function leftOf({ row, segments }: Visit, lateAt: string, now: Instant): { isWhole: boolean; rest: SegmentRow[] } | null {
  if (parseInstant(row.startsAt) > now) {
    const mayGo = row.attendance === 'expected' && stepFrom('cancel', stateOf(row), 'client') !== null
    return mayGo ? { isWhole: true, rest: segments } : null
  }
  const rest = restOf(row, segments, lateAt)
  return rest.length > 0 ? { isWhole: false, rest } : null
}

/** The same in plain words, with what comes back. */
export async function leavingOf(
  db: Db,
  { scope, locale }: { scope: SelfScope; locale: Locale },
  { row, segments }: Visit,
  lateAt: string,
  now: Instant,
): Promise<Leaving | null> {
  const left = leftOf({ row, segments }, lateAt, now)
  if (!left) return null
  const { isWhole, rest } = left
  const sums = isWhole ? { refunded: await backOf(db, row, now), totalAmount: 0 } : await ifRestLeft(db, scope, row, rest, now)
  if (!sums) return null
  const { currency } = row
  return {
    isWhole,
    services: segmentsForWire(rest, currency, locale).map(({ serviceName }) => serviceName),
    refunded: { amount: sums.refunded, currency },
    total: { amount: sums.totalAmount, currency },
  }
}
