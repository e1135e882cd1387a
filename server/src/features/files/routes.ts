/** Serves files. What stands under a key never changes, so a browser may keep it for as long as it may see it. */
import { create as contentDisposition } from 'content-disposition'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import parseRange from 'range-parser'
import type { AppContext } from '#/platform/app-context.ts'
import type { ByteRange, FileFacts } from '#/platform/file-store.ts'
import { refuse } from '#/platform/refuse.ts'
import { type AskedFile, askedFile, secondsLeft } from './addresses.ts'
import { usedFile } from './service.ts'

type FileRequest = FastifyRequest<{ Params: { '*': string }; Querystring: Record<string, unknown> }>

interface Permitted extends AskedFile {
  /** How long browsers may keep it. */
  cacheControl: string
  disposition: string
}

/** Whether and how a file may be served. A wrong proof is answered like a file that is not there; one whose time is over says so. */
async function permit(context: AppContext, request: FileRequest): Promise<Permitted> {
  const { settings, clock } = context
  const asked = askedFile(request.params['*'])
  if (!asked) throw refuse('not_found')
  if (!asked.isPrivate) return { ...asked, cacheControl: 'public, max-age=31536000, immutable', disposition: 'inline' }
  const left = secondsLeft(settings.secret, clock.now(), asked.key, request.query)
  if (left === null) throw refuse('not_found')
  if (left === 0) throw refuse('forbidden')
  const file = await usedFile(context, asked.key)
  if (!file) throw refuse('not_found')
  // A document is never shown within the site: what is written in it is a stranger's.
  const disposition = file.kind === 'image' ? 'inline' : contentDisposition(file.name ?? 'document', { type: 'attachment' })
  return { ...asked, cacheControl: `private, max-age=${left}, immutable`, disposition }
}

const headersOf = ({ type, etag }: FileFacts, length: number): Record<string, string | number> => ({
  'content-type': type,
  'content-length': length,
  etag,
})

const isKnown = ({ headers }: FileRequest, { etag }: FileFacts): boolean =>
  (headers['if-none-match'] ?? '').split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')))

/** The range that is asked for; undefined for all of it, null when there is no such range. */
function rangeOf({ headers }: FileRequest, { bytes, etag }: FileFacts): ByteRange | undefined | null {
  const isOfThis = headers['if-range'] === undefined || headers['if-range'] === etag
  if (headers.range === undefined || !isOfThis) return undefined
  const ranges = parseRange(bytes, headers.range)
  if (ranges === -1) return null
  // Several ranges at once, and what is no range, may be answered with all of it.
  const [only] = ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1 ? [] : ranges
  return only && { from: only.start, to: only.end }
}

interface Answer {
  status: 200 | 206 | 304 | 416
  headers: Record<string, string | number>
  body?: Readable
}

/** What the store has to say to a request; null when it has no such file. */
async function answerOf({ files }: AppContext, request: FileRequest, key: string): Promise<Answer | null> {
  // Most requests ask for all of it: one question to the store.
  const isPlain = request.method === 'GET' && request.headers.range === undefined && request.headers['if-none-match'] === undefined
  if (isPlain) {
    const found = await files.get(key)
    return found && { status: 200, headers: headersOf(found, found.bytes), body: found.body }
  }
  const facts = await files.stat(key)
  if (!facts) return null
  if (isKnown(request, facts)) return { status: 304, headers: { etag: facts.etag } }
  const range = request.method === 'HEAD' ? undefined : rangeOf(request, facts)
  if (range === null) return { status: 416, headers: { 'content-range': `bytes */${facts.bytes}`, 'cache-control': 'no-store' } }
  const length = range ? range.to - range.from + 1 : facts.bytes
  if (request.method === 'HEAD') return { status: 200, headers: headersOf(facts, length) }
  const found = await files.get(key, range)
  if (!found || !range) return found && { status: 200, headers: headersOf(found, length), body: found.body }
  const part = { 'content-range': `bytes ${range.from}-${range.to}/${facts.bytes}` }
  return { status: 206, headers: { ...headersOf(found, length), ...part }, body: found.body }
}

/** A smaller size that was not made (yet) is answered with the picture itself, for a while. */
async function answerFor(context: AppContext, request: FileRequest, { key, asked, cacheControl }: Permitted): Promise<Answer | null> {
  const answer = await answerOf(context, request, asked)
  if (answer || asked === key) return answer
  const whole = await answerOf(context, request, key)
  return whole && { ...whole, headers: { 'cache-control': cacheControl.replace(/max-age=.*/, 'max-age=60'), ...whole.headers } }
}

export function mountFiles(app: FastifyInstance, context: AppContext): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/files/*',
    config: { cost: 'reading' },
    async handler(request: FileRequest, reply) {
      const permitted = await permit(context, request)
      const answer = await answerFor(context, request, permitted)
      if (!answer) throw refuse('not_found')
      return reply
        .code(answer.status)
        .headers({
          'cache-control': permitted.cacheControl,
          'accept-ranges': 'bytes',
          'x-content-type-options': 'nosniff',
          'cross-origin-resource-policy': 'same-origin',
          'content-disposition': permitted.disposition,
          ...answer.headers,
        })
        .send(answer.body)
    },
  })
}
