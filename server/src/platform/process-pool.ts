/** Work in processes of their own: what eats memory, never ends or crashes there costs us nothing but its answer. */
import { type ChildProcess, spawn } from 'node:child_process'

export interface PoolOptions {
  /** The file each process runs; it answers every message with one message, in order. */
  program: string
  /** Processes at most; each has one piece of work at a time. */
  atOnce: number
  /** Pieces of work that may wait for a process. */
  waiting: number
  /** A process that has not answered by then is killed. */
  limitMs: number
  /** What a process may allocate. Windows and macOS know no such limit; there only the limits of the work itself count. */
  memoryMb: number
  /** A process without work is let go after this long. */
  idleMs: number
}

export type LossReason = 'slow' | 'died' | 'full' | 'closed'

/** The work has no answer: its process was too slow or died, or there was no place for it. */
export class LostWork extends Error {
  readonly reason: LossReason
  constructor(reason: LossReason) {
    super(`work in a process of its own was lost: ${reason}`)
    this.reason = reason
  }
}

export interface ProcessPool {
  /** @throws LostWork */
  run(message: unknown): Promise<unknown>
  close(): void
}

interface Work {
  message: unknown
  resolve(answer: unknown): void
  reject(error: Error): void
}

interface Worker {
  child: ChildProcess
  work: Work | null
  timer: NodeJS.Timeout | undefined
}

/** A process without our settings and secrets. The shell sets the limit, then becomes the process: Node can set none for its children. */
function start({ program, memoryMb }: PoolOptions): ChildProcess {
  // Machine code made at run time would reserve half a gigabyte that the limit counts.
  const node = [process.execPath, '--jitless', `--max-old-space-size=${Math.min(128, memoryMb)}`, program]
  const [command = '', ...rest] =
    process.platform === 'win32' ? node : ['/bin/sh', '-c', 'ulimit -d "$0" 2>/dev/null; exec "$@"', String(memoryMb * 1024), ...node]
  const { SystemRoot } = process.env
  return spawn(command, rest, {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    env: { UV_THREADPOOL_SIZE: '1', MALLOC_ARENA_MAX: '2', ...(SystemRoot && { SystemRoot }) },
  })
}

export function openProcessPool(options: PoolOptions): ProcessPool {
  const workers = new Set<Worker>()
  const line: Work[] = []
  let isClosed = false

  const letGo = (worker: Worker, reason: LossReason | Error): void => {
    clearTimeout(worker.timer)
    workers.delete(worker)
    worker.child.kill('SIGKILL')
    worker.work?.reject(reason instanceof Error ? reason : new LostWork(reason))
    worker.work = null
    if (!isClosed) next()
  }
  const give = (worker: Worker, work: Work): void => {
    clearTimeout(worker.timer)
    worker.work = work
    worker.timer = setTimeout(letGo, options.limitMs, worker, 'slow')
    worker.child.send(work.message as object, (error) => void (error && letGo(worker, 'died')))
  }
  const add = (): Worker => {
    const worker: Worker = { child: start(options), work: null, timer: undefined }
    workers.add(worker)
    worker.child.on('message', (answer) => {
      const { work } = worker
      if (!work) return
      clearTimeout(worker.timer)
      worker.work = null
      worker.timer = setTimeout(letGo, options.idleMs, worker, 'closed')
      worker.timer.unref()
      work.resolve(answer)
      next()
    })
    worker.child.on('error', (error) => letGo(worker, error))
    worker.child.on('exit', () => workers.has(worker) && letGo(worker, 'died'))
    return worker
  }
  const next = (): void => {
    while (line.length > 0) {
      const worker = [...workers].find(({ work }) => work === null) ?? (workers.size < options.atOnce ? add() : null)
      const work = worker && line.shift()
      if (!worker || !work) return
      give(worker, work)
    }
  }
  return {
    run: (message) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new LostWork('closed'))
        if (line.length >= options.waiting) return reject(new LostWork('full'))
        line.push({ message, resolve, reject })
        next()
      }),
    close() {
      isClosed = true
      for (const worker of workers) letGo(worker, 'closed')
      for (const work of line.splice(0)) work.reject(new LostWork('closed'))
    },
  }
}
