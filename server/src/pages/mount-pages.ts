/** Serves the pages: the built web (or Vite's, in development) on the same port, with a cache of public pages as guests see them. */
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { serverPrefixes, siteLanguages } from '@soigne/contract/site-documents'
import { sitePath } from '@soigne/contract/site-routes'
import type { Locale } from '@soigne/contract/wire'
import { createRequestHandler } from 'react-router'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callAsGuest, type Served } from '#/platform/calls.ts'
import { refusalOf } from '#/platform/failures.ts'
import { providerName } from '#/features/identities/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse } from '#/platform/refuse.ts'
import { refusals } from '@soigne/contract/refusals'
import { minuteMs } from '@soigne/contract/time'
import { timeZonesInUse } from '#/features/institutes/service.ts'
import { clockRules } from './clock-rules.ts'
import { isKeptPath } from './kept-paths.ts'
import { pageAddress, withoutTraces } from './page-address.ts'
import { keepAnswers, type ReadCall } from './page-answers.ts'
import { openPageCache, type Page } from './page-cache.ts'
import { compressedBody, isCompressible, takesBrotli } from './page-compression.ts'
import { type MadePage, makePage, type PageAsked, type Read, type Said, type SiteFacts, type WebBuild } from './page-maker.ts'
import { openPageThreads, type PageThreads } from './page-threads.ts'
import { mountReleasedAssets } from './released-assets.ts'
import { mountSocialPictures } from './social-pictures.ts'
import { localeOfCookie } from '#/platform/language.ts'
import { refusalText } from '#/texts/refusal-texts.ts'

const web = resolve(import.meta.dirname, '../../../web')
/** Where the built web is. */
export const webBuild = join(web, 'build')

/** As many threads as there are processors, up to four; a page takes milliseconds of one, and 20 s mean that it never ends. */
const threadLimits = { count: Math.min(4, availableParallelism()), memoryMb: 256, patienceMs: 20_000, closingMs: 2_000 }

/** A public page is served as rendered: times on it are at most `freshForMs` old; booking checks them again. */
const cacheLimits = { freshForMs: 5_000, reusedForMs: 30_000, size: 1_000 }

/** What Vite leaves to the server while somebody develops. */
const serverPath = new RegExp(`^/(?:${serverPrefixes.join('|')})(?:/|$|\\?|\\.)`)

/** The language of a document: that of the address, else that of the visitor, as far as the screens are written in it. */
export function localeOfPage(request: Pick<FastifyRequest, 'query' | 'headers'>, languages: readonly Locale[]): Locale {
  const asked = (request.query as { lang?: unknown }).lang
  const known = (word: unknown): Locale | undefined => languages.find((language) => language === word)
  return known(asked) ?? known(localeOfCookie(request.headers.cookie)) ?? 'en'
}

/** Reads public calls as a guest. */
const readerOf =
  ({ database }: AppContext, served: Map<string, Served>, locale: Locale, address: string): ReadCall =>
  async (name, input) => {
    const one = served.get(name)
    if (!one || one.call.access !== 'public') throw new Error(`pages may read public calls only, not ${name}`)
    return database.guard(() => callAsGuest(one, input as { params?: unknown; query?: unknown; body?: unknown }, locale, address))
  }

/** What a call says to a page: refusals are answers, too. */
async function said(locale: Locale, json: () => Promise<string>): Promise<Said> {
  try {
    return { json: await json() }
  } catch (error) {
    const refusal = refusalOf(error)
    if (!refusal) return { failed: String((error as Error)?.stack ?? error) }
    const { code, details, values } = refusal
    const message = refusalText(locale, code, details, values)
    return { refused: { status: refusals[code], body: { code, message, ...(details && { details }) } } }
  }
}

/** What pages are told of the site. */
export const siteFacts = (context: AppContext, development: boolean): SiteFacts => ({
  publicUrl: context.publicUrl(),
  map: { styleUrl: context.settings.mapStyleUrl, googleKey: context.settings.googleMapsKey },
  development,
  signIn: providerName(context),
})

/** How long the list of zones in use is kept; a zone that is not in it yet is read by the browser's own rules. */
const zonesFreshForMs = minuteMs

/** What is kept grows old as time goes by, and when the clock of a trial is moved. */
const ageing =
  ({ trialClock }: AppContext) =>
  (): number =>
    performance.now() + (trialClock?.aheadMs() ?? 0)

function zonesForPages(context: AppContext): () => Promise<string> {
  const now = ageing(context)
  let inUse: string[] = []
  let readAt = Number.NEGATIVE_INFINITY
  let rules = Promise.resolve('')
  const read = async (): Promise<string> => {
    inUse = await context.database
      .guard(() => timeZonesInUse(context.database.reading.db))
      .catch((error: unknown) => {
        context.log.warn({ err: error }, 'the zones in use could not be read')
        return inUse
      })
    return clockRules(inUse, context.clock.now())
  }
  return () => {
    if (now() - readAt >= zonesFreshForMs) {
      readAt = now()
      rules = read()
    }
    return rules
  }
}

function toPage({ status, headers, body: bytes, brotli }: MadePage): Page {
  // A file that is not there is refused like everything else.
  if (status === 404 && bytes.length === 0) throw refuse('not_found')
  const body = asBuffer(bytes)
  return { status, headers, body, compressed: compressedBody(body, brotli && asBuffer(brotli)) }
}
const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength)

function send(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  reply.code(page.status)
  for (const [name, value] of page.headers) reply.header(name, value)
  const type = page.headers.find(([name]) => name === 'content-type')?.[1] ?? ''
  // The language of a document is chosen by a cookie.
  reply.header('vary', 'cookie')
  if (!isCompressible(type, page.body)) return reply.send(page.body)
  reply.header('vary', 'accept-encoding, cookie')
  if (!takesBrotli(request.headers['accept-encoding'])) return reply.send(page.body)
  return reply.header('content-encoding', 'br').send(page.compressed.bytes())
}

const passedOn = ['accept', 'accept-language', 'cookie', 'user-agent', 'x-react-router-request']
const headersOf = ({ headers }: FastifyRequest): [string, string][] =>
  passedOn.flatMap((name): [string, string][] => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })

/** The address of this page opens an account: it is kept nowhere and told nobody. */
const resetPath = sitePath('resetPassword')

/** A list by what somebody asks for, as a page or as what the router reads of it. */
const listPath = sitePath('institutes')
const isSearch = (url: string): boolean => url.startsWith(`${listPath}?`) || url.startsWith(`${listPath}.data?`)

interface Source {
  make(asked: PageAsked, read: Read): Promise<MadePage>
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
  app.use((request, response, next) => (serverPath.test(request.url ?? '') ? next() : vite.middlewares(request, response, next)))
  app.addHook('onClose', async () => vite.close())
  return {
    async make(asked, read) {
      const build = (await vite.ssrLoadModule('virtual:react-router/server-build')) as WebBuild
      return makePage({ build, handle: createRequestHandler(build, 'development') }, asked, read)
    },
    development: true,
  }
}

/** Threads with the built web. @throws when it is not built */
export function openWeb(log: AppContext['log']): Promise<PageThreads> {
  const entry = join(webBuild, 'server/index.js')
  if (!existsSync(entry)) throw new Error('the web is not built; run npm run build')
  return openPageThreads({
    ...threadLimits,
    program: new URL('./page-thread.ts', import.meta.url),
    data: { entry: pathToFileURL(entry).href },
    onLost: (error) => log.error({ err: error }, 'a thread that makes pages ended; another takes its place'),
  })
}

/** Files of the build that do something: the worker asks the server, the pages without a connection have their style in them. */
const ownPolicies: readonly (readonly [RegExp, string])[] = [
  [/\/sw\.js(?:\.\w+)?$/, "default-src 'none'; connect-src 'self'"],
  [/\/offline\.\w\w\.html(?:\.\w+)?$/, "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"],
]

async function builtSource(app: FastifyInstance, context: AppContext, threads: PageThreads, build: string): Promise<Source> {
  app.addHook('onClose', () => threads.close())
  await app.register(fastifyStatic, {
    root: join(build, 'client'),
    index: false,
    serve: true,
    wildcard: false,
    preCompressed: true,
    decorateReply: false,
    setHeaders(reply, path) {
      void reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600')
      const policy = ownPolicies.find(([name]) => name.test(path))?.[1]
      if (policy) void reply.header('content-security-policy', policy)
    },
  })
  mountReleasedAssets(app, context)
  return { make: threads.make, development: false }
}

/**
 * Mounts the pages after everything else, in a scope of their own so that the API keeps its body parsers.
 * @param threads what makes them; null while somebody develops
 */
export async function mountPages(
  app: FastifyInstance,
  context: AppContext,
  served: Map<string, Served>,
  threads: PageThreads | null,
  build = webBuild,
): Promise<void> {
  const cache = openPageCache({ ...cacheLimits, now: ageing(context) })
  const keptAnswers = keepAnswers({ freshForMs: cacheLimits.freshForMs, size: 200, now: ageing(context) })
  const zones = zonesForPages(context)
  await app.register(async (pages) => {
    const source = threads ? await builtSource(pages, context, threads, build) : await developmentSource(pages)
    const hereAndNow = (): Pick<PageAsked, 'site' | 'now'> => ({ site: siteFacts(context, source.development), now: context.clock.now() })
    const make = async (request: FastifyRequest, address: string, locale: Locale, read: Read): Promise<Page> =>
      toPage(
        await source.make(
          {
            url: pageAddress(address, context.publicUrl()).href,
            headers: headersOf(request),
            locale,
            brotli: takesBrotli(request.headers['accept-encoding']),
            ...hereAndNow(),
            zones: await zones(),
          },
          read,
        ),
      )
    const readSvg = async (path: string): Promise<Buffer | null> => {
      const url = new URL(path, context.publicUrl()).href
      const asked: PageAsked = { url, headers: [], locale: 'en', brotli: false, ...hereAndNow(), zones: '' }
      const { status, body } = await source.make(asked, async () => ({ failed: 'pictures read nothing' }))
      return status === 200 ? asBuffer(body) : null
    }
    mountSocialPictures(pages, { served, files: context.files, guard: context.database.guard, readSvg })
    pages.route({
      method: ['GET', 'HEAD'],
      url: '/*',
      config: { cost: ({ url }) => (isSearch(url) ? 'search' : 'reading') },
      async handler(request, reply) {
        const locale = localeOfPage(request, context.settings.siteLanguages ?? siteLanguages)
        const address = withoutTraces(request.url)
        const path = address.split('?', 1)[0] ?? '/'
        if (path === resetPath) reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
        const read = readerOf(context, served, locale, request.ip)
        if (source.development || !isKeptPath(path)) {
          const readAnew: Read = (name, input) => said(locale, async () => JSON.stringify((await read(name, input)) ?? null))
          return send(request, reply, await make(request, address, locale, readAnew))
        }
        const page = await cache.page(`${locale} ${address}`, keptAnswers(locale, read), (readAnswer) =>
          make(request, address, locale, (name, input) => said(locale, async () => (await readAnswer(name, input)).json)),
        )
        return send(request, reply, page)
      },
    })
  })
}
