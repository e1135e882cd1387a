/** Starts the product on loopback for a bench, with its own data directory, and stops it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

export interface Product {
  url: string
  pid: number
  dataDir: string
  /** Milliseconds from the start of the process to its line `ready`. */
  readyAfterMs: number
  stop(): Promise<void>
}

/** Open to enter, as the account that runs the embedded database must. */
export function newDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'soigne-bench-'))
  chmodSync(dataDir, 0o755)
  return dataDir
}
export const dropDataDir = (dataDir: string): void => rmSync(dataDir, { recursive: true, force: true })

/** The words of `npm start` after `node`. */
function startArgs(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
  return scripts.start.split(' ').slice(1)
}

/** Runs `npm start`'s script. */
export async function startProduct(options: { dataDir: string; env?: Record<string, string> }): Promise<Product> {
  const began = performance.now()
  const child: ChildProcess = spawn(process.execPath, startArgs(), {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PORT: '0', DATA_DIR: options.dataDir, MAP_STYLE_URL: 'none', LOG_LEVEL: 'error', LIMITS: 'off', ...options.env },
  })
  let output = ''
  const url = await new Promise<string>((ready, fail) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const found = /^ready (http\S+)/m.exec(output)
      if (found?.[1]) ready(found[1])
    })
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.once('exit', (code) => fail(new Error(`the product ended with ${code}:\n${output}`)))
    setTimeout(() => fail(new Error(`not ready in three minutes:\n${output}`)), 180_000).unref()
  })
  const readyAfterMs = performance.now() - began
  return {
    url,
    pid: child.pid ?? 0,
    dataDir: options.dataDir,
    readyAfterMs,
    async stop() {
      const gone = new Promise((done) => child.once('exit', done))
      child.kill('SIGTERM')
      await gone
    },
  }
}
