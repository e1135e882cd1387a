/**
 * Prints one document after the other in a process of its own, which is started anew after so many: each leaves memory behind.
 * Not one of `platform/process-pool.ts`: the layout of pages is WebAssembly, which needs the machine code that those do without.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { LostWork, type LossReason } from '#/platform/process-pool.ts'
import type { CardSheet } from './card-sheet.ts'
import type { Sheet } from './sheet.ts'

/** What the process draws. */
export type Printable = Sheet | CardSheet

export interface PrinterOptions {
  /** Documents that may wait. */
  waiting: number
  /** A document that is not printed by then is given up, and its process killed. */
  limitMs: number
  /** What a process may allocate, where the system knows such a limit. */
  memoryMb: number
  /** A process is let go after so many documents, */
  documents: number
  /** and after this long without one. */
  idleMs: number
}

export interface Printer {
  /** @throws LostWork when there is no place in the line, or its process was too slow or died twice */
  print(sheet: Printable): Promise<Uint8Array>
  /** Of the process, while there is one. */
  pid(): number | undefined
  close(): void
}

export type PrintAnswer = { pdf: Uint8Array } | { error: string }

/** A process without our settings and secrets; the shell sets the limit, then becomes the process. */
function start(memoryMb: number): ChildProcess {
  const node = [process.execPath, '--max-old-space-size=256', join(import.meta.dirname, 'print-process.ts')]
  const [command = '', ...rest] =
    process.platform === 'win32' ? node : ['/bin/sh', '-c', 'ulimit -d "$0" 2>/dev/null; exec "$@"', String(memoryMb * 1024), ...node]
  const { SystemRoot } = process.env
  const child = spawn(command, rest, {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    env: { UV_THREADPOOL_SIZE: '1', MALLOC_ARENA_MAX: '2', ...(SystemRoot && { SystemRoot }) },
  })
  // Whoever waits for a document holds the server open by its timer; a process without work does not.
  child.unref()
  child.channel?.unref()
  return child
}

/** The answer of a process to one sheet, or why there is none. */
function ask(child: ChildProcess, sheet: Printable, limitMs: number): Promise<PrintAnswer> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer)
      child.off('message', answered).off('exit', died).off('error', died)
      settle()
    }
    const lost = (reason: LossReason): void => end(() => reject(new LostWork(reason)))
    const answered = (answer: unknown): void => end(() => resolve(answer as PrintAnswer))
    const died = (): void => lost('died')
    const timer = setTimeout(lost, limitMs, 'slow')
    child.on('message', answered).on('exit', died).on('error', died)
    child.send(sheet, (error) => void (error && died()))
  })
}

export function openPrinter(options: Partial<PrinterOptions> = {}): Printer {
  const { waiting = 20, limitMs = 20_000, memoryMb = 1000, documents = 200, idleMs = 30_000 } = options
  let child: ChildProcess | null = null
  let printed = 0
  let idle: NodeJS.Timeout | undefined
  let line: Promise<unknown> = Promise.resolve()
  let waits = 0
  let isClosed = false

  const letGo = (): void => {
    clearTimeout(idle)
    child?.kill('SIGKILL')
    child = null
  }
  const atHand = (): ChildProcess => {
    clearTimeout(idle)
    if (child && child.exitCode === null && child.signalCode === null && child.connected) return child
    printed = 0
    child = start(memoryMb)
    return child
  }
  const printOnce = async (sheet: Printable): Promise<PrintAnswer> => {
    if (isClosed) throw new LostWork('closed')
    try {
      const answer = await ask(atHand(), sheet, limitMs)
      if (++printed >= documents) letGo()
      else idle = setTimeout(letGo, idleMs).unref()
      return answer
    } catch (error) {
      letGo()
      throw error
    }
  }
  /** A process may have died of what it printed before: the document is tried once more. */
  const printTwice = (sheet: Printable): Promise<PrintAnswer> =>
    printOnce(sheet).catch((error: unknown) => {
      if (error instanceof LostWork && error.reason === 'died') return printOnce(sheet)
      throw error
    })
  return {
    async print(sheet) {
      if (waits >= waiting) throw new LostWork('full')
      waits++
      const turn = line.then(() => printTwice(sheet)).finally(() => waits--)
      line = turn.catch(() => undefined)
      const answer = await turn
      if ('error' in answer) throw new Error(`a document could not be printed: ${answer.error}`)
      return answer.pdf
    },
    pid: () => child?.pid,
    close() {
      isClosed = true
      letGo()
    },
  }
}
