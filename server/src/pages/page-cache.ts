/** Public pages as rendered for guests, kept for some seconds. After these a page reads again what it was made from; only when that has changed is it rendered again. */
import type { ReadAnswer } from './page-answers.ts'
import type { CompressedBody } from './page-compression.ts'

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
  compressed: CompressedBody
}
interface KeptPage {
  page: Page
  readings: Reading[]
  /** When what it shows was true. */
  readAt: number
  renderedAt: number
}
type Render = (read: ReadAnswer) => Promise<Page>

export interface PageCache {
  /** The page under a key. `render` is given the reader its loaders must use. */
  page(key: string, read: ReadAnswer, render: Render): Promise<Page>
}
export interface PageCacheOptions {
  /** Milliseconds a page is served without looking; what it shows is at most this old. */
  freshForMs: number
  /** Milliseconds after which it is rendered in any case: its words for "now" are at most this old. */
  reusedForMs: number
  size: number
  now?: () => number
}

export function openPageCache(options: PageCacheOptions): PageCache {
  const now = options.now ?? (() => performance.now())
  const pages = new Map<string, { kept: KeptPage | null; coming: Promise<KeptPage> | null }>()

  const rendered = async (read: ReadAnswer, render: Render): Promise<KeptPage> => {
    const readings: Reading[] = []
    const renderedAt = now()
    let readAt = renderedAt
    const page = await render(async (name, input) => {
      const known = await read(name, input)
      readings.push({ name, input, digest: known.digest })
      // A page is as old as the oldest answer it shows.
      readAt = Math.min(readAt, known.readAt)
      return known
    })
    return { page, readings, readAt, renderedAt }
  }

  const renewed = async (kept: KeptPage | null, read: ReadAnswer, render: Render): Promise<KeptPage> => {
    const startedAt = now()
    if (!kept || startedAt - kept.renderedAt >= options.reusedForMs) return rendered(read, render)
    // A call that is refused now has changed too.
    const known = await Promise.all(kept.readings.map(({ name, input }) => read(name, input))).catch(() => null)
    if (!known?.every(({ digest }, at) => digest === kept.readings[at]?.digest)) return rendered(read, render)
    return { ...kept, readAt: Math.min(startedAt, ...known.map(({ readAt }) => readAt)) }
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
