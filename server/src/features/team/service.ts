/** Who belongs to a team and when they work. What a change leaves outside the shifts stays where it is, and is answered. */
import { type MemberChange, type MemberInput, type MetVisit, mostTeamMembers } from '@soigne/contract/team'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import {
  findMember,
  insertMember,
  memberCount,
  orderMembers,
  performServices,
  replaceRota,
  servicesOfOthers,
  updateMember,
  workOn,
} from './member-store.ts'
import { outsideShifts } from './outside.ts'
import type { TeamScope } from './team-store.ts'

export { setAvailability } from './leave.ts'
export { overrideDay } from './leave-store.ts'
export { teamOf } from './team.ts'

/** @throws not_found for a service of somebody else */
async function checkServices(unit: Unit, services: readonly { serviceId: string }[]): Promise<void> {
  const strange = await servicesOfOthers(
    unit,
    services.map(({ serviceId }) => serviceId),
  )
  if (strange.length > 0) throw refuse('not_found')
}

/** Puts members at the end of a team, within a change of their institute that says what it is; their ids in order. @throws too_many_members, not_found for a service of somebody else */
export async function writeTeam(unit: Unit, members: readonly MemberInput[]): Promise<string[]> {
  if ((await memberCount(unit)) + members.length > mostTeamMembers) throw refuse('too_many_members', { most: mostTeamMembers })
  await checkServices(
    unit,
    members.flatMap(({ services }) => services),
  )
  const ids: string[] = []
  for (const member of members) {
    const id = await insertMember(unit, member)
    await performServices(unit, id, member.services)
    await replaceRota(unit, id, member.rota)
    ids.push(id)
  }
  return ids
}

/** @throws too_many_members, not_found for a service of somebody else */
export const addTeamMember = (context: AppContext, scope: TeamScope, member: MemberInput): Promise<{ _id: string }> =>
  changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    const [id = ''] = await writeTeam(unit, [member])
    unit.record('institute.changed', id, { what: 'team' })
    return { _id: id }
  })

/** What is left out stays. @throws not_found for a member or a service of somebody else, bad_input for weeks after their last day */
export async function changeTeamMember(
  context: AppContext,
  scope: TeamScope,
  id: string,
  change: MemberChange,
): Promise<{ _id: string; outside: MetVisit[] }> {
  return changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    const member = await findMember(unit, id)
    if (!member) throw refuse('not_found')
    const { services, rota, lastDay, ...facts } = change
    if (lastDay === null && member.lastDay !== null) await workOn(unit, id, { before: member.lastDay, lastDay })
    else if (rota?.fromDay && member.lastDay !== null && rota.fromDay > member.lastDay) throw refuseField('rota.fromDay', 'date')
    await updateMember(unit, id, facts)
    if (services) {
      await checkServices(unit, services)
      await performServices(unit, id, services)
    }
    if (rota) await replaceRota(unit, id, rota)
    unit.record('institute.changed', id, { what: 'team' })
    return { _id: id, outside: rota ? await outsideShifts(unit, scope, id) : [] }
  })
}

/** @throws not_found unless they are all members here */
export const orderTeam = (context: AppContext, scope: TeamScope, ids: readonly string[]): Promise<void> =>
  changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    if ((await orderMembers(unit, ids)) !== ids.length) throw refuse('not_found')
    unit.record('institute.changed', null, { what: 'team' })
  })
