/** Serves the pages: the built web (or Vite's, in development) on the same port, with a cache of public pages as guests see them. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Locale } from '@soigne/contract/wire'
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callAsGuest, type Served } from '#/platform/calls.ts'
import { refusalOf } from '#/platform/failures.ts'
import type { Parts } from '#/platform/parts.ts'
import { refuse } from '#/platform/refuse.ts'
import { refusals } from '@soigne/contract/refusals'
import { timeZonesInUse } from '#/features/institutes/service.ts'
import { clockRules } from './clock-rules.ts'
import { pageAddress } from './page-address.ts'
import { keepAnswers, type ReadCall } from './page-answers.ts'
import { openPageCache, type Page } from './page-cache.ts'
import { compressedBody, takesBrotli } from './page-compression.ts'
import { policyFor } from './page-policy.ts'
import { mountSocialPictures } from './social-pictures.ts'
import { refusalWords } from '#/texts/refusal-words.ts'

const web = resolve(import.meta.dirname, '../../web')

/** What the pages read on the server; its twin is web/src/platform/server-context.ts. */
interface PageServer {
  call(name: string, input: { params?: unknown; query?: unknown; body?: unknown }): Promise<unknown>
  locale: Locale
  publicUrl: string
  map: { styleUrl: string | null; googleKey: string | null }
  development: boolean
  zones(): Promise<string>
}

interface WebBuild extends ServerBuild {
  entry: ServerBuild['entry'] & {
    module: ServerBuild['entry']['module'] & { serverContext: never; ApiError: new (status: number, body: unknown) => Error }
  }
}

/** A public page is served as rendered: times on it are at most `freshForMs` old; booking checks them again. */
const cacheLimits = { freshForMs: 5_000, reusedForMs: 30_000, size: 1_000 }

/** Pages that are the same for every guest; the others are rendered anew. */
const isPublicPath = (path: string): boolean =>
  /^\/(?:_root\.data|terms(?:\.data)?|contact(?:\.data)?|icons(?:\.data)?|institutes(?:\.data)?|salon\/[^/]+(?:\.data)?)?$/.test(path)

export function localeOfPage(request: FastifyRequest): Locale {
  const asked = (request.query as { lang?: unknown }).lang
  if (asked === 'fr' || asked === 'ar' || asked === 'en') return asked
  const cookie = /(?:^|;\s*)locale=(en|fr|ar)(?:;|$)/.exec(request.headers.cookie ?? '')
  return (cookie?.[1] as Locale | undefined) ?? 'en'
}

/** Reads public calls as a guest. */
const readerOf =
  (served: Map<string, Served>, locale: Locale): ReadCall =>
  async (name, input) => {
    const one = served.get(name)
    if (!one || one.call.access !== 'public') throw new Error(`pages may read public calls only, not ${name}`)
    return callAsGuest(one, input as { params?: unknown; query?: unknown; body?: unknown }, locale)
  }

/** What the pages of one request are given. */
export function pageServer(
  served: Map<string, Served>,
  parts: Parts,
  locale: Locale,
  ApiError: WebBuild['entry']['module']['ApiError'],
  development: boolean,
  zones: () => Promise<string> = async () => '',
  read: ReadCall = readerOf(served, locale),
): PageServer {
  return {
    async call(name, input) {
      try {
        return await read(name, input)
      } catch (error) {
        const refusal = refusalOf(error)
        if (!refusal) throw error
        throw new ApiError(refusals[refusal.code], {
          code: refusal.code,
          message: refusalWords(locale, refusal.code, refusal.details, refusal.words),
          ...(refusal.details && { details: refusal.details }),
        })
      }
    },
    locale,
    publicUrl: parts.publicUrl(),
    map: { styleUrl: parts.settings.mapStyleUrl, googleKey: parts.settings.googleMapsKey },
    development,
    zones,
  }
}

/** How long the list of zones in use is kept; a zone that is not in it yet is read by the browser's own rules. */
const zonesFreshForMs = 60_000

function zonesForPages(parts: Parts): () => Promise<string> {
  let inUse: string[] = []
  let readAt = Number.NEGATIVE_INFINITY
  let rules = Promise.resolve('')
  const read = async (): Promise<string> => {
    inUse = await timeZonesInUse(parts.database.db).catch((error: unknown) => {
      parts.log.warn({ err: error }, 'the zones in use could not be read')
      return inUse
    })
    return clockRules(inUse, parts.clock.now())
  }
  return () => {
    if (performance.now() - readAt >= zonesFreshForMs) {
      readAt = performance.now()
      rules = read()
    }
    return rules
  }
}

async function toPage(response: Response, parts: Parts): Promise<Page> {
  const headers = [...response.headers].filter(([name]) => name !== 'content-length')
  const isHtml = response.headers.get('content-type')?.includes('text/html') ?? false
  const content = isHtml ? await response.text() : Buffer.from(await response.arrayBuffer())
  // A file that is not there is refused like everything else.
  if (response.status === 404 && content.length === 0) throw refuse('not_found')
  if (typeof content === 'string') headers.push(['content-security-policy', policyFor(content, parts.settings)])
  const body = typeof content === 'string' ? Buffer.from(content) : content
  return { status: response.status, headers, body, compressed: compressedBody(body) }
}

const compressible = /^(?:text\/|application\/json|image\/svg)/

function send(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  reply.code(page.status)
  for (const [name, value] of page.headers) reply.header(name, value)
  const type = page.headers.find(([name]) => name === 'content-type')?.[1] ?? ''
  if (page.body.length < 1000 || !compressible.test(type) || !takesBrotli(request.headers['accept-encoding'])) return reply.send(page.body)
  return reply.header('content-encoding', 'br').header('vary', 'accept-encoding').send(page.compressed.bytes())
}

const requestOf = (request: FastifyRequest, parts: Parts): Request => {
  const headers = new Headers()
  for (const name of ['accept', 'accept-language', 'cookie', 'user-agent', 'x-react-router-request']) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  return new Request(pageAddress(request.url, parts.publicUrl()), { method: request.method === 'HEAD' ? 'GET' : request.method, headers })
}

type Handle = ReturnType<typeof createRequestHandler>

interface Source {
  /** The build with its handler: they change together, while somebody develops. */
  current(): Promise<{ build: WebBuild; handle: Handle }>
  development: boolean
}

/** Pages over Vite with hot reload, on the same port. */
async function developmentSource(app: FastifyInstance): Promise<Source> {
  const { createServer } = await import('vite')
  const vite = await createServer({
    root: web,
    configFile: join(web, 'vite.config.ts'),
    server: { middlewareMode: true, ws: { server: app.server } as never },
    appType: 'custom',
  })
  const middie = await import('@fastify/middie')
  await app.register(middie.default)
  app.use((request, response, next) =>
    /^\/(?:api|dev|files|health|ready|metrics)(?:\/|$|\?|\.)/.test(request.url ?? '') ? next() : vite.middlewares(request, response, next),
  )
  app.addHook('onClose', async () => vite.close())
  return {
    async current() {
      const build = (await vite.ssrLoadModule('virtual:react-router/server-build')) as WebBuild
      return { build, handle: createRequestHandler(build, 'development') }
    },
    development: true,
  }
}

async function builtSource(app: FastifyInstance): Promise<Source> {
  const entry = join(web, 'build/server/index.js')
  if (!existsSync(entry)) throw new Error('the web is not built; run npm run build')
  const build = (await import(pathToFileURL(entry).href)) as WebBuild
  await app.register(fastifyStatic, {
    root: join(web, 'build/client'),
    index: false,
    serve: true,
    wildcard: false,
    preCompressed: true,
    decorateReply: false,
    setHeaders: (reply, path) =>
      void reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'),
  })
  // The handler reckons its table of routes once.
  const current = { build, handle: createRequestHandler(build, 'production') }
  return { current: async () => current, development: false }
}

/** Mounts the pages after everything else, in a scope of their own so that the API keeps its body parsers. */
export async function mountPages(app: FastifyInstance, parts: Parts, served: Map<string, Served>, development: boolean): Promise<void> {
  const cache = openPageCache(cacheLimits)
  const keptAnswers = keepAnswers({ freshForMs: cacheLimits.freshForMs, size: 200 })
  const zones = zonesForPages(parts)
  await app.register(async (pages) => {
    const source = development ? await developmentSource(pages) : await builtSource(pages)
    const render = async (request: FastifyRequest, locale: Locale, read: ReadCall): Promise<Page> => {
      const { build, handle } = await source.current()
      const context = new RouterContextProvider()
      context.set(
        build.entry.module.serverContext,
        pageServer(served, parts, locale, build.entry.module.ApiError, source.development, zones, read) as never,
      )
      return toPage(await handle(requestOf(request, parts), context), parts)
    }
    mountSocialPictures(pages, served, async (path) => {
      const { build, handle } = await source.current()
      const context = new RouterContextProvider()
      context.set(
        build.entry.module.serverContext,
        pageServer(served, parts, 'en', build.entry.module.ApiError, source.development, zones) as never,
      )
      const response = await handle(new Request(new URL(path, parts.publicUrl())), context)
      return response.ok ? Buffer.from(await response.arrayBuffer()) : null
    })
    pages.route({
      method: ['GET', 'HEAD'],
      url: '/*',
      async handler(request, reply) {
        const locale = localeOfPage(request)
        const path = request.url.split('?', 1)[0] ?? '/'
        const read = readerOf(served, locale)
        if (source.development || !isPublicPath(path)) return send(request, reply, await render(request, locale, read))
        const page = await cache.page(`${locale} ${request.url}`, keptAnswers(locale, read), (readAnswer) =>
          render(request, locale, async (name, input) => (await readAnswer(name, input)).answer),
        )
        return send(request, reply, page)
      },
    })
  })
}
