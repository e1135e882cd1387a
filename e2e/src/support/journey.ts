/** The test of every journey: a browser whose console stays silent, or the journey fails. */
import { test as base, type BrowserContext } from '@playwright/test'
import { setBrowserClock } from './journey-clock.ts'

export { expect } from '@playwright/test'

type Options = {
  /** Statuses a refusal of this journey may have; Chromium writes each refused request to the console. */
  refusals: number[]
  /** Whether this journey cuts the connection, which Chromium writes to the console as well. */
  losesConnection: boolean
}

function isExpected(text: string, { refusals, losesConnection }: Options): boolean {
  const [, status] = /^Failed to load resource: the server responded with a status of (\d{3})/.exec(text) ?? []
  if (status !== undefined) return refusals.includes(Number(status))
  // Journeys have no worker but where they say so: what it keeps would outlive the page of another.
  if (text === 'Service Worker registration blocked by Playwright') return true
  return (
    losesConnection &&
    /^(?:Failed to load resource|WebSocket connection to .+ failed): .*net::ERR_(?:FAILED|INTERNET_DISCONNECTED)/.test(text)
  )
}

/** Collects what pages of the context complain about. */
function listen(context: BrowserContext, options: Options): string[] {
  const complaints: string[] = []
  context.on('console', (message) => {
    const type = message.type()
    if ((type === 'error' || type === 'warning') && !isExpected(message.text(), options))
      complaints.push(`${type}: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (failure) => complaints.push(`thrown: ${String(failure.error())}`))
  return complaints
}

export const test = base.extend<Options>({
  refusals: [[], { option: true }],
  losesConnection: [false, { option: true }],
  context: async ({ context, refusals, losesConnection }, use) => {
    await setBrowserClock(context)
    const complaints = listen(context, { refusals, losesConnection })
    await use(context)
    if (complaints.length > 0) throw new Error(`the browser complained:\n${complaints.join('\n')}`)
  },
})
