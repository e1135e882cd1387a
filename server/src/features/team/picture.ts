/** The picture of a member. */
import type { SentFile } from '@soigne/contract/define'
import { dropFile, fileAddress, removeDropped, takeFile, useFile } from '#/features/files/service.ts'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse } from '#/platform/refuse.ts'
import { isOfTeam } from './leave-store.ts'
import { findMember, setPicture } from './member-store.ts'
import type { TeamScope } from './team-store.ts'

/** Addresses of files that were sent begin with this; portraits that are drawn do not. */
const served = '/files/'

/** Where the new one is served. @throws not_found, wrong_type */
export async function replaceMemberPicture(context: AppContext, scope: TeamScope, id: string, sent: SentFile): Promise<string> {
  if (!(await isOfTeam(context.database.db, scope, id))) throw refuse('not_found')
  const taken = await takeFile(context, scope, 'member_picture', sent)
  const address = fileAddress(context, taken.key)
  await changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    const before = await findMember(unit, id)
    if (!before) throw refuse('not_found')
    await setPicture(unit, id, address)
    await useFile(unit.db, scope, taken)
    if (before.imageUrl.startsWith(served)) await dropFile(unit.db, scope, before.imageUrl.slice(served.length))
    unit.record('institute.changed', id, { what: 'team' })
  })
  await removeDropped(context).catch((error: unknown) => context.log.warn({ err: error }, 'a replaced picture could not be removed'))
  return address
}
