/** What a page costs whoever opens it for the first time, and that nothing on it moves: counts, which no slow machine changes. */
import type { Page } from '@playwright/test'
import { newAccount, signInByStorage } from './support/accounts.ts'
import { expect, test } from './support/journey.ts'
import { book, bookingAddress, freeOpening } from './support/times.ts'

const mostRequests = 25
/** Compressed, as they are sent. */
const mostScriptBytes = 150_000

const publicPages = [
  '/',
  '/?view=pro',
  '/institutes',
  '/institutes?place=Lyon&category=hair',
  '/salon/atelier-nacre',
  '/salon/atelier-nacre/book',
  '/login',
  '/register',
  '/reset-password',
  '/contact',
  '/terms',
  '/reviews-policy',
  '/icons',
]
/** Pages with a map or covers ask for other files in a wide window; `npm run test:looks` opens all of them in both. */
const widePages =
  process.env['EVERY_LOOK'] === '1' ? publicPages : ['/', '/institutes', '/institutes?place=Lyon&category=hair', '/salon/atelier-nacre']
const windows = [
  { size: { width: 1440, height: 900 }, pages: widePages },
  { size: { width: 390, height: 844 }, pages: publicPages },
]

type Moved = { value: number; what: string[] }

/** 0.000 as the tools of browsers write it. A busy browser may paint one word before its face, and a neighbour goes 3 px (0.00005). */
const leastShift = 0.0005

/** What moves on pages of this browser without somebody's doing, from their first paint on; nothing if all of it is less than can be seen. */
async function watchShifts(page: Page): Promise<() => Promise<Moved[]>> {
  await page.addInitScript(() => {
    const moved: Moved[] = []
    Object.assign(window, { moved })
    new PerformanceObserver((list) => {
      type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] }
      for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[])
        if (!hadRecentInput) moved.push({ value, what: sources.map(({ node }) => `${node?.nodeName} ${node?.textContent?.slice(0, 40)}`) })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return async () => {
    const moves = await page.evaluate(() => (window as unknown as { moved: Moved[] }).moved)
    return moves.reduce((all, { value }) => all + value, 0) < leastShift ? [] : moves
  }
}

async function settle(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await page.waitForLoadState('networkidle')
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
}

for (const { size, pages } of windows) {
  test(`a first visit asks for at most ${mostRequests} files and ${mostScriptBytes / 1000} kB of scripts, ${size.width} pixels wide`, async ({
    browser,
    baseURL,
  }) => {
    test.slow()
    for (const path of pages) {
      const context = await browser.newContext({ viewport: size, baseURL: baseURL ?? '' })
      const page = await context.newPage()
      const network = await context.newCDPSession(page)
      await network.send('Network.enable')
      const asked: string[] = []
      const heads = new Map<string, { name: string; bytes: number }>()
      const scripts: [bytes: number, name: string][] = []
      network.on('Network.responseReceived', ({ requestId, response, type }) => {
        if (response.url.startsWith('data:')) return
        asked.push(new URL(response.url).pathname)
        if (type === 'Script') heads.set(requestId, { name: new URL(response.url).pathname, bytes: response.encodedDataLength })
      })
      network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
        const head = heads.get(requestId)
        if (head) scripts.push([encodedDataLength - head.bytes, head.name])
      })
      await settle(page, path)
      const preloaded = await page
        .locator('link[rel=preload][as=font]')
        .evaluateAll((links) => links.map((link) => (link as HTMLLinkElement).href))
      // What somebody wrote in Arabic, a review of the day perhaps, brings its face with it.
      const isWrittenInArabic = /\p{Script=Arabic}/u.test(await page.getByRole('main').innerText())
      const files = asked.filter((one) => !(isWrittenInArabic && one.includes('-arabic-')))
      const faces = files.filter((one) => one.endsWith('.woff2'))
      expect(
        faces.filter((one) => !preloaded.some((url) => url.endsWith(one))),
        `${path}: faces that come late`,
      ).toEqual([])
      const scriptBytes = scripts.reduce((sum, [bytes]) => sum + bytes, 0)
      expect(scriptBytes, path).toBeGreaterThan(0)
      expect(scriptBytes, `${path}\n${scripts.toSorted(([a], [b]) => b - a).join('\n')}`).toBeLessThanOrEqual(mostScriptBytes)
      expect(files.length, `${path}\n${files.join('\n')}`).toBeLessThanOrEqual(mostRequests)
      await context.close()
    }
  })
}

/** Signed in and out; `npm run test:looks` looks at the width between, too. */
for (const width of process.env['EVERY_LOOK'] === '1' ? [1440, 390, 320] : [1440, 320]) {
  test(`nothing moves on a page that opens, ${width} pixels wide`, async ({ page, request }) => {
    test.slow()
    await page.setViewportSize({ width, height: 844 })
    const moved = await watchShifts(page)
    // The faces come with the first page; that each page asks for its own ahead of its styles is looked at above.
    await page.goto('/icons')
    await page.evaluate(() => document.fonts.ready)
    for (const path of publicPages) {
      await settle(page, path)
      expect(await moved(), path).toEqual([])
    }
    const account = await newAccount(request)
    const visit = await book(request, account, await freeOpening(request, 'chez-madame-brique', ['Patch test']))
    const next = await freeOpening(request, 'chez-madame-brique', ['Patch test'])
    await signInByStorage(page, account)
    for (const path of [
      '/',
      '/institutes',
      '/salon/atelier-nacre',
      '/appointment/list',
      `/appointment/${visit._id}`,
      `/salon/chez-madame-brique/book?booked=${visit._id}`,
    ]) {
      await settle(page, path)
      expect(await moved(), `${path}, signed in`).toEqual([])
    }
    // A price settles when the time is held: its own letters may move, nothing around them.
    for (const path of [bookingAddress(next, 'time'), bookingAddress(next)]) {
      await settle(page, path)
      const moves = await moved()
      const sum = moves.reduce((all, { value }) => all + value, 0)
      expect(sum, `${path} ${JSON.stringify(moves)}`).toBeLessThan(0.005)
    }
  })
}
