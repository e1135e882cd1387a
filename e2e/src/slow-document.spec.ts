/** Pages that come in pieces, as over a slow line. */
import { createServer, get, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from './support/journey.ts'

const pieceBytes = 1500
const pauseMs = 25

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
        for (let at = 0; at < body.length; at += pieceBytes) {
          response.write(body.subarray(at, at + pieceBytes))
          await sleep(pauseMs)
        }
        response.end()
      })
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return server
}

for (const width of [1440, 900, 390]) {
  test(`while a list comes in pieces its filters stay where they are, ${width} pixels wide`, async ({ page, baseURL }) => {
    const server = await slowLine(baseURL ?? '')
    try {
      const { port } = server.address() as AddressInfo
      await page.setViewportSize({ width, height: 900 })
      await page.addInitScript(() => {
        const moved: string[] = []
        Object.assign(window, { moved })
        new PerformanceObserver((list) => {
          for (const { sources } of list.getEntries() as (PerformanceEntry & { sources: { node: Node | null }[] })[]) {
            for (const { node } of sources) {
              const element = node instanceof Element ? node : node?.parentElement
              if (element?.closest('nav[aria-label=Filters]')) moved.push(element.textContent.slice(0, 60))
            }
          }
        }).observe({ type: 'layout-shift', buffered: true })
      })
      // The faces are there before: that each page asks for its own ahead of its styles is looked at in weight.spec.
      await page.goto(`http://127.0.0.1:${port}/icons`)
      await page.evaluate(() => document.fonts.ready)
      for (const path of ['/institutes', '/institutes?place=Lyon&category=hair']) {
        await page.goto(`http://127.0.0.1:${port}${path}`)
        await page.waitForLoadState('networkidle')
        expect(await page.evaluate(() => (window as unknown as { moved: string[] }).moved), path).toEqual([])
      }
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
}
