/** Rows of who works at an institute and who was invited. Whoever writes them does so in a unit of work of the institute, or as the person they are about. */
import { locales } from '@soigne/contract/wire'
import { sql } from 'kysely'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { Level } from '#/grants.ts'
import type { InstituteScope, SelfScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

const level = c.oneOf<Level>(['owner', 'manager', 'reception', 'staff'])
const memberRow = {
  id: known(c.uuid),
  state: known(c.oneOf(['joined', 'invited'])),
  email: known(c.text),
  firstName: orNull(c.text),
  lastName: orNull(c.text),
  level: known(level),
  memberId: orNull(c.uuid),
  since: known(c.instant),
}
export type MemberRow = RowOf<typeof memberRow>

interface Asked {
  instituteId: string
  now: Date
}
const list = statement(
  { name: 'members.list', row: memberRow, tries: [{ instituteId: someId, now: new Date(0) }] },
  ({
    instituteId,
    now,
  }: Asked) => sql`select p.user_id as id, 'joined' as state, u.email::text as email, u.first_name as "firstName", u.last_name as "lastName",
      p.level, p.member_id as "memberId", p.created_at as since
    from institute_people p join users u on u.id = p.user_id where p.institute_id = ${instituteId}
    union all
    select id, 'invited', email::text, null, null, level, member_id, created_at from institute_invitations where institute_id = ${instituteId} and expires_at > ${now}
    order by since, id`,
)
export const listMembers = (db: Db, scope: InstituteScope<'people.change'>, now: Date): Promise<MemberRow[]> =>
  list.all(db, { instituteId: scope.instituteId, now })
/** The same within a change. */
export const membersOf = (unit: Unit): Promise<MemberRow[]> => list.all(unit.db, { instituteId: unit.instituteId, now: new Date(unit.now) })

const account = statement(
  { name: 'members.lockAccount', row: { id: c.uuid, isConfirmed: known(c.bool) }, tries: ['a@b.test'] },
  (email: string) => sql`select id, email_verified_at is not null as "isConfirmed" from users where email = ${email} for no key update`,
)
/** The account with a confirmed address, or null. None is confirmed meanwhile: whoever confirms one waits, and finds the invitation. */
export async function confirmedAccount(unit: Unit, email: string): Promise<string | null> {
  const found = await account.one(unit.db, email)
  return found?.isConfirmed ? found.id : null
}

const isOfTeam = statement(
  { name: 'members.isOfTeam', row: { id: c.uuid }, tries: [{ instituteId: someId, memberId: someId }] },
  ({ instituteId, memberId }: { instituteId: string; memberId: string }) =>
    sql`select id from team_members where id = ${memberId} and institute_id = ${instituteId}`,
)
export const isTeamMember = async ({ db, instituteId }: Unit, memberId: string): Promise<boolean> =>
  (await isOfTeam.one(db, { instituteId, memberId })) !== null

interface NewPerson {
  instituteId: string
  userId: string
  level: Level
  memberId: string | null
  invitedBy: string | null
  now: Date
}
const join = statement(
  {
    name: 'members.join',
    row: {},
    tries: [{ instituteId: someId, userId: someId, level: 'staff', memberId: null, invitedBy: null, now: new Date(0) }],
  },
  (p: NewPerson) => sql`insert into institute_people (institute_id, user_id, level, member_id, invited_by, created_at)
    values (${p.instituteId}, ${p.userId}, ${p.level}, ${p.memberId}, ${p.invitedBy}, ${p.now}) on conflict (institute_id, user_id) do nothing`,
)
/** False when they have joined in this very moment. */
export const insertPerson = async (unit: Unit, person: Omit<NewPerson, 'instituteId' | 'now'>): Promise<boolean> =>
  (await join.run(unit.db, { ...person, instituteId: unit.instituteId, now: new Date(unit.now) })) > 0

interface NewInvitation extends Omit<NewPerson, 'userId'> {
  email: string
  locale: string
  expiresAt: Date
}
const invite = statement(
  {
    name: 'members.invite',
    row: { id: c.uuid },
    tries: [
      {
        instituteId: someId,
        email: 'a@b.test',
        level: 'staff',
        memberId: null,
        invitedBy: null,
        now: new Date(0),
        locale: 'en',
        expiresAt: new Date(1),
      },
    ],
  },
  (
    p: NewInvitation,
  ) => sql`insert into institute_invitations (institute_id, email, level, member_id, locale, invited_by, created_at, expires_at)
    values (${p.instituteId}, ${p.email}, ${p.level}, ${p.memberId}, ${p.locale}, ${p.invitedBy}, ${p.now}, ${p.expiresAt})
    on conflict (institute_id, email) do update set level = excluded.level, member_id = excluded.member_id, locale = excluded.locale,
      invited_by = excluded.invited_by, created_at = excluded.created_at, expires_at = excluded.expires_at returning id`,
)
/** Puts an invitation in the place of one of before; its id. */
export async function putInvitation(unit: Unit, invitation: Omit<NewInvitation, 'instituteId' | 'now'>): Promise<string> {
  const made = await invite.one(unit.db, { ...invitation, instituteId: unit.instituteId, now: new Date(unit.now) })
  if (!made) throw new Error('an invitation was not stored')
  return made.id
}

interface Changed {
  instituteId: string
  id: string
  level: Level
  memberId: string | null
}
const someChange: Changed = { instituteId: someId, id: someId, level: 'staff', memberId: null }
const change = {
  joined: statement(
    { name: 'members.change', row: {}, tries: [someChange] },
    ({ instituteId, id, level: to, memberId }: Changed) =>
      sql`update institute_people set level = ${to}, member_id = ${memberId} where institute_id = ${instituteId} and user_id = ${id}`,
  ),
  invited: statement(
    { name: 'members.changeInvitation', row: {}, tries: [someChange] },
    ({ instituteId, id, level: to, memberId }: Changed) =>
      sql`update institute_invitations set level = ${to}, member_id = ${memberId} where institute_id = ${instituteId} and id = ${id}`,
  ),
}
export const changeMember = async (unit: Unit, { id, state, level: to, memberId }: Omit<MemberRow, 'since' | 'email'>): Promise<void> =>
  void (await change[state].run(unit.db, { instituteId: unit.instituteId, id, level: to, memberId }))

const remove = {
  joined: statement(
    { name: 'members.remove', row: {}, tries: [{ instituteId: someId, id: someId }] },
    ({ instituteId, id }: { instituteId: string; id: string }) =>
      sql`delete from institute_people where institute_id = ${instituteId} and user_id = ${id}`,
  ),
  invited: statement(
    { name: 'members.removeInvitation', row: {}, tries: [{ instituteId: someId, id: someId }] },
    ({ instituteId, id }: { instituteId: string; id: string }) =>
      sql`delete from institute_invitations where institute_id = ${instituteId} and id = ${id}`,
  ),
}
export const removeMember = async (unit: Unit, { id, state }: Pick<MemberRow, 'id' | 'state'>): Promise<void> =>
  void (await remove[state].run(unit.db, { instituteId: unit.instituteId, id }))

const accept = statement(
  { name: 'members.accept', row: { instituteId: c.uuid, level }, tries: [{ userId: someId, now: new Date(0) }] },
  ({ userId, now }: { userId: string; now: Date }) => sql`with taken as (
      delete from institute_invitations i using users u where u.id = ${userId} and u.email_verified_at is not null and i.email = u.email returning i.*)
    insert into institute_people (institute_id, user_id, level, member_id, invited_by, created_at)
      select institute_id, ${userId}, level, member_id, invited_by, ${now} from taken where expires_at > ${now}
      on conflict do nothing returning institute_id as "instituteId", level`,
)
/** Makes somebody whose address is confirmed a person of every institute that invited it. */
export const acceptInvitations = (db: Db, scope: SelfScope, now: Date): Promise<{ instituteId: string; level: Level }[]> =>
  accept.all(db, { userId: scope.userId, now })

const forget = statement(
  {
    name: 'members.forgetOld',
    row: {},
    tries: [
      { instituteId: null, now: new Date(0) },
      { instituteId: someId, now: new Date(0) },
    ],
  },
  ({ instituteId, now }: { instituteId: string | null; now: Date }) =>
    sql`delete from institute_invitations where expires_at <= ${now} and (${instituteId}::uuid is null or institute_id = ${instituteId})`,
)
export const forgetOldInvitations = (db: Db, _scope: SystemScope, now: Date): Promise<number> => forget.run(db, { instituteId: null, now })
/** Those of one institute, whose team members others may be from now on. */
export const forgetOwnOldInvitations = ({ db, instituteId, now }: Unit): Promise<number> =>
  forget.run(db, { instituteId, now: new Date(now) })

const told = { email: known(c.text), locale: c.oneOf(locales), firstName: orNull(c.text), institute: c.text }
export type Told = RowOf<typeof told>
const ofUser = statement(
  { name: 'members.told', row: told, tries: [{ instituteId: someId, id: someId }] },
  ({
    instituteId,
    id,
  }: {
    instituteId: string
    id: string
  }) => sql`select u.email::text as email, u.locale, u.first_name as "firstName", i.name as institute
    from users u join institutes i on i.id = ${instituteId} where u.id = ${id}`,
)
const ofInvitation = statement(
  { name: 'members.invitationTold', row: told, tries: [{ instituteId: someId, id: someId }] },
  ({
    instituteId,
    id,
  }: {
    instituteId: string
    id: string
  }) => sql`select v.email::text as email, v.locale, null as "firstName", i.name as institute
    from institute_invitations v join institutes i on i.id = v.institute_id where v.institute_id = ${instituteId} and v.id = ${id}`,
)
/** Who reads a letter about their access; null when they, or the invitation, are gone. */
export const toldOf = (db: Db, scope: InstituteScope<'people.change'>, id: string, state: MemberRow['state']): Promise<Told | null> =>
  (state === 'joined' ? ofUser : ofInvitation).one(db, { instituteId: scope.instituteId, id })
