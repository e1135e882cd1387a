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

/** What a page reads is asked for here. */
async function read({ worker }: Thread, task: Task, { reading, name, input }: FromThread & { kind: 'read' }): Promise<void> {
  task.reading++
  const said = await task.read(name, input).catch((error: unknown): Said => ({ failed: String(error) }))
  task.reading--
  worker.postMessage({ kind: 'said', reading, said } satisfies ToThread)
}

/** What a thread says of one of its pages. */
function hear(thread: Thread, message: Exclude<FromThread, { kind: 'ready' }>): void {
  const task = thread.tasks.get(message.id)
  if (!task) return
  if (message.kind === 'read') return void read(thread, task, message)
  thread.tasks.delete(message.id)
  clearTimeout(task.timer ?? undefined)
  if (message.kind === 'made') task.done(message.page)
  else task.fail(new Error(message.error))
}

class Threads {
  readonly #options: PageThreadsOptions
  readonly #threads = new Set<Thread>()
  readonly #underWay = new Set<Promise<MadePage>>()
  #asked = 0
  #isClosing = false

  constructor(options: PageThreadsOptions) {
    this.#options = options
  }

  /** Resolves once all can make pages; rejects when one ends before. */
  async open(): Promise<void> {
    await Promise.all(Array.from({ length: this.#options.count }, () => this.#start().ready))
  }

  make(asked: PageAsked, read: Read): Promise<MadePage> {
    const made = new Promise<MadePage>((done, fail) => this.#hand({ asked, read, done, fail, attempts: 0, reading: 0, timer: null }))
    this.#underWay.add(made)
    return made.finally(() => this.#underWay.delete(made))
  }

  async close(): Promise<void> {
    await Promise.race([Promise.allSettled(this.#underWay), sleep(this.#options.closingMs, undefined, { ref: false })])
    this.#isClosing = true
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()))
  }

  /** To the thread with the least to do. */
  #hand(task: Task): void {
    const [first, ...others] = this.#threads
    if (!first) return task.fail(new Error('no thread makes pages'))
    const idlest = others.reduce((best, one) => (one.tasks.size < best.tasks.size ? one : best), first)
    const id = ++this.#asked
    task.attempts++
    task.reading = 0
    idlest.tasks.set(id, task)
    this.#watch(task, idlest)
    idlest.worker.postMessage({ kind: 'make', id, asked: task.asked } satisfies ToThread)
  }

  /** Gives the thread up that takes too long, unless its page waits for an answer of ours. */
  #watch(task: Task, thread: Thread): void {
    const look = (): void => (task.reading > 0 ? this.#watch(task, thread) : void thread.worker.terminate())
    task.timer = setTimeout(look, this.#options.patienceMs)
  }

  #start(): Thread {
    const { program, data, memoryMb } = this.#options
    const worker = new Worker(program, {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
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
      this.#threads.delete(thread)
      for (const task of thread.tasks.values()) clearTimeout(task.timer ?? undefined)
      void this.#replace(thread, isReady, cause)
    })
    ready.catch(() => {})
    this.#threads.add(thread)
    return thread
  }

  /** Another thread instead of one that ended, and what that had been asked is asked once more. */
  async #replace({ tasks }: Thread, wasReady: boolean, cause: unknown): Promise<void> {
    if (!this.#isClosing) this.#options.onLost(cause)
    if (!this.#isClosing && !wasReady) await sleep(restartMs)
    if (!this.#isClosing) this.#start()
    for (const task of tasks.values()) {
      if (!this.#isClosing && task.attempts < maxAttempts) this.#hand(task)
      else task.fail(new Error('the page could not be made', { cause }))
    }
  }
}

/** @throws when the threads cannot start, as with a web that is not built */
export async function openPageThreads(options: PageThreadsOptions): Promise<PageThreads> {
  const threads = new Threads(options)
  try {
    await threads.open()
  } catch (error) {
    await threads.close()
    throw error
  }
  return { make: (asked, read) => threads.make(asked, read), close: () => threads.close() }
}
