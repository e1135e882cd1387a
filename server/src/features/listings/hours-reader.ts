// Reads opening hours of OpenStreetMap in a thread that may use little memory and little time: real strings keep naive readers busy for ever.
import { Worker } from 'node:worker_threads'
import type { Week } from './weeks.ts'

export interface HoursQuestion {
  id: number
  text: string
  lat: number
  lon: number
  countryCode: string
  /** State or region, where public holidays differ by it. */
  region: string | null
  /** The first Monday of the year looked at, `YYYY-MM-DD`. */
  monday: string
}

export type HoursFailure = 'too_long' | 'unreadable' | 'too_slow' | 'too_much_memory'

export type HoursAnswer = { id: number } & (
  | (Week & {
      ok: true
      /** Not written as it should be, but clear. */
      loose: boolean
    })
  | { ok: false; reason: HoursFailure; message: string }
)

/** Longest text read; real ones have at most a few hundred characters. */
export const longestHours = 512

export interface HoursReader {
  read(question: Omit<HoursQuestion, 'id'>): Promise<HoursAnswer>
  /** How often a thread had to be ended. */
  ended(): number
  close(): Promise<void>
}

export interface Limits {
  /** Wall time for one text, milliseconds. */
  timeMs: number
  memoryMb: number
}
const usualLimits: Limits = { timeMs: 500, memoryMb: 96 }
/** A thread that does not even start in this time will not. */
const startMs = 30_000

function startThread({ memoryMb }: Limits): Promise<Worker> {
  const thread = new Worker(new URL('./hours-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    // What the parser has to say is in its answer; it gets none of our environment.
    stdout: true,
    stderr: true,
    env: {},
    execArgv: [],
  })
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => void thread.terminate().then(() => reject(new Error('the thread for opening hours did not start'))),
      startMs,
    )
    thread.once('message', () => {
      clearTimeout(late)
      resolve(thread)
    })
    thread.once('error', (error) => {
      clearTimeout(late)
      reject(error)
    })
  })
}

/** One text at a time; the thread is started when it is first needed, and again after it had to be ended. */
export function openHoursReader(limits: Limits = usualLimits): HoursReader {
  let thread: Promise<Worker> | null = null
  let turn: Promise<unknown> = Promise.resolve()
  let next = 0
  let ended = 0

  const ask = async (question: HoursQuestion): Promise<HoursAnswer> => {
    thread ??= startThread(limits)
    const worker = await thread.catch((error: unknown) => {
      // The next text may have more luck.
      thread = null
      throw error
    })
    const failed = (reason: HoursFailure, message: string): HoursAnswer => ({ id: question.id, ok: false, reason, message })
    const answer = await new Promise<HoursAnswer>((resolve) => {
      const settle = (given: HoursAnswer): void => {
        clearTimeout(late)
        worker.off('message', settle).off('error', broke).off('exit', left)
        resolve(given)
      }
      const broke = (error: Error & { code?: string }): void =>
        settle(
          error.code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? failed('too_much_memory', 'needs too much memory')
            : failed('unreadable', 'broke the reader'),
        )
      const left = (): void => settle(failed('unreadable', 'ended the reader'))
      const late = setTimeout(() => settle(failed('too_slow', `takes longer than ${limits.timeMs} ms`)), limits.timeMs)
      worker.on('message', settle).on('error', broke).on('exit', left)
      worker.postMessage(question)
    })
    if (!answer.ok && answer.reason !== 'unreadable') await restart(worker)
    else if (!answer.ok && /reader$/.test(answer.message)) await restart(worker)
    return answer
  }

  const restart = async (worker: Worker): Promise<void> => {
    ended++
    thread = null
    // A dying thread may still have something to complain about; nobody listens any more.
    worker.on('error', () => {})
    await worker.terminate()
  }

  return {
    read(question) {
      const id = next++
      if (question.text.length > longestHours) {
        return Promise.resolve({ id, ok: false, reason: 'too_long', message: `has more than ${longestHours} characters` })
      }
      const answer = turn.then(() => ask({ ...question, id }))
      turn = answer.catch(() => {})
      return answer
    },
    ended: () => ended,
    async close() {
      await turn
      const worker = await thread?.catch(() => null)
      thread = null
      await worker?.terminate()
    },
  }
}
