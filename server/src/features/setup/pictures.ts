/** Pictures of a draft: sent at once, named by their ids, the institute's once it is published. */
import type { SentFile } from '@soigne/contract/define'
import { dropOldestWaiting, fileAddress, giveFile, takeFile } from '#/features/files/service.ts'
import type { SelfScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { refuse } from '#/platform/refuse.ts'
import { checkProfessional } from './standing.ts'

/** Sent and not yet used; the oldest above these go. */
const mostWaiting = 60

export const purposeOf = { gallery: 'institute_picture', logo: 'institute_logo' } as const

/** @throws forbidden, wrong_type naming the field */
export async function sendPicture(
  context: AppContext,
  scope: SelfScope<true>,
  { of, picture }: { of: keyof typeof purposeOf; picture: SentFile },
): Promise<{ _id: string; url: string; width: number; height: number }> {
  await checkProfessional(context.database.db, scope)
  const { id, key, width, height } = await takeFile(context, scope, purposeOf[of], picture)
  await dropOldestWaiting(context.database.db, scope, mostWaiting)
  return { _id: id, url: fileAddress(context, key), width: width ?? 1, height: height ?? 1 }
}

interface Given {
  ownerId: string
  instituteId: string
  pictures: readonly string[]
  logo: string | null
}
/** From now on they are the institute's; their addresses. @throws not_found naming one that is gone, or somebody else's */
export async function givePictures(
  transaction: Db,
  { ownerId, instituteId, pictures, logo }: Given,
): Promise<{ pictures: string[]; logo: string | null }> {
  const give = async (id: string, of: keyof typeof purposeOf, field: string): Promise<string> => {
    const url = await giveFile(transaction, { id, ownerId, instituteId, purpose: purposeOf[of] })
    if (url === null) throw refuse('not_found', { fields: { [field]: 'invalid' } })
    return url
  }
  const urls: string[] = []
  for (const [at, id] of pictures.entries()) urls.push(await give(id, 'gallery', `pictures.${at}`))
  return { pictures: urls, logo: logo === null ? null : await give(logo, 'logo', 'logo') }
}
