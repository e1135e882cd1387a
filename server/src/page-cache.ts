/** Public pages as rendered for guests, kept for some seconds. After these a page reads again what it was made from; only when that has changed is it rendered again. */
import { createHash } from 'node:crypto'

/** What a page read while it was rendered: a call, and a digest of its answer. */
interface Reading {
  name: string
  input: unknown
  digest: string
}
export interface Page {
  status: number
  headers: [string, string][]
  body: Buffer
  /** The body compressed, made when first asked for. */
  brotli: Promise<Buffer> | null
}
interface KeptPage {
  page: Page
  readings: Reading[]
  /** When what it shows was true. */
  readAt: number
  renderedAt: number
}
export type ReadCall = (name: string, input: unknown) => Promise<unknown>

export interface PageCache {
  /** The page under a key. `render` is given the reader its loaders must use. */
  page(key: string, read: ReadCall, render: (read: ReadCall) => Promise<Page>): Promise<Page>
}
export interface PageCacheOptions {
  /** Milliseconds a page is served without looking; what it shows is at most this old. */
  freshForMs: number
  /** Milliseconds after which it is rendered in any case: its words for "now" are at most this old. */
  reusedForMs: number
  size: number
  now?: () => number
}

const digestOf = (answer: unknown): string =>
  createHash('sha1')
    .update(JSON.stringify(answer ?? null))
    .digest('base64')

export function openPageCache(options: PageCacheOptions): PageCache {
  const now = options.now ?? (() => performance.now())
  const pages = new Map<string, { kept: KeptPage | null; coming: Promise<KeptPage> | null }>()

  const rendered = async (read: ReadCall, render: (read: ReadCall) => Promise<Page>): Promise<KeptPage> => {
    const readings: Reading[] = []
    const readAt = now()
    const page = await render(async (name, input) => {
      const answer = await read(name, input)
      readings.push({ name, input, digest: digestOf(answer) })
      return answer
    })
    return { page, readings, readAt, renderedAt: readAt }
  }

  const renewed = async (kept: KeptPage | null, read: ReadCall, render: (read: ReadCall) => Promise<Page>): Promise<KeptPage> => {
    const readAt = now()
    if (!kept || readAt - kept.renderedAt >= options.reusedForMs) return rendered(read, render)
    // A call that is refused now has changed too.
    const same = await Promise.all(
      kept.readings.map(async ({ name, input, digest }) => digestOf(await read(name, input)) === digest),
    ).catch(() => [false])
    return same.every(Boolean) ? { ...kept, readAt } : rendered(read, render)
  }

  return {
    async page(key, read, render) {
      const known = pages.get(key)
      if (known?.kept && now() - known.kept.readAt < options.freshForMs) return known.kept.page
      // One rendering serves everybody who asks meanwhile.
      if (known?.coming) return (await known.coming).page
      const coming = renewed(known?.kept ?? null, read, render)
      pages.delete(key)
      pages.set(key, { kept: null, coming })
      if (pages.size > options.size) pages.delete(pages.keys().next().value ?? '')
      try {
        const kept = await coming
        if (kept.page.status >= 400) pages.delete(key)
        else if (pages.has(key)) pages.set(key, { kept, coming: null })
        return kept.page
      } catch (error) {
        pages.delete(key)
        throw error
      }
    },
  }
}

/** Whether an `Accept-Encoding` takes brotli; a weight of 0 says no. */
export function takesBrotli(header: string | string[] | undefined): boolean {
  for (const part of String(header ?? '').split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    if (name === 'br') return !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
  }
  return false
}
