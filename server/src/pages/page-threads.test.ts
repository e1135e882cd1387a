/** Threads that make pages: what they read, and what happens when one breaks, fills its memory or never comes back. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { withLongerLimits } from '#/testing/longer-limits.ts'
import type { PageAsked, Read } from './page-maker.ts'
import { openPageThreads, type PageThreads, type PageThreadsOptions } from './page-threads.ts'

const program = new URL('../testing/page-program.ts', import.meta.url)
const opened: PageThreads[] = []
let lost: unknown[] = []

async function open(options: Partial<PageThreadsOptions> = {}): Promise<PageThreads> {
  lost = []
  const threads = await openPageThreads({
    program,
    data: {},
    count: 2,
    memoryMb: 64,
    patienceMs: 100_000,
    closingMs: 20,
    onLost: (error) => lost.push(error),
    ...options,
  })
  opened.push(threads)
  return threads
}
afterEach(() => Promise.all(opened.splice(0).map((threads) => threads.close())))

const asked = (path: string): PageAsked => ({
  url: `http://soigne.test${path}`,
  headers: [],
  locale: 'en',
  brotli: false,
  site: { publicUrl: 'http://soigne.test', map: { styleUrl: null, googleKey: null }, signIn: null, development: false },
  now: 0,
  zones: '',
})
const nothing: Read = async () => ({ failed: 'nothing is read here' })
const textOf = async (threads: PageThreads, path: string, read = nothing): Promise<string> =>
  Buffer.from((await threads.make(asked(path), read)).body).toString()

describe('a thread that makes pages', () => {
  it('is given what its page reads: an answer, a refusal, or word that the call failed', async () => {
    const threads = await open()
    const calls: unknown[] = []
    const answering: Read = async (name, input) => {
      calls.push([name, input])
      return { json: '{"name":"Belle heure"}' }
    }
    expect(JSON.parse(await textOf(threads, '/reads', answering))).toEqual({ json: '{"name":"Belle heure"}' })
    expect(calls).toEqual([['institute', { params: { slug: 'x' } }]])
    const refusing: Read = async () => ({ refused: { status: 404, body: { code: 'not_found' } } })
    expect(JSON.parse(await textOf(threads, '/reads', refusing))).toEqual({ refused: { status: 404, body: { code: 'not_found' } } })
    const breaking: Read = async () => {
      throw new Error('the database is away')
    }
    expect(JSON.parse(await textOf(threads, '/reads', breaking))).toEqual({ failed: 'Error: the database is away' })
  })

  it('makes many pages at a time, whatever order their answers come in', async () => {
    const threads = await open({ count: 1 })
    const plain = Promise.withResolvers<void>()
    const slow: Read = async () => {
      await plain.promise
      return { json: '"slow"' }
    }
    const order: string[] = []
    await Promise.all([
      textOf(threads, '/reads', slow).then((text) => order.push(text)),
      textOf(threads, '/plain').then((text) => {
        order.push(text)
        plain.resolve()
      }),
    ])
    expect(order).toEqual(['plain', '{"json":"\\"slow\\""}'])
  })

  it('says what went wrong inside a page, and goes on', async () => {
    const threads = await open({ count: 1 })
    await expect(textOf(threads, '/fails')).rejects.toThrow('broken inside')
    expect(await textOf(threads, '/plain')).toBe('plain')
    expect(lost).toEqual([])
  })

  it('is replaced when it ends, and what it was asked is asked once more', async () => {
    const deaths = new Int32Array(new SharedArrayBuffer(4))
    const threads = await open({ count: 1, data: { deaths } })
    expect(await textOf(threads, '/ends-once')).toBe('at last')
    expect(lost).toHaveLength(1)
  })

  it('is not replaced for ever by one page: after the second time the page fails, and others are made', async () => {
    const threads = await open()
    await expect(textOf(threads, '/ends')).rejects.toThrow('could not be made')
    expect(lost).toHaveLength(2)
    expect(await Promise.all([textOf(threads, '/plain'), textOf(threads, '/plain')])).toEqual(['plain', 'plain'])
  })

  it('that never comes back is given up, while the others go on', async () => {
    await withLongerLimits([300, 3000, 30_000], async (patienceMs) => {
      const threads = await open({ patienceMs })
      const never = textOf(threads, '/loops').catch((error: unknown) => String(error))
      expect(await textOf(threads, '/plain')).toBe('plain')
      expect(await never).toContain('could not be made')
      expect(await textOf(threads, '/plain')).toBe('plain')
    })
  })

  it('may wait for a call as long as that takes', async () => {
    await withLongerLimits([500, 5000, 30_000], async (patienceMs) => {
      const threads = await open({ count: 1, patienceMs })
      const slow: Read = async () => {
        await sleep(2.8 * patienceMs)
        return { json: '1' }
      }
      expect(await textOf(threads, '/reads', slow)).toBe('{"json":"1"}')
      expect(lost).toEqual([])
    })
  })

  it('that fills its memory ends alone', async () => {
    const threads = await open({ memoryMb: 24 })
    await expect(textOf(threads, '/fills')).rejects.toThrow('could not be made')
    expect(lost.map((error) => (error as { code?: string }).code)).toEqual(['ERR_WORKER_OUT_OF_MEMORY', 'ERR_WORKER_OUT_OF_MEMORY'])
    expect(await textOf(threads, '/plain')).toBe('plain')
  })
})

describe('the threads together', () => {
  it('do not open when a thread cannot start', async () => {
    await expect(open({ data: { failsToStart: true } })).rejects.toThrow('cannot start')
  })

  it('finish what is under way when they are closed', async () => {
    const threads = await open({ count: 1, closingMs: 100_000 })
    const answered = Promise.withResolvers<void>()
    const made = textOf(threads, '/reads', async () => {
      await answered.promise
      return { json: '"late"' }
    })
    const closed = threads.close()
    answered.resolve()
    expect(JSON.parse(await made)).toEqual({ json: '"late"' })
    await closed
  })

  it('leave nobody waiting when they are closed', async () => {
    const threads = await open({ count: 1 })
    const never = textOf(threads, '/loops').catch((error: unknown) => String(error))
    await threads.close()
    expect(await never).toContain('could not be made')
    expect(lost).toEqual([])
  })
})
