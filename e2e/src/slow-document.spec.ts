/** Pages that come in pieces, as over a slow line, and before their scripts. */
import { createServer, get, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { expect, test } from './support/journey.ts'

const pieceBytes = 1500
const pauseMs = 25

/** Where a part of a page begins; a word or a field that is cut grows a line wherever it stands. */
function cutAfter(body: Buffer, at: number): number {
  const parts = /<(?:section|article|li|ul|form|header|footer|main|nav|fieldset|figure|p|h[1-6])\b/g
  parts.lastIndex = at
  return parts.exec(body.toString('latin1'))?.index ?? body.length
}

/** Passes everything on; documents come in pieces. */
async function slowLine(target: string): Promise<Server> {
  const server = createServer((request, response) => {
    get(new URL(request.url ?? '/', target), { headers: { ...request.headers, 'accept-encoding': 'identity' } }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      if (!answer.headers['content-type']?.includes('text/html')) return void answer.pipe(response)
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', async () => {
        const body = Buffer.concat(parts)
        for (let at = 0; at < body.length;) {
          const end = cutAfter(body, at + pieceBytes)
          response.write(body.subarray(at, end))
          at = end
          await sleep(pauseMs)
        }
        response.end()
      })
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return server
}

/** Watches what moves from now on: all of a page, or what is within one part of it. */
async function watchMoves(page: Page, within: string) {
  await page.addInitScript((selector) => {
    const moved: string[] = []
    Object.assign(window, { moved })
    new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries() as (PerformanceEntry & {
        sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
      })[]) {
        for (const { node, previousRect: a, currentRect: b } of sources) {
          const element = node instanceof Element ? node : node?.parentElement
          if (element?.closest(selector))
            moved.push(
              element.tagName +
                '.' +
                element.className +
                ' ' +
                element.textContent.slice(0, 40) +
                ` ${a.x},${a.y} ${a.width}x${a.height} > ${b.x},${b.y} ${b.width}x${b.height}`,
            )
        }
      }
    }).observe({ type: 'layout-shift', buffered: true })
  }, within)
}

async function visitsInPieces(page: Page, target: string, pathsOfPages: readonly string[]) {
  const server = await slowLine(target)
  try {
    const { port } = server.address() as AddressInfo
    // The faces are there before: that each page asks for its own ahead of its styles is looked at in weight.spec.
    await page.goto(`http://127.0.0.1:${port}/icons`)
    await page.evaluate(() => document.fonts.ready)
    for (const path of pathsOfPages) {
      await page.goto(`http://127.0.0.1:${port}${path}`)
      await page.waitForLoadState('networkidle')
      expect.soft(await page.evaluate(() => (window as unknown as { moved: string[] }).moved), path).toEqual([])
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

for (const width of [1440, 900, 390]) {
  test(`while a list comes in pieces its filters stay where they are, ${width} pixels wide`, async ({ page, baseURL }) => {
    await page.setViewportSize({ width, height: 900 })
    await watchMoves(page, 'nav[aria-label=Filters]')
    await visitsInPieces(page, baseURL ?? '', ['/institutes', '/institutes?place=Lyon&category=hair'])
  })

  test(`while a page comes in pieces nothing on it moves, ${width} pixels wide`, async ({ page, baseURL }) => {
    await page.setViewportSize({ width, height: 900 })
    await watchMoves(page, 'body')
    await visitsInPieces(page, baseURL ?? '', ['/', '/login', '/register', '/reset-password'])
  })
}

/** React has taken over the header, and with it all of the page whose scripts are there. */
const isTakenOver = (page: Page) =>
  page.evaluate(() => Object.keys(document.querySelector('header') ?? {}).some((key) => key.startsWith('__reactFiber')))

test('what the document shows stays and can be pressed while the scripts of its parts are on the way', async ({ page }) => {
  let isAsked = false
  const arrived = Promise.withResolvers<void>()
  await page.route(/\/assets\/(?:empty-result|found-map)-/, async (route) => {
    isAsked = true
    await arrived.promise
    await route.continue()
  })
  await page.goto('/institutes?what=gel+manicure&place=Lyon&maxPrice=1')
  await expect.poll(() => isTakenOver(page)).toBe(true)
  await expect.poll(() => isAsked).toBe(true)
  // Long enough for all that follows the take-over: who is signed in is read in it.
  await page.evaluate(() => new Promise((done) => requestIdleCallback(() => requestAnimationFrame(done))))
  const way = page.getByRole('link', { name: /^\d+ institutes? without the price$/ })
  expect(await way.count()).toBe(1)
  await way.click()
  arrived.resolve()
  await expect(page.getByRole('article').first()).toBeVisible()
})

test('what is chosen before the scripts have come counts when they do', async ({ page }) => {
  const arrived = Promise.withResolvers<void>()
  await page.route(/\/assets\/[^/]+\.js$/, async (route) => {
    await arrived.promise
    await route.continue()
  })
  await page.goto('/salon/atelier-nacre/book', { waitUntil: 'commit' })
  const services = page.getByRole('checkbox')
  const [first, second] = [services.nth(0), services.nth(1)]
  await first.check()
  await second.check()
  expect(await isTakenOver(page)).toBe(false)
  const ids = [await first.inputValue(), await second.inputValue()]
  arrived.resolve()
  await expect.poll(() => new URL(page.url()).searchParams.getAll('service')).toEqual(ids)
  await expect(first).toBeChecked()
  await second.uncheck()
  await expect.poll(() => new URL(page.url()).searchParams.getAll('service')).toEqual(ids.slice(0, 1))
})

/** What the browser makes to write dates, prices and lists with. */
const formats = ['DateTimeFormat', 'NumberFormat', 'RelativeTimeFormat', 'ListFormat'] as const

for (const locale of ['en', 'fr', 'ar'] as const)
  test(`dates and prices of a document are written by the server alone on a phone, ${locale}`, async ({ page, baseURL }) => {
    // In a wide window the map writes days of its own on its pins, once the page stands.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.context().addCookies([{ name: 'locale', value: locale, url: baseURL ?? '' }])
    await page.addInitScript(
      ({ chosen, names }) => {
        localStorage.setItem('locale', chosen)
        const made: string[] = []
        Object.assign(window, { made })
        for (const name of names) {
          const watched = new Proxy(Intl[name], {
            construct(format, asked: [string, object]) {
              made.push(`${name} ${JSON.stringify(asked)}`)
              return Reflect.construct(format, asked) as object
            },
          })
          Object.assign(Intl, { [name]: watched })
        }
      },
      { chosen: locale, names: formats },
    )
    const made = (): Promise<string[]> => page.evaluate(() => (window as unknown as { made: string[] }).made)
    for (const path of ['/', '/institutes', '/institutes?place=Lyon', '/salon/atelier-nacre']) {
      await page.goto(path)
      await page.waitForLoadState('networkidle')
      await expect.poll(() => page.evaluate(() => Object.keys(document.body).some((key) => key.startsWith('__react')))).toBe(true)
      expect.soft(await made(), path).toEqual([])
    }
    // They would be seen.
    await page.evaluate(() => new Intl.NumberFormat('en').format(1))
    expect(await made()).toHaveLength(1)
  })
