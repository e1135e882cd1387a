/** Opening a page for the first time on a phone in Arabic, on a line of 400 kbit/s and 400 ms: what has to come before its first word. */
import type { Page } from '@playwright/test'
import { arabicPhone, chooseArabic } from './support/arabic-phone.ts'
import { expect, test } from './support/journey.ts'

const bytesPerSecond = 50_000
const latencyMs = 400
const mostSeconds = 3

test.use(arabicPhone)

type Asked = { path: string; isDocument: boolean; isBlocking: boolean; bytes: number | null }

/**
 * What was asked for before the first word could be drawn: the document, the sheets that it waits for, and what comes beside them. That the
 * browser says itself what waits for what needs the slow line; how long it took on this machine is not looked at.
 */
async function askedBeforeText(page: Page, path: string): Promise<Asked[]> {
  const network = await page.context().newCDPSession(page)
  await network.send('Network.enable')
  // What the page before brought.
  await network.send('Network.clearBrowserCache')
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
  const asked = new Map<string, Asked>()
  const isDrawable = Promise.withResolvers<Asked[]>()
  network.on('Network.requestWillBeSent', ({ requestId, request, type, renderBlockingBehavior }) => {
    if (request.url.startsWith('data:')) return
    asked.set(requestId, {
      path: new URL(request.url).pathname,
      isDocument: type === 'Document',
      isBlocking: renderBlockingBehavior === 'Blocking',
      bytes: null,
    })
  })
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const one = asked.get(requestId)
    if (one) one.bytes = encodedDataLength
    const all = [...asked.values()]
    const waited = all.filter(({ isDocument, isBlocking }) => isDocument || isBlocking)
    if (waited.some(({ isBlocking }) => isBlocking) && waited.every(({ bytes }) => bytes !== null))
      isDrawable.resolve(all.map((each) => ({ ...each })))
  })
  await page.goto(path, { waitUntil: 'commit' })
  return isDrawable.promise
}

test('[P-12] the first word of a page can be read after 3 seconds of a slow line', async ({ context, baseURL }) => {
  await chooseArabic(context, baseURL)
  for (const path of ['/', '/institutes?place=Lyon', '/salon/atelier-nacre']) {
    const page = await context.newPage()
    const asked = await askedBeforeText(page, path)
    const sum = (all: readonly Asked[]) => all.reduce((bytes, one) => bytes + (one.bytes ?? 0), 0)
    const sheets = asked.filter(({ isBlocking }) => isBlocking)
    // What shares the line with the sheet takes as much of it, or all that it is.
    const beside = asked.filter(({ isDocument, isBlocking }) => !isDocument && !isBlocking)
    const shared = beside.reduce((bytes, one) => bytes + Math.min(one.bytes ?? Infinity, sum(sheets)), 0)
    // One way there and back for the document, one for what it names.
    const seconds = (2 * latencyMs) / 1000 + (sum(asked.filter(({ isDocument }) => isDocument)) + sum(sheets) + shared) / bytesPerSecond
    expect(sheets.length, path).toBeGreaterThan(0)
    expect(seconds, `${path}\n${asked.map((one) => `${one.bytes} ${one.path}`).join('\n')}`).toBeLessThanOrEqual(mostSeconds)
    // And it is there to be read, whichever faces are still on their way.
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await page.close()
  }
})
