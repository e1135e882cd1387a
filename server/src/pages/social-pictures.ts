/** /og/<slug>.png: the picture shown when a page is shared, made from the institute's cover. */
import type { Answer } from '@soigne/contract/define'
import type { instituteCalls } from '@soigne/contract/institutes'
import type { FastifyInstance } from 'fastify'
import sharp from 'sharp'
import { callAsGuest, type Served } from '#/platform/calls.ts'
import { RefusalError } from '#/platform/refuse.ts'

const width = 1200
const height = 630
const kept = 200

/** The cover's path; art is drawn by the web, in the shape of a shared picture. */
async function coverPath(served: Map<string, Served>, name: string): Promise<string | null> {
  if (name === 'home') return `/art/cover/massage/soigne-home.svg?shape=wide`
  const call = served.get('institute')
  if (!call) return null
  try {
    const institute = await callAsGuest<(typeof instituteCalls)['institute']>(call, { params: { slug: name } }, 'en')
    return `/art/cover/${(institute satisfies Answer<(typeof instituteCalls)['institute']>).categories[0] ?? 'hair'}/${institute.slug}.svg?shape=wide`
  } catch (error) {
    if (error instanceof RefusalError) return null
    throw error
  }
}

export function mountSocialPictures(
  app: FastifyInstance,
  served: Map<string, Served>,
  readSvg: (path: string) => Promise<Buffer | null>,
): void {
  const pictures = new Map<string, Buffer>()
  app.get<{ Params: { file: string } }>('/og/:file', async (request, reply) => {
    const name = /^([a-z0-9-]{1,120})\.png$/.exec(request.params.file)?.[1]
    const path = name ? await coverPath(served, name) : null
    const svg = path && !pictures.has(path) ? await readSvg(path) : null
    if (path && svg) {
      pictures.set(path, await sharp(svg, { density: 72 }).resize(width, height, { fit: 'cover' }).png({ compressionLevel: 9 }).toBuffer())
      if (pictures.size > kept) pictures.delete(pictures.keys().next().value ?? '')
    }
    const picture = path ? pictures.get(path) : undefined
    if (!picture) return reply.code(404).type('application/json').send({ code: 'not_found', message: 'No such picture.' })
    return reply
      .type('image/png')
      .header('cache-control', 'public, max-age=86400')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(picture)
  })
}
