/**
 * First paint in a wide window, from the request to the first thing on screen, against that of the same document without scripts, fonts and pictures: in turn,
 * each visit with an empty cache, medians; then with a processor four times slower.
 */
import { browserArgs, findBrowser } from '@soigne/e2e/browser'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium } from 'playwright-core'
import { type Figure, percentile } from './figure.ts'
import { firstSlug } from './page-scripts.ts'
import type { Product } from './product.ts'

const rounds = 11
/** Of the bare document; on the clock 150 ms are aimed at, and 500 with the slower processor. */
const mostOfBare = 1.6
const left = new Set(['script', 'font', 'image'])

interface Look {
  /** Without scripts, fonts and pictures. */
  bare: boolean
  /** How many times slower the processor is. */
  slower: number
}

async function firstPaint(browser: Browser, url: string, { bare, slower }: Look): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, javaScriptEnabled: !bare })
  try {
    const page = await context.newPage()
    if (bare) await page.route('**/*', (route) => (left.has(route.request().resourceType()) ? route.abort() : route.continue()))
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slower })
    await page.goto(url, { waitUntil: 'load' })
    // Where scripts are off no observer is called: it is looked for from here.
    for (let look = 0; look < 500; look++) {
      const found = await page.evaluate<number | null>(`performance.getEntriesByType('paint')[0]?.startTime ?? null`)
      if (found !== null) return found
      await sleep(20)
    }
    throw new Error(`nothing was painted of ${url}`)
  } finally {
    await context.close()
  }
}

export async function run(product: Product): Promise<Figure[]> {
  const pages = { home: '/', institutes: '/institutes?place=Lyon', salon: `/salon/${await firstSlug(product.url)}` }
  const browser = await chromium.launch({ ...(await findBrowser()), args: browserArgs })
  const figures: Figure[] = []
  try {
    for (const [name, path] of Object.entries(pages)) {
      const url = `${product.url}${path}`
      const took = { whole: [] as number[], bare: [] as number[], slow: [] as number[] }
      for (let round = -1; round < rounds; round++) {
        const [whole, bare, slow] = [
          await firstPaint(browser, url, { bare: false, slower: 1 }),
          await firstPaint(browser, url, { bare: true, slower: 1 }),
          await firstPaint(browser, url, { bare: false, slower: 4 }),
        ]
        if (round < 0) continue
        took.whole.push(whole)
        took.bare.push(bare)
        took.slow.push(slow)
      }
      const [whole, bare, slow] = [percentile(took.whole, 0.5), percentile(took.bare, 0.5), percentile(took.slow, 0.5)]
      figures.push(
        { name: `paint.${name}.first`, value: whole, unit: 'ms' },
        { name: `paint.${name}.slower`, value: slow, unit: 'ms' },
        { name: `paint.${name}.of_bare`, value: whole / bare, unit: 'of the bare document', limit: mostOfBare, ratio: whole / bare },
      )
    }
  } finally {
    await browser.close()
  }
  return figures
}
