/** Who works at an institute with a login. An institute has one owner, who gives the other levels and keeps their own. */
import { type Member, mostMembers } from '@soigne/contract/members'
import { dayMs } from '@soigne/contract/time'
import type { Locale } from '@soigne/contract/wire'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import type { Level } from '#/grants.ts'
import { type InstituteScope, mayAlso, type SelfScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { openLimit } from '#/platform/limits.ts'
import { refuse } from '#/platform/refuse.ts'
import {
  changeMember as storeChange,
  confirmedAccount,
  forgetOwnOldInvitations,
  insertPerson,
  isTeamMember,
  listMembers,
  type MemberRow,
  membersOf,
  putInvitation,
  removeMember as storeRemoval,
} from './members-store.ts'

type OwnerScope = InstituteScope<'people.change'>
type GivenLevel = Exclude<Level, 'owner'>

export const invitationDays = 14
/** Letters to strangers that one institute may cause in a day. */
const mostAdded = 40

const ranks: Record<Level, number> = { owner: 0, manager: 1, reception: 2, staff: 3 }
const userOf = ({ actor }: OwnerScope): string | null => (actor.kind === 'institute' ? actor.userId : null)

const forWire = ({ id, memberId, ...row }: MemberRow, me: string | null): Member => ({
  _id: id,
  ...row,
  staffId: memberId,
  isMe: id === me,
})

export async function listMembersOf({ database, clock }: AppContext, scope: OwnerScope): Promise<Member[]> {
  const rows = await listMembers(database.db, scope, new Date(clock.now()))
  return rows.toSorted((a, b) => ranks[a.level] - ranks[b.level]).map((row) => forWire(row, userOf(scope)))
}

const change = <T>(context: AppContext, scope: OwnerScope, work: (unit: Unit, members: MemberRow[]) => Promise<T>): Promise<T> =>
  changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    await forgetOwnOldInvitations(unit)
    return work(unit, await membersOf(unit))
  })

/** @throws not_found for a team member of somebody else, member_has_login when the login is another's */
async function checkTeamMember(unit: Unit, memberId: string | null, members: readonly MemberRow[], own: string | null): Promise<void> {
  if (memberId === null) return
  if (!(await isTeamMember(unit, memberId))) throw refuse('not_found')
  if (members.some((one) => one.memberId === memberId && one.id !== own)) throw refuse('member_has_login')
}

const found = async (unit: Unit, id: string): Promise<MemberRow> => {
  const row = (await membersOf(unit)).find((one) => one.id === id)
  if (!row) throw refuse('not_found')
  return row
}

export interface NewMember {
  email: string
  level: GivenLevel
  staffId?: string | undefined
}

/** Whoever has a confirmed account joins at once; anybody else when they confirm one with this address. */
export async function addMember(context: AppContext, scope: OwnerScope, asked: NewMember, locale: Locale): Promise<Member> {
  await openLimit(context.database.pool, 'members-added', mostAdded, dayMs / 1000).take(scope.instituteId)
  const { level } = asked
  const invitedBy = userOf(scope)
  return change(context, scope, async (unit, members) => {
    const userId = await confirmedAccount(unit, asked.email)
    const invited = members.find((one) => one.state === 'invited' && one.email.toLowerCase() === asked.email.toLowerCase())
    if (members.some((one) => one.state === 'joined' && one.id === userId)) throw refuse('already_member')
    if (members.length >= mostMembers && !invited) throw refuse('too_many_members', { most: mostMembers })
    const memberId = asked.staffId ?? null
    await checkTeamMember(unit, memberId, members, invited?.id ?? null)
    const given = { level, memberId, invitedBy }
    if (userId === null) {
      const expiresAt = new Date(unit.now + invitationDays * dayMs)
      const id = await putInvitation(unit, { ...given, email: asked.email, locale, expiresAt })
      unit.record('person.invited', id, { level })
      return forWire(await found(unit, id), null)
    }
    if (invited) await storeRemoval(unit, invited)
    if (!(await insertPerson(unit, { ...given, userId }))) throw refuse('already_member')
    unit.record('person.joined', userId, { userId, level })
    return forWire(await found(unit, userId), null)
  })
}

export async function changeMember(
  context: AppContext,
  scope: OwnerScope,
  id: string,
  to: { level?: GivenLevel | undefined; staffId?: string | null | undefined },
): Promise<Member> {
  return change(context, scope, async (unit, members) => {
    const before = members.find((one) => one.id === id)
    if (!before) throw refuse('not_found')
    if (before.level === 'owner' && to.level !== undefined) throw refuse('last_owner')
    const after = { ...before, level: to.level ?? before.level, memberId: to.staffId === undefined ? before.memberId : to.staffId }
    await checkTeamMember(unit, after.memberId, members, id)
    await storeChange(unit, after)
    const { level } = after
    // Who was only invited reads the new level when they come.
    if (before.state === 'joined' && level !== before.level) unit.record('person.changed', id, { userId: id, level, before: before.level })
    else if (after.memberId !== before.memberId || level !== before.level) unit.record('institute.changed', null, { what: 'people' })
    else unit.nothingChanged()
    return forWire(after, userOf(scope))
  })
}

export async function removeMember(context: AppContext, scope: OwnerScope, id: string): Promise<void> {
  await change(context, scope, async (unit, members) => {
    const row = members.find((one) => one.id === id)
    if (!row) throw refuse('not_found')
    const { level, state } = row
    if (level === 'owner') throw refuse('last_owner')
    await storeRemoval(unit, row)
    if (state === 'joined') unit.record('person.removed', id, { userId: id, level })
    else unit.record('person.uninvited', id, { level })
  })
}

/** @throws not_found where they do not work */
export async function leaveInstitute(context: AppContext, scope: SelfScope<true>, instituteId: string): Promise<void> {
  await changeInstitute(context, { instituteId, by: scope }, async (unit) => {
    const row = (await membersOf(unit)).find((one) => one.state === 'joined' && one.id === scope.userId)
    if (!row) throw refuse('not_found')
    if (row.level === 'owner') throw refuse('last_owner')
    await storeRemoval(unit, row)
    unit.record('person.removed', row.id, { userId: row.id, level: row.level })
  })
}

/** Of a login that ends with a day ahead. @throws forbidden where that is for the owner to decide */
export async function checkMayEndLogin(unit: Unit, scope: InstituteScope<never>, memberId: string): Promise<void> {
  const row = (await membersOf(unit)).find((one) => one.memberId === memberId)
  if (row?.level === 'manager' && !mayAlso(scope, 'people.change')) throw refuse('forbidden')
}

/** Who signs in as a member that leaves does so no more; the owner stays, as nobody of the team. @throws forbidden where that is for the owner to decide */
export async function endLoginOf(unit: Unit, scope: InstituteScope<never>, memberId: string): Promise<void> {
  const row = (await membersOf(unit)).find((one) => one.memberId === memberId)
  if (!row) return
  const { id, level, state } = row
  if (level === 'owner') return storeChange(unit, { ...row, memberId: null })
  await checkMayEndLogin(unit, scope, memberId)
  await storeRemoval(unit, row)
  if (state === 'joined') unit.record('person.removed', id, { userId: id, level })
  else unit.record('person.uninvited', id, { level })
}
