/** What is done for files in the background. */
import { buffer } from 'node:stream/consumers'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Fill } from '#/platform/fills.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { variantKey } from './addresses.ts'
import { purposes } from './purposes.ts'
import { removeDropped } from './service.ts'
import { adoptPictures, findWithoutVariants, setVariants, type Variant } from './store.ts'

const system = systemScope('files')

/** One run does no more, so that others get their turn. */
const picturesAtOnce = 20

/** The smaller sizes of a picture that was stored as one size only; none when it cannot be opened any more. */
async function makeVariants({ files, decoder }: AppContext, key: string, purpose: string): Promise<Variant[]> {
  const wanted = Object.entries(purposes).find(([name]) => name === purpose)?.[1]
  const found = await files.get(key)
  if (!found || wanted?.kind !== 'image') {
    found?.body.destroy()
    return []
  }
  const answer = await decoder.picture(await buffer(found.body), wanted.shape)
  if (!answer.ok) return []
  const smaller = answer.pictures.slice(1)
  for (const { size, bytes } of smaller) await files.put(variantKey(key, size), bytes, 'image/webp')
  return smaller.map(({ size, width, height, bytes }) => ({ size, width, height, bytes: bytes.length }))
}

export const fileFills: readonly Fill[] = [adoptPictures]

export const fileJobs = (context: AppContext): Jobs => ({
  async tidy_files() {
    await removeDropped(context)
    const { db } = context.database
    for (const { key, purpose } of await findWithoutVariants(db, system, picturesAtOnce))
      await setVariants(db, system, key, await makeVariants(context, key, purpose))
  },
})
