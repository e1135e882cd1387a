/** npm test: everything, one after the other, with one sum of the runners' own counts as the last line. */
import { spawn, spawnSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildWeb } from './build-web.ts'

const root = resolve(import.meta.dirname, '..')

/** As much as the databases, pictures and browsers of one run leave lying about, and more. */
const roomNeeded = 6 * 2 ** 30
/** A folder that lies in memory, where the machine has one with room: a third of a run goes by making and dropping databases, which is files. */
function folderInMemory(): string | null {
  const memory = '/dev/shm'
  try {
    accessSync(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    if (bavail * bsize < roomNeeded) return null
  } catch {
    return null
  }
  // What runs that were broken off have left.
  for (const name of readdirSync(memory)) {
    const [, pid] = /^soigne-test-(\d+)-/.exec(name) ?? []
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(join(memory, name), { recursive: true, force: true })
  }
  const folder = mkdtempSync(join(memory, `soigne-test-${process.pid}-`))
  // The user of the database has to get through.
  chmodSync(folder, 0o755)
  return folder
}
const inMemory = folderInMemory()
if (inMemory !== null) {
  process.env['TMPDIR'] = inMemory
  process.env['TEST_DATA_DIR'] ??= join(inMemory, 'databases')
}

const bin = (name: string): string => join(root, 'node_modules/.bin', name)
const reports = mkdtempSync(join(tmpdir(), 'soigne-reports-'))
const openData = process.env['OPEN_DATA_DIR']
// A zone nobody lives in shows every place that reads the machine's zone.
const environment = { ...process.env, TZ: 'Pacific/Chatham', ...(openData && { OPEN_DATA_DIR: resolve(root, openData) }) }

const total = { passed: 0, failed: 0, skipped: 0 }
const broken: string[] = []
/** Named again at the very end, because the head of a long log is the first thing that is cut off. */
const failures: string[] = []

function run(label: string, command: string, args: string[], options: { cwd?: string; env?: Record<string, string> } = {}): boolean {
  const began = performance.now()
  process.stdout.write(`\n── ${label}\n`)
  const { status } = spawnSync(command, args, {
    cwd: options.cwd ?? root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...environment, ...options.env },
  })
  process.stdout.write(`── ${label}: ${status === 0 ? 'good' : 'BROKEN'} (${((performance.now() - began) / 1000).toFixed(0)} s)\n`)
  if (status !== 0) broken.push(label)
  return status === 0
}

function count(label: string, report: string, read: (report: never) => typeof total): void {
  if (!existsSync(report)) {
    broken.push(`${label} (no report)`)
    return
  }
  const counts = read(JSON.parse(readFileSync(report, 'utf8')) as never)
  if (counts.passed + counts.failed === 0) broken.push(`${label} (ran no test)`)
  for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += counts[key]
}

interface UnitReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

const reportOf = (room: string): string => join(reports, `${room}.json`)
const vitestOf = (room: string): string[] => [
  'run',
  '--root',
  room,
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${reportOf(room)}`,
]

interface Check {
  label: string
  command: string
  args: string[]
  cwd?: string
  /** What it says is seen as it goes, since it takes minutes. */
  isLong?: boolean
}

/** Two at a time, so that what waits in one is used by the other; the words of each come once it has ended. */
async function inTwoLanes(checks: readonly Check[]): Promise<void> {
  const left = [...checks]
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) {
      const { label, command, args, cwd = root, isLong = false } = next
      const [began, log] = [performance.now(), join(reports, `${label.replaceAll(/\W+/g, '-')}.log`)]
      const out = openSync(log, 'w')
      const words = isLong ? ('inherit' as const) : out
      const child = spawn(command, args, { cwd, stdio: ['ignore', words, words], env: environment })
      const status = await new Promise<number | null>((done) => child.once('exit', done).once('error', () => done(null)))
      closeSync(out)
      const seconds = ((performance.now() - began) / 1000).toFixed(0)
      process.stdout.write(`\n── ${label}\n${readFileSync(log, 'utf8')}── ${label}: ${status === 0 ? 'good' : 'BROKEN'} (${seconds} s)\n`)
      if (status !== 0) broken.push(label)
    }
  }
  await Promise.all([lane(), lane()])
}

function countUnit(room: string): void {
  const report = reportOf(room)
  count(`tests: ${room}`, report, (json: UnitReport) => {
    for (const file of json.testResults) {
      const failed = file.assertionResults.filter(({ status }) => status === 'failed')
      for (const { fullName, failureMessages } of failed)
        failures.push(`${file.name.replace(`${root}/`, '')} › ${fullName}\n${failureMessages.join('\n').slice(0, 2000)}`)
      if (file.status === 'failed' && failed.length === 0)
        failures.push(`${file.name.replace(`${root}/`, '')}\n${file.message.slice(0, 2000)}`)
    }
    return { passed: json.numPassedTests, failed: json.numFailedTests, skipped: json.numPendingTests + json.numTodoTests }
  })
}

function journeys(): void {
  const report = join(reports, 'journeys.json')
  run('journeys', bin('playwright'), ['test', '--config', 'e2e/playwright.config.ts'], { env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report } })
  count('journeys', report, (json: { stats: { expected: number; unexpected: number; flaky: number; skipped: number } }) => ({
    passed: json.stats.expected + json.stats.flaky,
    failed: json.stats.unexpected,
    skipped: json.stats.skipped,
  }))
}

const asked = process.argv.slice(2)
const wants = (name: string): boolean => asked.length === 0 || asked.includes(name)

/** The longest first, of all that there is. */
const rooms = ['server', 'scheduling', 'web', 'scripts', 'contract', 'demo', 'bench', 'trust'].filter(wants)
const node = (label: string, script: string, ...args: string[]): Check => ({ label, command: process.execPath, args: [script, ...args] })
/** What runs in Node is one program: its rooms import each other, and one by one they take twice the time. */
const programs = { node: 'tsconfig.node.json', web: 'web', e2e: 'e2e' }
if (wants('types')) {
  const typegen = [join(root, 'node_modules/@react-router/dev/bin.cjs'), 'typegen']
  run('route types', process.execPath, typegen, { cwd: join(root, 'web') })
}
await inTwoLanes([
  ...rooms.map((room) => ({ label: `tests: ${room}`, command: bin('vitest'), args: vitestOf(room), isLong: room === 'server' })),
  ...(wants('types')
    ? Object.entries(programs).map(([name, project]) => ({
        label: `types: ${name}`,
        command: bin('tsc'),
        // Each checker works out the types it meets anew: four take two and a half times what one takes.
        args: ['-p', project, '--checkers', '1'],
      }))
    : []),
  ...(wants('lint')
    ? [
        { label: 'format', command: bin('oxfmt'), args: ['--check', '.'] },
        { label: 'lint', command: bin('oxlint'), args: ['--type-aware', '--deny-warnings'] },
        { label: 'unused code', command: bin('knip'), args: [] },
        { label: 'dependencies', command: bin('knip'), args: ['--strict', '--include', 'dependencies,unlisted,unresolved,files'] },
        node('house', 'scripts/check-house.ts'),
        node('translations', 'scripts/check-translations.ts'),
        node('words', 'scripts/check-words.ts'),
        node('generated', 'scripts/generate.ts', '--check'),
        node('migrations', 'scripts/check-migrations.ts'),
      ]
    : []),
])
for (const room of rooms) countUnit(room)
if (wants('journeys')) {
  buildWeb()
  journeys()
}

rmSync(reports, { recursive: true, force: true })
if (inMemory !== null) rmSync(inMemory, { recursive: true, force: true })
for (const failure of failures) process.stdout.write(`\nFailed: ${failure}\n`)
if (broken.length > 0) process.stdout.write(`\nBroken: ${broken.join(', ')}\n`)
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`)
process.exit(broken.length > 0 || total.failed > 0 ? 1 : 0)
