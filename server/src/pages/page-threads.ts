/**
 * Threads that make pages, so that making them keeps nobody else waiting. A thread that breaks, fills its memory or never comes back
 * is replaced, and what it had been asked is asked once more.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { MadePage, PageAsked, Read, Said } from './page-maker.ts'

export type ToThread = { kind: 'make'; id: number; asked: PageAsked } | { kind: 'said'; reading: number; said: Said }
export type FromThread =
  | { kind: 'ready' }
  | { kind: 'read'; id: number; reading: number; name: string; input: unknown }
  | { kind: 'made'; id: number; page: MadePage }
  | { kind: 'failed'; id: number; error: string }

export interface PageThreads {
  make(asked: PageAsked, read: Read): Promise<MadePage>
  close(): Promise<void>
}

export interface PageThreadsOptions {
  program: URL
  /** Handed to the program. */
  data: unknown
  count: number
  /** Of each thread; one that needs more ends. */
  memoryMb: number
  /** Milliseconds a page may take beside what it waits for; then its thread is given up. */
  patienceMs: number
  /** Milliseconds that pages under way are given when the threads close: who asked may be gone already, and that is no failure. */
  closingMs: number
  /** Told of each thread that had to be replaced. */
  onLost(error: unknown): void
}

interface Task {
  asked: PageAsked
  read: Read
  done(page: MadePage): void
  fail(error: Error): void
  attempts: number
  /** Calls it waits for. */
  reading: number
  timer: NodeJS.Timeout | null
}

interface Thread {
  worker: Worker
  tasks: Map<number, Task>
  /** Resolves once it can make pages; rejects when it ends before. */
  ready: Promise<void>
}

const maxAttempts = 2
/** A thread that does not even start is not started again at once. */
const restartMs = 1000

/** @throws when the threads cannot start, as with a web that is not built */
export async function openPageThreads(options: PageThreadsOptions): Promise<PageThreads> {
  const threads = new Set<Thread>()
  const underWay = new Set<Promise<MadePage>>()
  let asked = 0
  let isClosing = false

  const hand = (task: Task): void => {
    const [first, ...others] = threads
    if (!first) return task.fail(new Error('no thread makes pages'))
    const idlest = others.reduce((best, one) => (one.tasks.size < best.tasks.size ? one : best), first)
    const id = ++asked
    const watch = (): void => {
      task.timer = setTimeout(() => (task.reading > 0 ? watch() : void idlest.worker.terminate()), options.patienceMs)
    }
    task.attempts++
    task.reading = 0
    idlest.tasks.set(id, task)
    watch()
    idlest.worker.postMessage({ kind: 'make', id, asked: task.asked } satisfies ToThread)
  }

  const read = async (thread: Thread, task: Task, { reading, name, input }: FromThread & { kind: 'read' }): Promise<void> => {
    task.reading++
    const said = await task.read(name, input).catch((error: unknown): Said => ({ failed: String(error) }))
    task.reading--
    thread.worker.postMessage({ kind: 'said', reading, said } satisfies ToThread)
  }

  const hear = (thread: Thread, message: FromThread): void => {
    const task = message.kind === 'ready' ? undefined : thread.tasks.get(message.id)
    if (message.kind === 'ready' || !task) return
    if (message.kind === 'read') return void read(thread, task, message)
    thread.tasks.delete(message.id)
    clearTimeout(task.timer ?? undefined)
    if (message.kind === 'made') task.done(message.page)
    else task.fail(new Error(message.error))
  }

  const start = (): Thread => {
    const worker = new Worker(options.program, {
      workerData: options.data,
      resourceLimits: { maxOldGenerationSizeMb: options.memoryMb },
      // The web is given what it needs with each page, and none of our settings.
      env: { NODE_ENV: 'production' },
      execArgv: [],
    })
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
    const thread: Thread = { worker, tasks: new Map(), ready }
    let isReady = false
    let cause: unknown = new Error('a thread that makes pages ended')
    worker.on('message', (message: FromThread) => {
      if (message.kind === 'ready') {
        isReady = true
        resolve()
      } else hear(thread, message)
    })
    worker.on('error', (error) => (cause = error))
    worker.on('exit', () => {
      reject(cause)
      threads.delete(thread)
      for (const task of thread.tasks.values()) clearTimeout(task.timer ?? undefined)
      void replace(thread, isReady, cause)
    })
    ready.catch(() => {})
    threads.add(thread)
    return thread
  }

  const replace = async ({ tasks }: Thread, wasReady: boolean, cause: unknown): Promise<void> => {
    if (!isClosing) options.onLost(cause)
    if (!isClosing && !wasReady) await sleep(restartMs)
    if (!isClosing) start()
    for (const task of tasks.values()) {
      if (!isClosing && task.attempts < maxAttempts) hand(task)
      else task.fail(new Error('the page could not be made', { cause }))
    }
  }

  const close = async (): Promise<void> => {
    await Promise.race([Promise.allSettled(underWay), sleep(options.closingMs, undefined, { ref: false })])
    isClosing = true
    await Promise.all([...threads].map(({ worker }) => worker.terminate()))
  }

  try {
    await Promise.all(Array.from({ length: options.count }, () => start().ready))
  } catch (error) {
    await close()
    throw error
  }
  return {
    make(page, readCall) {
      const made = new Promise<MadePage>((done, fail) =>
        hand({ asked: page, read: readCall, done, fail, attempts: 0, reading: 0, timer: null }),
      )
      underWay.add(made)
      return made.finally(() => underWay.delete(made))
    },
    close,
  }
}
