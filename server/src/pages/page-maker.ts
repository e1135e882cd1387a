/** Makes one page from the web. What its loaders read comes as JSON, from wherever the calls are served. */
import type { Instant } from '@soigne/contract/time'
import type { Locale } from '@soigne/contract/wire'
import { type createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import { isCompressible, quicklyCompressed } from './page-compression.ts'
import { policyFor } from './page-policy.ts'

/** What every page of a server is given. */
export interface SiteFacts {
  /** Origin of the site without a slash at the end. */
  publicUrl: string
  map: { styleUrl: string | null; googleKey: string | null }
  /** What the provider of identities is called; null where there is none. */
  signIn: string | null
  development: boolean
}

export interface PageAsked {
  /** On our own host. */
  url: string
  headers: [string, string][]
  locale: Locale
  /** Whether who asks takes brotli. */
  brotli: boolean
  site: SiteFacts
  /** When it was asked for. */
  now: Instant
  /** The clock rules of the zones in use. */
  zones: string
}

export interface MadePage {
  status: number
  headers: [string, string][]
  body: Uint8Array
  /** The body in brotli, where it is worth it and was asked for. */
  brotli: Uint8Array | null
}

/** What a call said to a page: its answer, or that it was refused, or that it failed. */
export type Said = { json: string } | { refused: { status: number; body: unknown } } | { failed: string }
export type Read = (name: string, input: unknown) => Promise<Said>

/** What the loaders of a page are given; its twin is web/src/platform/server-context.ts. */
interface PageServer extends SiteFacts {
  call(name: string, input: { params?: unknown; query?: unknown; body?: unknown }): Promise<unknown>
  locale: Locale
  now: Instant
  zones(): Promise<string>
}

export interface WebBuild extends ServerBuild {
  entry: ServerBuild['entry'] & {
    module: ServerBuild['entry']['module'] & { serverContext: never; ApiError: new (status: number, body: unknown) => Error }
  }
}
/** The web and its handler: they change together, while somebody develops. */
export interface Web {
  build: WebBuild
  handle: ReturnType<typeof createRequestHandler>
}

/** Refusals that pass: too much asked, and a part away. */
const passes: ReadonlySet<number> = new Set([429, 503])
/** Seconds after which a page that needs what is away may be asked for again. */
const retryAfter = 2

function pageServer({ locale, site, now, zones }: PageAsked, read: Read, { ApiError }: WebBuild['entry']['module']): PageServer {
  return {
    ...site,
    locale,
    now,
    zones: async () => zones,
    async call(name, input) {
      const said = await read(name, input)
      if ('refused' in said) throw new ApiError(said.refused.status, said.refused.body)
      if ('failed' in said) throw new Error(said.failed)
      return JSON.parse(said.json) as unknown
    },
  }
}

export async function makePage({ build, handle }: Web, asked: PageAsked, read: Read): Promise<MadePage> {
  const context = new RouterContextProvider()
  let passing: number | null = null
  const reading: Read = async (name, input) => {
    const said = await read(name, input)
    if ('refused' in said && passes.has(said.refused.status)) passing = said.refused.status
    return said
  }
  context.set(build.entry.module.serverContext, pageServer(asked, reading, build.entry.module) as never)
  const response = await handle(new Request(asked.url, { headers: asked.headers }), context)
  const headers = [...response.headers].filter(([name]) => name !== 'content-length')
  const type = response.headers.get('content-type') ?? ''
  let body: Buffer
  if (type.includes('text/html')) {
    const html = await response.text()
    const { styleUrl, googleKey } = asked.site.map
    headers.push(['content-security-policy', policyFor(html, { mapStyleUrl: styleUrl, googleMapsKey: googleKey })])
    body = Buffer.from(html)
  } else {
    body = Buffer.from(await response.arrayBuffer())
  }
  // The web knows of failures only; that it was the database or a crowd and not the page, and that it passes, is known here.
  const status = passing !== null && response.status === 500 ? passing : response.status
  if (passes.has(status)) headers.push(['retry-after', String(retryAfter)])
  return { status, headers, body, brotli: asked.brotli && isCompressible(type, body) ? quicklyCompressed(body) : null }
}
