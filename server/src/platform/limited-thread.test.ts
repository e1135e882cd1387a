import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { withLongerLimits } from '#/testing/longer-limits.ts'
import { type LimitedThread, startThread } from './limited-thread.ts'

// Does what it is told, also the worst.
const program = `
import { parentPort } from 'node:worker_threads'
const used = () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1000 }
parentPort.on('message', (request) => {
  if (request === 'hang') for (;;);
  if (request === 'swallow') { const all = []; for (;;) all.push(new Array(100_000).fill(all.length)) }
  if (request === 'throw') throw new Error('no')
  if (request === 'leave') process.exit(3)
  if (request === 'wait') { setTimeout(() => parentPort.postMessage({ answer: 'waited', usedMs: used() }), 300); return }
  parentPort.postMessage({ answer: request === 'environment' ? JSON.stringify(process.env) : request, usedMs: used() })
})
parentPort.postMessage({ answer: null, usedMs: used() })
`

let directory: string
let url: URL
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'soigne-thread-'))
  writeFileSync(join(directory, 'program.mjs'), program)
  url = pathToFileURL(join(directory, 'program.mjs'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** A thread is given up also when it was given no processor for very long: by a machine that stands still. */
const withThread = (work: (thread: LimitedThread<string, string>) => Promise<void>): Promise<void> =>
  withLongerLimits([100, 2000, 10_000], async (timeMs) => {
    const thread = await startThread<string, string>(url, { timeMs, memoryMb: 24 })
    try {
      await work(thread)
    } finally {
      await thread.end()
    }
  })

describe('a thread with limits', () => {
  it('answers one question after another and sees nothing of our environment', async () => {
    await withThread(async (thread) => {
      expect(await thread.ask('one')).toEqual({ answer: 'one' })
      expect(await thread.ask('two')).toEqual({ answer: 'two' })
      expect(await thread.ask('environment')).toEqual({ answer: '{}' })
    })
  })

  it('is ended when it is busy for ever, when it takes all memory, when it throws and when it leaves', async () => {
    for (const [told, ended] of [
      ['hang', 'too_slow'],
      ['throw', 'broken'],
      ['leave', 'broken'],
    ] as const)
      await withThread(async (thread) => expect(await thread.ask(told)).toEqual({ ended }))
    const swallowing = await startThread<string, string>(url, { timeMs: 60_000, memoryMb: 24 })
    expect(await swallowing.ask('swallow')).toEqual({ ended: 'too_much_memory' })
  })

  it('is not blamed for waiting: only the time of a processor counts', async () => {
    await withThread(async (thread) => expect(await thread.ask('wait')).toEqual({ answer: 'waited' }))
  })

  it('is not ended for a question that was answered while its time was looked at', async () => {
    const thread = await startThread<string, string>(url, { timeMs: 100, memoryMb: 24 })
    onTestFinished(() => thread.end())
    const used = Promise.withResolvers<NodeJS.CpuUsage>()
    const looked = vi.spyOn(Worker.prototype, 'cpuUsage').mockImplementationOnce(() => used.promise)
    onTestFinished(() => looked.mockRestore())
    expect(await thread.ask('wait')).toEqual({ answer: 'waited' })
    expect(looked).toHaveBeenCalledOnce()
    used.resolve({ user: 1e12, system: 0 })
    await new Promise(setImmediate)
    expect(await thread.ask('one')).toEqual({ answer: 'one' })
  })

  it('that cannot start says so', async () => {
    await expect(startThread(pathToFileURL(join(directory, 'nothing.mjs')), { timeMs: 100, memoryMb: 24 })).rejects.toThrow()
  })
})
