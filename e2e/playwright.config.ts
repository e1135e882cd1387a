/** Journeys in a real browser against the real server, started on a port of its own with an empty data directory. */
import { randomInt } from 'node:crypto'
import { defineConfig } from '@playwright/test'
import { browserArgs, findBrowser } from './src/support/browser.ts'
import { journeyZone } from './src/support/journey-clock.ts'

const port = Number(process.env['E2E_PORT'] ?? 4310)
// Which free times the journeys take; printed at the start, and inherited by the workers.
process.env['E2E_SEED'] ??= String(randomInt(2 ** 31))

export default defineConfig({
  testDir: 'src',
  testMatch: '**/*.spec.ts',
  fullyParallel: true,
  // Two leave a third of a machine of two cores idle: they wait for pages.
  workers: 3,
  // Long enough for a machine that has much else to do; what is there is found at once.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['json', { outputFile: process.env['PLAYWRIGHT_JSON_OUTPUT_NAME'] ?? 'test-results/journeys.json' }]],
  outputDir: '../test-results',
  globalSetup: './src/support/start-server.ts',
  use: {
    baseURL: `http://localhost:${port}`,
    locale: 'en-GB',
    // Requests of a worker are seen by no route of a journey; those that are about it allow it.
    serviceWorkers: 'block',
    timezoneId: journeyZone,
    // What a trace keeps of every page costs a third of a journey's time; --trace retain-on-failure tells more of one that fails.
    trace: 'off',
    launchOptions: {
      ...(await findBrowser()),
      args: browserArgs,
    },
  },
  projects: [
    { name: 'desktop', use: { viewport: { width: 1440, height: 900 } } },
    { name: 'phone', use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, grep: /@phone/ },
  ],
})
