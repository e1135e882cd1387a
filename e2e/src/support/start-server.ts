/** Starts the product as a person would, with a fresh data directory and the demo, and stops it after the last journey. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { journeyAheadMs, journeyNow, journeyZone } from './journey-clock.ts'

const root = resolve(import.meta.dirname, '../../..')

interface Server {
  url: string
  output(): string
  stop(): Promise<void>
}

async function start(settings: Record<string, string>): Promise<Server> {
  const child = spawn(process.execPath, [join(root, 'scripts/start.ts')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      MAP_STYLE_URL: 'none',
      LOG_LEVEL: 'warn',
      // What there is of each language, so that pages are seen from right to left.
      SITE_LANGUAGES: 'en,fr,ar',
      LIMIT_REGISTRATIONS: '10000',
      LIMIT_LOGINS: '10000',
      LIMIT_BUDGETS: '1000',
      ...settings,
    },
  })
  let output = ''
  const gone = new Promise<number | null>((done) => child.once('exit', done))
  const url = await new Promise<string>((ready, fail) => {
    const listen = (chunk: Buffer): void => {
      output += chunk.toString()
      const [, said] = /^ready (http\S+)/m.exec(output) ?? []
      if (said !== undefined) ready(said)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    void gone.then((code) => fail(new Error(`the server ended with ${code} before it was ready:\n${output}`)))
    setTimeout(() => fail(new Error(`the server was not ready in five minutes:\n${output}`)), 300_000).unref()
  })
  return {
    url,
    output: () => output,
    async stop() {
      child.kill('SIGTERM')
      await gone
    },
  }
}

/** The database remembers the clock of a trial, so the demo is made around it by the next start. */
async function moveClock(settings: Record<string, string>): Promise<void> {
  const empty = await start({ ...settings, SEED: 'none' })
  const answer = await fetch(`${empty.url}/dev/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ to: new Date(journeyNow()).toISOString() }),
  })
  await empty.stop()
  if (!answer.ok) throw new Error(`the clock was not moved: ${answer.status} ${await answer.text()}`)
}

export default async function startServer(): Promise<() => Promise<void>> {
  console.log(`journeys with E2E_SEED=${process.env['E2E_SEED']} at ${new Date(journeyNow()).toISOString()} in ${journeyZone}`)
  if (process.env['E2E_RUNNING']) return async () => {}
  const dataDir = mkdtempSync(join(tmpdir(), 'soigne-e2e-'))
  chmodSync(dataDir, 0o755)
  const settings = { PORT: process.env['E2E_PORT'] ?? '4310', DATA_DIR: dataDir, TZ: process.env['JOURNEY_ZONE'] ?? 'UTC' }
  if (journeyAheadMs > 0) await moveClock(settings)
  const server = await start(settings)
  return async () => {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
    const complaints = server
      .output()
      .split('\n')
      .filter((line) => /"level":(?:50|60)/.test(line))
    if (complaints.length > 0) throw new Error(`the server's log has errors:\n${complaints.slice(0, 5).join('\n')}`)
  }
}
