/** A process that does jobs, for tests that kill it. The job `long` writes down that it began and lasts until the test says so. */
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '#/platform/database.ts'
import { startJobs } from '#/platform/jobs.ts'
import { openLog } from '#/platform/log.ts'

export interface JobProcess {
  pid: number
  log(): string
  pause(): void
  goOn(): void
  kill(): Promise<void>
  /** Tells it to end in good order. */
  stop(): Promise<void>
}

export async function startJobProcess(url: string, leaseMs: number): Promise<JobProcess> {
  const child = spawn(process.execPath, [import.meta.filename, url, String(leaseMs)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] },
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let said = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes('working\n')) resolve()
    })
    void ended.then(() => reject(new Error(`the process ended: ${said}`)))
  })
  return {
    pid: child.pid ?? 0,
    log: () => said,
    pause: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async stop() {
      child.stdin.end()
      await ended
    },
  }
}

async function workUntilParentLeaves(url: string, leaseMs: number): Promise<void> {
  const database = openDatabase(url, { size: 6, onError: () => {} })
  const log = openLog('warn')
  const runner = await startJobs(
    database,
    {
      async long() {
        await database.pool.query('insert into job_runs (pid) values ($1)', [process.pid])
        while (!(await database.pool.query('select from job_ends')).rowCount) await sleep(20)
      },
    },
    log,
    { leaseMs },
  )
  process.stdin.resume().once(
    'end',
    () =>
      void runner
        .stop()
        .then(() => database.close())
        .then(() => process.exit(0)),
  )
  process.stdout.write('working\n')
}

if (process.argv[1] === import.meta.filename) await workUntilParentLeaves(process.argv[2] ?? '', Number(process.argv[3]))
