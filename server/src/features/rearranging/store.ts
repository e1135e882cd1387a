/** What was proposed for visits that were hit, as it is stored. */
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { InstituteScope, SelfScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

export const storedStates = ['sent', 'accepted', 'other_time', 'declined', 'by_phone', 'settled'] as const
export type StoredState = (typeof storedStates)[number]

const row = {
  id: c.uuid,
  appointmentId: c.uuid,
  holdId: orNull(c.uuid),
  state: c.oneOf(storedStates),
  beforeStartsAt: c.instant,
  beforeEndsAt: c.instant,
  startsAt: orNull(c.instant),
  endsAt: orNull(c.instant),
  staff: orNull(c.json(z.array(z.string()))),
  until: orNull(c.instant),
  note: orNull(c.text),
  createdAt: c.instant,
  answeredAt: orNull(c.instant),
}
export type RearrangementRow = RowOf<typeof row>
const columns = sql`r.id, r.appointment_id as "appointmentId", r.hold_id as "holdId", r.state, r.before_starts_at as "beforeStartsAt", r.before_ends_at as "beforeEndsAt",
  r.starts_at as "startsAt", r.ends_at as "endsAt", r.staff, r.until, r.note, r.created_at as "createdAt", r.answered_at as "answeredAt"`

export interface Proposed {
  holdId: string
  startsAt: string
  endsAt: string
  staff: readonly string[]
  until: string
}
interface NewRearrangement {
  instituteId: string
  appointmentId: string
  state: StoredState
  before: { startsAt: string; endsAt: string }
  proposed: Proposed | null
  note: string | null
  now: Date
}
const insert = statement(
  {
    name: 'rearranging.insert',
    row: { id: c.uuid },
    tries: [
      {
        instituteId: someId,
        appointmentId: someId,
        state: 'sent',
        before: { startsAt: '2026-01-01T10:00:00Z', endsAt: '2026-01-01T11:00:00Z' },
        proposed: null,
        note: null,
        now: new Date(0),
      } as NewRearrangement,
    ],
  },
  ({ instituteId, appointmentId, state, before, proposed, note, now }: NewRearrangement) => sql`
    insert into rearrangements (institute_id, appointment_id, state, before_starts_at, before_ends_at, hold_id, starts_at, ends_at, staff, until, note, created_at)
    values (${instituteId}, ${appointmentId}, ${state}, ${before.startsAt}, ${before.endsAt}, ${proposed?.holdId ?? null}, ${proposed?.startsAt ?? null}, ${proposed?.endsAt ?? null},
      ${proposed && JSON.stringify(proposed.staff)}::jsonb, ${proposed?.until ?? null}, ${note}, ${now}) returning id`,
)
/** @throws where one is open already */
export async function insertRearrangement(unit: Unit, asked: Omit<NewRearrangement, 'instituteId' | 'now'>): Promise<string> {
  const made = await insert.one(unit.db, { ...asked, instituteId: unit.instituteId, now: new Date(unit.now) })
  if (!made) throw new Error('a rearrangement was not written')
  return made.id
}

interface Change {
  id: string
  instituteId: string
  state: StoredState
  /** Absent: what was proposed stays known. */
  proposed: Proposed | null
  now: Date
}
const change = statement(
  {
    name: 'rearranging.change',
    row: {},
    tries: [{ id: someId, instituteId: someId, state: 'sent', proposed: null, now: new Date(0) } as Change],
  },
  ({
    id,
    instituteId,
    state,
    proposed,
    now,
  }: Change) => sql`update rearrangements set state = ${state}, hold_id = ${proposed?.holdId ?? null},
      starts_at = coalesce(${proposed?.startsAt ?? null}::timestamptz, starts_at), ends_at = coalesce(${proposed?.endsAt ?? null}::timestamptz, ends_at),
      staff = coalesce(${proposed && JSON.stringify(proposed.staff)}::jsonb, staff), until = coalesce(${proposed?.until ?? null}::timestamptz, until),
      answered_at = case when ${state} in ('sent', 'by_phone') then null else ${now}::timestamptz end
    where id = ${id} and institute_id = ${instituteId}`,
)
export const changeState = (unit: Unit, asked: Omit<Change, 'instituteId' | 'now'>): Promise<number> =>
  change.run(unit.db, { ...asked, instituteId: unit.instituteId, now: new Date(unit.now) })

const one = statement(
  { name: 'rearranging.one', row, tries: [{ id: someId, instituteId: someId }] },
  ({ id, instituteId }: { id: string; instituteId: string }) =>
    sql`select ${columns} from rearrangements r where r.id = ${id} and r.institute_id = ${instituteId}`,
)
export const findRearrangement = (db: Db, scope: InstituteScope<'diary.change'>, id: string): Promise<RearrangementRow | null> =>
  one.one(db, { id, instituteId: scope.instituteId })

const list = statement(
  { name: 'rearranging.list', row, tries: [{ instituteId: someId, since: new Date(0) }] },
  ({ instituteId, since }: { instituteId: string; since: Date }) => sql`select ${columns} from rearrangements r
    where r.institute_id = ${instituteId} and (r.state in ('sent', 'by_phone') and r.before_ends_at > ${since} or r.created_at > ${since})
    order by r.state in ('sent', 'by_phone') desc, r.before_starts_at, r.id limit 200`,
)
/** Those that are open first, and what was answered since. */
export const listRearrangements = (db: Db, scope: InstituteScope<'diary.change'>, since: Date): Promise<RearrangementRow[]> =>
  list.all(db, { instituteId: scope.instituteId, since })

const ofVisit = statement(
  { name: 'rearranging.ofVisit', row: { ...row, instituteId: c.uuid }, tries: [{ appointmentId: someId, userId: someId }] },
  ({ appointmentId, userId }: { appointmentId: string; userId: string }) => sql`select ${columns}, r.institute_id as "instituteId"
    from rearrangements r join appointments a on a.id = r.appointment_id where r.appointment_id = ${appointmentId} and a.user_id = ${userId}
    order by r.created_at desc, r.id desc limit 1`,
)
/** The last one about a visit of one's own; null when nothing was ever proposed. */
export const findOfVisit = (
  db: Db,
  scope: SelfScope,
  appointmentId: string,
): Promise<(RearrangementRow & { instituteId: string }) | null> => ofVisit.one(db, { appointmentId, userId: scope.userId })

const openOfUser = statement(
  { name: 'rearranging.openOfUser', row: { id: c.uuid }, tries: [{ userId: someId, now: new Date(0) }] },
  ({ userId, now }: { userId: string; now: Date }) => sql`select a.id from appointments a join rearrangements r on r.appointment_id = a.id
    where a.user_id = ${userId} and coalesce(a.life, a.status) not in ('held', 'cancelled')
      and r.state = 'sent' and r.before_starts_at = a.starts_at and r.until > ${now} order by a.starts_at, a.id limit 20`,
)
/** Visits of one's own for which a time is kept now, soonest first. */
export const findProposedTo = async (db: Db, scope: SelfScope, now: Date): Promise<string[]> =>
  (await openOfUser.all(db, { userId: scope.userId, now })).map(({ id }) => id)

const openOf = statement(
  { name: 'rearranging.openOf', row, tries: [{ appointmentId: someId, instituteId: someId }] },
  ({ appointmentId, instituteId }: { appointmentId: string; instituteId: string }) => sql`select ${columns} from rearrangements r
    where r.appointment_id = ${appointmentId} and r.institute_id = ${instituteId} and r.state in ('sent', 'by_phone')`,
)
/** The one that waits for an answer, or for somebody to call. */
export const findOpen = (db: Db, scope: InstituteScope<never>, appointmentId: string): Promise<RearrangementRow | null> =>
  openOf.one(db, { appointmentId, instituteId: scope.instituteId })

const openTerms = statement(
  { name: 'rearranging.openTerms', row: {}, tries: [{ id: someId, instituteId: someId, until: '' }] },
  ({ id, instituteId, until }: { id: string; instituteId: string; until: string }) => sql`update appointments
    set terms = jsonb_set(terms, '{openUntil}', to_jsonb(greatest(terms ->> 'openUntil', ${until}::text))) where id = ${id} and institute_id = ${instituteId}`,
)
/** Leaving and moving are free until then. */
export const openTermsUntil = (unit: Unit, id: string, until: string): Promise<number> =>
  openTerms.run(unit.db, { id, instituteId: unit.instituteId, until })

const members = statement(
  {
    name: 'rearranging.members',
    row: { id: c.uuid, name: c.text, imageUrl: c.text, isActive: c.bool },
    tries: [someId],
  },
  (instituteId: string) =>
    sql`select id, name, image_url as "imageUrl", active as "isActive" from team_members where institute_id = ${instituteId} order by position, id`,
)
/** Everybody who ever worked there: history keeps their names. */
export const membersOf = async (db: Db, scope: InstituteScope<never>) =>
  new Map((await members.all(db, scope.instituteId)).map((member) => [member.id, member]))
