/** Starts the product as a person would, with a fresh data directory and the demo, and stops it after the last journey. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')

export default async function startServer(): Promise<() => Promise<void>> {
  const port = process.env['E2E_PORT'] ?? '4310'
  console.log(`journeys with E2E_SEED=${process.env['E2E_SEED']}`)
  if (process.env['E2E_RUNNING']) return async () => {}
  const dataDir = mkdtempSync(join(tmpdir(), 'soigne-e2e-'))
  chmodSync(dataDir, 0o755)
  const child = spawn(process.execPath, [join(root, 'scripts/start.ts')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PORT: port,
      DATA_DIR: dataDir,
      MAP_STYLE_URL: 'none',
      LOG_LEVEL: 'warn',
      LIMIT_REGISTRATIONS: '10000',
      LIMIT_LOGINS: '10000',
      TZ: 'UTC',
    },
  })
  let output = ''
  let exited = false
  child.once('exit', () => (exited = true))
  await new Promise<void>((ready, fail) => {
    const listen = (chunk: Buffer): void => {
      output += chunk.toString()
      if (/^ready http/m.test(output)) ready()
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.once('exit', (code) => fail(new Error(`the server ended with ${code} before it was ready:\n${output}`)))
    setTimeout(() => fail(new Error(`the server was not ready in two minutes:\n${output}`)), 120_000).unref()
  })
  return async () => {
    if (!exited) {
      const gone = new Promise((done) => child.once('exit', done))
      child.kill('SIGTERM')
      await gone
    }
    rmSync(dataDir, { recursive: true, force: true })
    const complaints = output.split('\n').filter((line) => /"level":(?:50|60)/.test(line))
    if (complaints.length > 0) throw new Error(`the server's log has errors:\n${complaints.slice(0, 5).join('\n')}`)
  }
}
