/** npm run fuzz [-- --cases N --seed N]: a hundred thousand requests against the built product on a database of its own; ends with 1 when one was answered as it must not be, when memory grew or when the database came to harm. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '#/platform/database.ts'
import { operationsOf } from './fuzz-asking.ts'
import { fuzz } from './fuzz-round.ts'
import { harmOf, makeFuzzWorld } from './fuzz-world.ts'

const root = resolve(import.meta.dirname, '../../..')
/** Megabytes the process may have grown by between the end of its warm-up and the end. */
const growthLimit = 50

async function startProduct(dataDir: string): Promise<{ url: string; child: ChildProcess; log(): string }> {
  const child = spawn(process.execPath, [join(root, 'scripts/start.ts')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DATA_DIR: dataDir,
      SEED: 'none',
      MAP_STYLE_URL: 'none',
      LOG_LEVEL: 'error',
      // Whoever is refused at the door meets no call.
      LIMIT_BUDGETS: '10000000',
      LIMIT_REGISTRATIONS: '1000000',
      LIMIT_LOGINS: '1000000',
      LIMIT_WRONG_PASSWORDS: '1000000',
      LIMIT_HOLDS: '1000',
      LIMIT_HOLDS_UNCONFIRMED: '1000',
    },
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => void (said = (said + chunk.toString()).slice(-20_000)))
  const port = await new Promise<string>((ready, fail) => {
    child.stdout.on('data', (chunk: Buffer) => {
      const found = /^ready http:\/\/\S+?:(\d+)/m.exec(chunk.toString())
      if (found?.[1]) ready(found[1])
    })
    child.once('exit', (code) => fail(new Error(`the product ended with ${code}: ${said}`)))
  })
  return { url: `http://127.0.0.1:${port}`, child, log: () => said }
}

async function megabytesOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)?.[1] ?? Number.NaN) / 1_000_000
}

async function run(cases: number, seed: number): Promise<boolean> {
  const say = (line: string): void => void process.stdout.write(`${line}\n`)
  const dataDir = mkdtempSync(join(tmpdir(), 'soigne-fuzz-'))
  chmodSync(dataDir, 0o755)
  let child: ChildProcess | null = null
  try {
    const product = await startProduct(dataDir)
    child = product.child
    const { url } = product
    const host = `/tmp/soigne-${readFileSync(join(dataDir, 'cluster-id'), 'utf8').trim()}`
    const { db, close } = openDatabase(`postgres://postgres@localhost/soigne?host=${host}`, { size: 2, onError: () => {} })
    const world = await makeFuzzWorld(db, { url, now: Date.now() })
    const operations = operationsOf(await (await fetch(`${url}/api/openapi.json`)).json())
    const sizes: number[] = []
    const began = performance.now()
    say(`${cases} requests from seed ${seed}, ${operations.length} calls, ${Object.keys(world.tokens).length} kinds of people`)
    const { met, statuses, wrong, slowestMs } = await fuzz({
      url,
      world,
      operations,
      cases,
      seed,
      withPages: true,
      async progress(done) {
        sizes.push(await megabytesOf(url))
        if (done % 10_000 === 0) say(`${done} asked, ${Math.round(sizes.at(-1) ?? 0)} MB`)
      },
    })
    const harm = await harmOf(db)
    await close()
    const warm = sizes.slice(Math.floor(sizes.length * 0.3), Math.floor(sizes.length * 0.4) + 1)
    const late = sizes.slice(-Math.max(1, Math.floor(sizes.length * 0.1)))
    const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
    const grown = mean(late) - mean(warm)
    for (const line of wrong) say(`WRONG ${line}`)
    say(
      JSON.stringify({
        cases,
        seed,
        seconds: Math.round((performance.now() - began) / 1000),
        wrong: wrong.length,
        harm,
        slowestMs: Math.round(slowestMs),
        memory: { warmMB: Math.round(mean(warm)), endMB: Math.round(mean(late)), grownMB: Math.round(grown), limitMB: growthLimit },
        calls: Object.fromEntries([...met].sort()),
        hostile: Object.fromEntries([...statuses].sort()),
      }),
    )
    // A short run ends before the process has settled.
    const settled = cases < 20_000 || grown <= growthLimit
    if (wrong.length > 0) say(product.log())
    return wrong.length === 0 && Object.keys(harm).length === 0 && settled
  } finally {
    if (child && child.exitCode === null) {
      const gone = new Promise((done) => child?.once('exit', done))
      child.kill('SIGTERM')
      await gone
    }
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const { values } = parseArgs({ options: { cases: { type: 'string', default: '100000' }, seed: { type: 'string' } } })
process.exit((await run(Number(values.cases), Number(values.seed ?? randomInt(1_000_000_000)))) ? 0 : 1)
