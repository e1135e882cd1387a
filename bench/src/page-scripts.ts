/** Bytes of scripts a guest's browser fetches on a cold visit of each page, before any interaction, compressed as served. */
import { browserArgs, findBrowser } from '@soigne/e2e/browser'
import { chromium } from 'playwright-core'
import type { Figure } from './figure.ts'
import type { Product } from './product.ts'

const limitBytes = 170_000

export async function firstSlug(url: string): Promise<string> {
  const answer = (await (await fetch(`${url}/api/v1/client/institutes?place=Lyon`)).json()) as { items: { slug: string }[] }
  return answer.items[0]?.slug ?? ''
}

export async function run(product: Product): Promise<Figure[]> {
  const slug = await firstSlug(product.url)
  const paths: Record<string, string> = {
    home: '/',
    institutes: '/institutes?place=Lyon',
    salon: `/salon/${slug}`,
    booking: `/salon/${slug}/book`,
    login: '/login',
    register: '/register',
    contact: '/contact',
    terms: '/terms',
  }
  const browser = await chromium.launch({ ...(await findBrowser()), args: browserArgs })
  const figures: Figure[] = []
  try {
    for (const [name, path] of Object.entries(paths)) {
      const context = await browser.newContext()
      const page = await context.newPage()
      const session = await context.newCDPSession(page)
      await session.send('Network.enable')
      const headers = new Map<string, number>()
      let bytes = 0
      session.on('Network.responseReceived', ({ requestId, response, type }) => {
        if (type === 'Script' || /javascript/.test(response.mimeType)) headers.set(requestId, response.encodedDataLength)
      })
      session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
        const head = headers.get(requestId)
        // What the scripts weigh; the headers around them are the server's business.
        if (head !== undefined) bytes += encodedDataLength - head
      })
      await page.goto(`${product.url}${path}`, { waitUntil: 'networkidle' })
      figures.push({ name: `scripts.${name}`, value: bytes / 1000, unit: 'kB', limit: limitBytes / 1000 })
      await context.close()
    }
  } finally {
    await browser.close()
  }
  return figures
}
