/** A member who leaves: what they have ahead finds somebody else first, and their login ends with them. */
import type { VisitOfMember } from '@soigne/contract/team'
import { dayMs, minuteOf } from '@soigne/contract/time'
import type { Locale } from '@soigne/contract/wire'
import { addDays } from '@soigne/scheduling/days'
import { freeSpans } from '@soigne/scheduling/free-spans'
import { dayOf, spanOfDay } from '@soigne/scheduling/wall-clock'
import { minuteOfText, minuteText, parseInstant, utcDayOf } from '#/platform/instants.ts'
import { loadDiary, type LoadedInstitute } from '#/features/availability/service.ts'
import { checkMayEndLogin, endLoginOf } from '#/features/people/service.ts'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import { localised } from '#/texts/translate.ts'
import { aheadOf, type SegmentAhead, segmentsAhead } from './ahead-store.ts'
import { endRotas, findMember, leaveAfter, listGone, workOn } from './member-store.ts'
import { isOfTeam } from './leave-store.ts'
import { metVisit } from './outside.ts'
import { instituteOfWeek } from './team.ts'
import type { TeamScope } from './team-store.ts'

const system = systemScope('end members')

/** Who could do a part at its time: they perform it, work then and are free for all they are needed. */
function colleaguesFor(loaded: LoadedInstitute, one: SegmentAhead, memberId: string): VisitOfMember['colleagues'] {
  const { diary, memberDetails } = loaded
  const needed = one.parts.map(([startsAt, endsAt]) => ({ from: minuteOfText(startsAt), to: minuteOfText(endsAt) }))
  const asked = { fromDay: dayOf(diary.timeZone, minuteOfText(one.startsAt)), days: 2 }
  return diary.members.flatMap((member) => {
    if (member.id === memberId || !member.performs.has(one.serviceId)) return []
    const free = freeSpans(diary, member.id, asked)
    const isFree = needed.every(({ from, to }) => free.some((span) => span.from <= from && to <= span.to))
    return isFree ? [{ staffId: member.id, name: memberDetails.get(member.id)?.name ?? '' }] : []
  })
}

/** Most parts that colleagues are looked for; further ones are decided about when these are. */
const mostLookedFor = 100

/** What a member has ahead from a day on. @throws not_found */
export async function visitsOfMember(
  context: AppContext,
  scope: TeamScope,
  memberId: string,
  { from, locale }: { from: string | undefined; locale: Locale },
): Promise<{ items: VisitOfMember[]; timeZone: string }> {
  const { db } = context.database
  if (!(await isOfTeam(db, scope, memberId))) throw refuse('not_found')
  const now = context.clock.now()
  const { institute } = await instituteOfWeek(context, scope.instituteId, now)
  const since = from === undefined ? now : Math.max(now, parseInstant(minuteText(spanOfDay(institute.timeZone, from).from)))
  const rows = await segmentsAhead(db, scope, { memberId, from: new Date(since), now: new Date(now), limit: mostLookedFor })
  const last = rows.at(-1)
  const to = last ? parseInstant(last.endsAt) + dayMs : since
  const loaded = await loadDiary(db, {
    instituteId: scope.instituteId,
    from: new Date(since - dayMs),
    to: new Date(to),
    now: new Date(now),
  })
  if (!loaded) throw refuse('not_found')
  const items = rows.map((row): VisitOfMember => ({
    _id: row.id,
    kind: row.kind,
    segment: row.position,
    serviceName: localised(row.name, locale) ?? '',
    startsAt: row.startsAt,
    endsAt: row.endsAt,
    customer: row.customer,
    price: row.priceAmount === null ? null : { amount: row.priceAmount, currency: institute.currency },
    colleagues: row.kind === 'visit' ? colleaguesFor(loaded, row, memberId) : [],
  }))
  return { items, timeZone: institute.timeZone }
}

/** Leaves after a last day, or now; whoever works on keeps their login until that day is over. @throws member_has_visits with what lies ahead after it, not_found, forbidden */
export async function removeTeamMember(context: AppContext, scope: TeamScope, id: string, asked: string | undefined): Promise<void> {
  const { institute } = await instituteOfWeek(context, scope.instituteId, context.clock.now())
  await changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    const member = await findMember(unit, id)
    if (!member) throw refuse('not_found')
    const today = dayOf(institute.timeZone, minuteOf(unit.now))
    const yesterday = addDays(today, -1)
    if (asked !== undefined && asked < yesterday) throw refuseField('lastDay', 'date')
    const lastDay = asked ?? yesterday
    const after = parseInstant(minuteText(spanOfDay(institute.timeZone, lastDay).to))
    const ahead = await aheadOf(unit.db, scope, { memberId: id, from: new Date(Math.max(after, unit.now)), now: new Date(unit.now) })
    if (ahead.length > 0) throw refuse('member_has_visits', { appointments: ahead.map(metVisit) })
    if (member.lastDay !== null && member.lastDay < lastDay) await workOn(unit, id, { before: member.lastDay, lastDay })
    await endRotas(unit, id, addDays(lastDay, 1))
    await leaveAfter(unit, id, { lastDay, isOver: lastDay < today })
    if (lastDay > today) await checkMayEndLogin(unit, scope, id)
    else await endLoginOf(unit, scope, id)
    unit.record('institute.changed', id, { what: 'team' })
  })
}

/** Takes out of their teams whose last day is over, and ends their logins. */
export async function endMembers(context: AppContext): Promise<void> {
  const now = context.clock.now()
  for (const { id, instituteId, lastDay, timeZone } of await listGone(context.database.db, system, utcDayOf(now))) {
    if (dayOf(timeZone, minuteOf(now)) <= lastDay) continue
    await changeInstitute(context, { instituteId, by: system }, async (unit) => {
      await leaveAfter(unit, id, { lastDay, isOver: true })
      await endLoginOf(unit, system.institute(instituteId), id)
      unit.record('institute.changed', id, { what: 'team' })
    })
  }
}
