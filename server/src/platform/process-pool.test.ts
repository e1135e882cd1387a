import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { LostWork, openProcessPool, type PoolOptions, type ProcessPool } from './process-pool.ts'

const opened: ProcessPool[] = []
afterEach(() => opened.splice(0).forEach((pool) => pool.close()))

function open(options: Partial<PoolOptions> = {}): ProcessPool {
  const pool = openProcessPool({
    program: join(import.meta.dirname, '../testing/pool-program.mjs'),
    atOnce: 1,
    waiting: 10,
    limitMs: 200_000,
    idleMs: 60_000,
    memoryMb: 600,
    ...options,
  })
  opened.push(pool)
  return pool
}

interface Answer {
  pid: number
  value: unknown
  secrets: string[]
}
const ask = (pool: ProcessPool, order: object): Promise<Answer> => pool.run(order) as Promise<Answer>
const lost = (reason: string): unknown => expect.objectContaining({ reason, constructor: LostWork })

/** One that has ended but that nobody has asked about (a machine whose first process does not) is not alive. */
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

it('work is answered by another process, which is kept for the next', async () => {
  const pool = open()
  const first = await ask(pool, { do: 'echo', value: Buffer.from('bytes stay bytes') })
  expect(String(first.value)).toBe('bytes stay bytes')
  expect(first.pid).not.toBe(process.pid)
  expect((await ask(pool, { do: 'echo' })).pid).toBe(first.pid)
})

it('the process knows nothing of our settings', async () => {
  process.env['SECRET_OF_THE_TEST'] = 'hush'
  const { secrets } = await ask(open(), { do: 'echo' })
  expect(secrets).not.toContain('SECRET_OF_THE_TEST')
  expect(secrets).not.toContain('DATABASE_URL')
})

it('a process that dies loses its own work only', async () => {
  const pool = open()
  const before = await ask(pool, { do: 'echo' })
  const answers = await Promise.allSettled([ask(pool, { do: 'die' }), ask(pool, { do: 'echo', value: 'still here' })])
  expect(answers).toMatchObject([
    { status: 'rejected', reason: lost('died') },
    { status: 'fulfilled', value: { value: 'still here' } },
  ])
  expect(isAlive(before.pid)).toBe(false)
})

it('a process that never ends is killed when its time is over', async () => {
  const pool = open({ limitMs: 2000 })
  await expect(ask(pool, { do: 'loop' })).rejects.toEqual(lost('slow'))
  expect(await ask(open(), { do: 'echo', value: 1 })).toMatchObject({ value: 1 })
})

it.runIf(process.platform === 'linux')('a process that eats memory dies of its limit', async () => {
  const pool = open({ memoryMb: 600 })
  await expect(ask(pool, { do: 'eat' })).rejects.toEqual(lost('died'))
  expect(await ask(pool, { do: 'echo', value: 'next' })).toMatchObject({ value: 'next' })
  expect(await ask(open({ memoryMb: 4000 }), { do: 'eat' })).toMatchObject({ value: 25 })
})

it('no more work waits than may, and no more processes run than may', async () => {
  const pool = open({ atOnce: 2, waiting: 3 })
  const answers = await Promise.allSettled(Array.from({ length: 8 }, () => ask(pool, { do: 'echo' })))
  const pids = new Set(answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.pid] : [])))
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect(pids.size).toBe(2)
  for (const answer of answers.filter(({ status }) => status === 'rejected')) expect(answer).toMatchObject({ reason: lost('full') })
})

it('a process without work is let go, and the next work has another', async () => {
  const pool = open({ idleMs: 1 })
  const { pid } = await ask(pool, { do: 'echo' })
  await expect.poll(() => isAlive(pid)).toBe(false)
  expect((await ask(pool, { do: 'echo' })).pid).not.toBe(pid)
})

it('closing ends the processes and what waits', async () => {
  const pool = open()
  const { pid } = await ask(pool, { do: 'echo' })
  const waiting = [ask(pool, { do: 'loop' }), ask(pool, { do: 'echo' })]
  pool.close()
  expect(await Promise.allSettled(waiting)).toMatchObject([{ reason: lost('closed') }, { reason: lost('closed') }])
  await expect(ask(pool, { do: 'echo' })).rejects.toEqual(lost('closed'))
  await expect.poll(() => isAlive(pid)).toBe(false)
})

it('a process ends with the one that started it, even when that is killed', async () => {
  const start = `const { openProcessPool } = await import(${JSON.stringify(join(import.meta.dirname, 'process-pool.ts'))})
    const pool = openProcessPool({ program: ${JSON.stringify(join(import.meta.dirname, '../testing/pool-program.mjs'))}, atOnce: 1, waiting: 1, limitMs: 200000, idleMs: 60000, memoryMb: 600 })
    console.log((await pool.run({ do: 'echo' })).pid)
    setInterval(() => {}, 1000)`
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', start], { stdio: ['ignore', 'pipe', 'inherit'] })
  const pid = await new Promise<number>((resolve, reject) => {
    parent.stdout.once('data', (text) => resolve(Number(text))).once('end', () => reject(new Error('nothing came')))
  })
  expect(isAlive(pid)).toBe(true)
  parent.kill('SIGKILL')
  await expect.poll(() => isAlive(pid)).toBe(false)
})
