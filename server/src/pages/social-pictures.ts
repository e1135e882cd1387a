/** /og/<slug>.png: the picture shown when a page is shared, made from the institute's cover. */
import type { Answer } from '@soigne/contract/define'
import type { instituteCalls } from '@soigne/contract/institutes'
import type { FastifyInstance } from 'fastify'
import { callAsGuest, type Served } from '#/platform/calls.ts'
import type { FileStore } from '#/platform/file-store.ts'
import { networkOf } from '#/platform/network.ts'
import { RefusalError } from '#/platform/refuse.ts'
import { openSharePictures } from './share-pictures.ts'

/** The cover's path; art is drawn by the web, in the shape of a shared picture. */
async function coverPath(served: Map<string, Served>, name: string): Promise<string | null> {
  if (name === 'home') return `/art/cover/massage/soigne-home.svg?shape=wide`
  const call = served.get('institute')
  if (!call) return null
  try {
    const institute = await callAsGuest<(typeof instituteCalls)['institute']>(call, { params: { slug: name } }, 'en')
    return `/art/cover/${(institute satisfies Answer<(typeof instituteCalls)['institute']>).categories[0] ?? 'hair'}/${institute.slug}.svg?shape=wide`
  } catch (error) {
    if (error instanceof RefusalError && error.code === 'not_found') return null
    throw error
  }
}

interface Needed {
  served: Map<string, Served>
  files: FileStore
  guard<T>(work: () => Promise<T>): Promise<T>
  readSvg(path: string): Promise<Buffer | null>
}

export function mountSocialPictures(app: FastifyInstance, { served, files, guard, readSvg }: Needed): void {
  const pictures = openSharePictures({ files })
  app.addHook('onClose', async () => pictures.close())
  app.get<{ Params: { file: string } }>('/og/:file', { config: { cost: 'picture' } }, async (request, reply) => {
    const name = /^([a-z0-9-]{1,120})\.png$/.exec(request.params.file)?.[1]
    const path = name ? await guard(() => coverPath(served, name)) : null
    const picture = path && (await pictures.of(path, networkOf(request.ip), () => readSvg(path)))
    if (!picture) return reply.code(404).type('application/json').send({ code: 'not_found', message: 'No such picture.' })
    return reply
      .type('image/png')
      .header('cache-control', 'public, max-age=86400')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(picture)
  })
}
