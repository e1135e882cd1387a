/** Journeys in a real browser against the real server, started on a port of its own with an empty data directory. */
import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

const port = Number(process.env['E2E_PORT'] ?? 4310)

/** CHROME, the machine's Chromium, or the one from npm. */
async function browserPath(): Promise<string> {
  const found = [process.env['CHROME'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
    (path) => path && existsSync(path),
  )
  if (found) return found
  const { default: bundled } = await import('@sparticuz/chromium')
  return bundled.executablePath()
}

export default defineConfig({
  testDir: 'src',
  testMatch: '**/*.spec.ts',
  fullyParallel: true,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: process.env['PLAYWRIGHT_JSON_OUTPUT_NAME'] ?? 'test-results/journeys.json' }]],
  outputDir: '../test-results',
  globalSetup: './src/support/start-server.ts',
  use: {
    baseURL: `http://localhost:${port}`,
    locale: 'en-GB',
    timezoneId: 'Europe/Paris',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: await browserPath(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-quic',
      ],
    },
  },
  projects: [
    { name: 'desktop', use: { viewport: { width: 1440, height: 900 } } },
    { name: 'phone', use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, grep: /@phone/ },
  ],
})
