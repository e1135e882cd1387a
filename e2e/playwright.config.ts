/** Journeys in a real browser against the real server, started on a port of its own with an empty data directory. */
import { randomInt } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { journeyZone } from './src/support/journey-clock.ts'

const port = Number(process.env['E2E_PORT'] ?? 4310)
// Which free times the journeys take; printed at the start, and inherited by the workers.
process.env['E2E_SEED'] ??= String(randomInt(2 ** 31))

/** The list of fonts that the browser from npm brings names /tmp/fonts alone, while it unpacks them where this run keeps its temporary files. */
function writeFontList(): string {
  const folder = join(tmpdir(), 'soigne-font-list')
  mkdirSync(folder, { recursive: true })
  const fonts = join(tmpdir(), 'fonts')
  writeFileSync(
    join(folder, 'fonts.conf'),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${fonts}</dir><dir>/usr/share/fonts</dir><cachedir>${join(folder, 'cache')}</cachedir></fontconfig>`,
  )
  return folder
}

/** CHROME, the machine's Chromium, or the one from npm, which brings the libraries that a bare machine lacks. */
async function findBrowser(): Promise<{ executablePath: string; env?: Record<string, string> }> {
  const found = [process.env['CHROME'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
    (path) => path && existsSync(path),
  )
  if (found) return { executablePath: found }
  const { default: bundled, inflate } = await import('@sparticuz/chromium')
  const archive = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../bin/al2023.tar.br')
  const [executablePath, libraries] = await Promise.all([bundled.executablePath(), inflate(archive)])
  const known = Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  const path = [join(libraries, 'lib'), process.env['LD_LIBRARY_PATH']].filter(Boolean).join(':')
  return { executablePath, env: { ...Object.fromEntries(known), LD_LIBRARY_PATH: path, FONTCONFIG_PATH: writeFontList() } }
}

export default defineConfig({
  testDir: 'src',
  testMatch: '**/*.spec.ts',
  fullyParallel: true,
  workers: 2,
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
    // A picture of every moment costs a tenth of a journey's time.
    trace: { mode: 'retain-on-failure', screenshots: false, sources: false },
    launchOptions: {
      ...(await findBrowser()),
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
