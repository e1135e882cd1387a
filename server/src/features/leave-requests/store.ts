/** Days off that were asked for. What is agreed becomes an absence as well (`features/diary-entries`). */
import { leaveKinds } from '@soigne/contract/team'
import { sql } from 'kysely'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

/** Whoever has a login at an institute. */
export type AskingScope = InstituteScope<'diary.own'>
/** Whoever may change its team. */
export type AnsweringScope = InstituteScope<'team.change'>

const zone = statement(
  { name: 'leaveRequests.zone', row: { timeZone: c.text }, tries: [someId] },
  (instituteId: string) => sql`select time_zone as "timeZone" from institutes where id = ${instituteId}`,
)
export const zoneOf = async (db: Db, scope: AskingScope | AnsweringScope): Promise<string> =>
  (await zone.one(db, scope.instituteId))?.timeZone ?? 'UTC'

const days = { kind: c.oneOf(leaveKinds), fromDay: c.day, toDay: c.day, note: orNull(c.text), askedAt: c.instant }
const state = c.oneOf(['asked', 'agreed', 'declined'])
const daysOf = sql`r.kind, r.from_day as "fromDay", r.to_day as "toDay", r.note, r.asked_at as "askedAt"`
const someMember = { instituteId: someId, memberId: someId }

const ownRow = { id: c.uuid, ...days, state, reason: orNull(c.text), answeredBy: orNull(c.text) }
export type OwnRow = RowOf<typeof ownRow>
const own = statement(
  { name: 'leaveRequests.own', row: ownRow, tries: [someMember] },
  ({ instituteId, memberId }: typeof someMember) => sql`select r.id, ${daysOf}, r.state, r.reason, u.first_name as "answeredBy"
    from leave_requests r left join users u on u.id = r.answered_by
    where r.member_id = ${memberId} and r.institute_id = ${instituteId} order by r.from_day desc, r.asked_at desc limit 50`,
)
/** Latest days first. */
export const listOwn = (db: Db, scope: AskingScope, memberId: string): Promise<OwnRow[]> =>
  own.all(db, { instituteId: scope.instituteId, memberId })

const openRow = { id: c.uuid, memberId: c.uuid, name: c.text, imageUrl: c.text, ...days }
export type OpenRow = RowOf<typeof openRow>
const open = statement(
  { name: 'leaveRequests.open', row: openRow, tries: [{ instituteId: someId, today: '2026-01-01' }] },
  ({
    instituteId,
    today,
  }: {
    instituteId: string
    today: string
  }) => sql`select r.id, r.member_id as "memberId", m.name, m.image_url as "imageUrl", ${daysOf}
    from leave_requests r join team_members m on m.id = r.member_id and m.active
    where r.institute_id = ${instituteId} and r.state = 'asked' and r.to_day >= ${today}::date order by r.from_day, r.asked_at, r.id limit 100`,
)
/** Not answered and not over, soonest first. */
export const listOpen = (db: Db, scope: AnsweringScope, today: string): Promise<OpenRow[]> =>
  open.all(db, { instituteId: scope.instituteId, today })

interface Asked {
  memberId: string
  kind: OwnRow['kind']
  fromDay: string
  toDay: string
  note: string | null
}
const overlapping = statement(
  {
    name: 'leaveRequests.overlapping',
    row: { isTaken: known(c.bool) },
    tries: [{ ...someMember, fromDay: '2026-01-01', toDay: '2026-01-01' }],
  },
  ({ instituteId, memberId, fromDay, toDay }: Pick<Asked, 'memberId' | 'fromDay' | 'toDay'> & { instituteId: string }) => sql`select
      exists (select from leave_requests r where r.member_id = ${memberId} and r.institute_id = ${instituteId} and r.state = 'asked'
        and r.from_day <= ${toDay}::date and r.to_day >= ${fromDay}::date)
      or exists (select from absences a where a.member_id = ${memberId} and a.institute_id = ${instituteId} and a.opens_at is null
        and a.from_day <= ${toDay}::date and a.to_day >= ${fromDay}::date) as "isTaken"`,
)
/** Whether some of the days are asked for, or wholly off, already. */
export const isTaken = async ({ db, instituteId }: Unit, { memberId, fromDay, toDay }: Asked): Promise<boolean> =>
  (await overlapping.one(db, { instituteId, memberId, fromDay, toDay }))?.isTaken ?? false

const insert = statement(
  {
    name: 'leaveRequests.insert',
    row: { id: c.uuid },
    tries: [{ ...someMember, kind: 'other', fromDay: '2026-01-01', toDay: '2026-01-01', note: null, now: new Date(0) }],
  },
  (
    r: Asked & { instituteId: string; now: Date },
  ) => sql`insert into leave_requests (institute_id, member_id, kind, from_day, to_day, note, asked_at)
    select institute_id, id, ${r.kind}, ${r.fromDay}::date, ${r.toDay}::date, ${r.note}, ${r.now}
    from team_members where id = ${r.memberId} and institute_id = ${r.instituteId} and active returning id`,
)
/** Null when the member is not in the team any more. */
export const insertRequest = async (unit: Unit, asked: Asked): Promise<string | null> =>
  (await insert.one(unit.db, { ...asked, instituteId: unit.instituteId, now: new Date(unit.now) }))?.id ?? null

const someRequest = { instituteId: someId, id: someId }
const foundRow = { memberId: c.uuid, kind: days.kind, fromDay: c.day, toDay: c.day, note: days.note, state, answeredBy: orNull(c.text) }
export type FoundRow = RowOf<typeof foundRow>
const find = statement(
  { name: 'leaveRequests.find', row: foundRow, tries: [someRequest] },
  ({
    instituteId,
    id,
  }: typeof someRequest) => sql`select r.member_id as "memberId", r.kind, r.from_day as "fromDay", r.to_day as "toDay", r.note,
      r.state, u.first_name as "answeredBy"
    from leave_requests r left join users u on u.id = r.answered_by where r.id = ${id} and r.institute_id = ${instituteId}`,
)
export const findRequest = (db: Db, scope: AskingScope | AnsweringScope, id: string): Promise<FoundRow | null> =>
  find.one(db, { instituteId: scope.instituteId, id })

interface Answer {
  id: string
  state: 'agreed' | 'declined'
  reason: string | null
  userId: string | null
}
const answer = statement(
  {
    name: 'leaveRequests.answer',
    row: { id: c.uuid },
    tries: [{ ...someRequest, state: 'agreed', reason: null, userId: someId, now: new Date(0) }],
  },
  (a: Answer & { instituteId: string; now: Date }) => sql`update leave_requests
    set state = ${a.state}, reason = ${a.reason}, answered_by = ${a.userId}, answered_at = ${a.now}
    where id = ${a.id} and institute_id = ${a.instituteId} and state = 'asked' returning id`,
)
/** False when somebody has answered before. */
export const writeAnswer = async (unit: Unit, given: Answer): Promise<boolean> =>
  (await answer.one(unit.db, { ...given, instituteId: unit.instituteId, now: new Date(unit.now) })) !== null

const remove = statement(
  { name: 'leaveRequests.remove', row: { id: c.uuid }, tries: [{ ...someRequest, memberId: someId }] },
  ({ instituteId, id, memberId }: typeof someRequest & { memberId: string }) => sql`delete from leave_requests
    where id = ${id} and institute_id = ${instituteId} and member_id = ${memberId} and state = 'asked' returning id`,
)
/** False when it is answered, not theirs, or not there. */
export const removeRequest = async (unit: Unit, asked: { id: string; memberId: string }): Promise<boolean> =>
  (await remove.one(unit.db, { ...asked, instituteId: unit.instituteId })) !== null

const factsRow = { institute: c.text, timeZone: c.text, member: c.text, userIds: known(c.list(c.uuid)) }
const facts = statement(
  { name: 'leaveRequests.facts', row: factsRow, tries: [someMember] },
  ({ instituteId, memberId }: typeof someMember) => sql`select i.name as institute, i.time_zone as "timeZone", m.name as member,
      array(select p.user_id from institute_people p where p.member_id = m.id and p.institute_id = i.id) as "userIds"
    from team_members m join institutes i on i.id = m.institute_id where m.id = ${memberId} and i.id = ${instituteId}`,
)
/** What is told of a member's request, and who signs in as them. */
export const factsOf = (db: Db, scope: InstituteScope<never>, memberId: string): Promise<RowOf<typeof factsRow> | null> =>
  facts.one(db, { instituteId: scope.instituteId, memberId })
