// A thread for one question at a time that may use only so much processor time and memory.
import { Worker } from 'node:worker_threads'

export interface Limits {
  /** Processor time for one answer, milliseconds; on a busy machine it may take a while to be given. */
  timeMs: number
  memoryMb: number
}

/** What a thread says: null once when it is there, then its answers; with the processor time it has used so far, milliseconds. */
export interface Said<Answer> {
  answer: Answer | null
  usedMs: number
}

export type Ended = 'too_slow' | 'too_much_memory' | 'broken'

export interface LimitedThread<Question, Answer> {
  /** The answer, or why there is none; then the thread is over and another has to be started. */
  ask(question: Question): Promise<{ answer: Answer } | { ended: Ended }>
  end(): Promise<void>
}

/** A thread that does not even start in this time will not. */
const startMs = 30_000
/** Who has not been given its processor time after so many times as long is given up, too. */
const patience = 40

const outOfMemory = (error: Error & { code?: string }): Ended => (error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'too_much_memory' : 'broken')

function started<Answer>(worker: Worker): Promise<number> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      void worker.terminate()
      reject(new Error('the thread did not start'))
    }, startMs)
    worker.once('message', ({ usedMs }: Said<Answer>) => {
      clearTimeout(late)
      resolve(usedMs)
    })
    worker.once('error', (error) => {
      clearTimeout(late)
      reject(error)
    })
  })
}

/** @throws when the thread cannot start, as with too little memory */
export async function startThread<Question, Answer>(program: URL, limits: Limits): Promise<LimitedThread<Question, Answer>> {
  const worker = new Worker(program, {
    resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    // What it has to say is in its answers; it gets none of our environment.
    stdout: true,
    stderr: true,
    env: {},
    execArgv: [],
  })
  let usedMs = await started<Answer>(worker)
  // A dying thread may still complain when nobody asks any more.
  worker.on('error', () => {})

  const ask = (question: Question) =>
    new Promise<{ answer: Answer } | { ended: Ended }>((resolve) => {
      const began = performance.now()
      let isSettled = false
      const settle = (outcome: { answer: Answer } | { ended: Ended }): void => {
        isSettled = true
        clearTimeout(timer)
        worker.off('message', said).off('error', broke).off('exit', left)
        resolve(outcome)
        if ('ended' in outcome) void worker.terminate()
      }
      const said = (message: Said<Answer>): void => {
        usedMs = message.usedMs
        if (message.answer !== null) settle({ answer: message.answer })
      }
      const broke = (error: Error): void => settle({ ended: outOfMemory(error) })
      const left = (): void => settle({ ended: 'broken' })
      const look = async (): Promise<void> => {
        const { user, system } = await worker.cpuUsage()
        // Answered meanwhile: what the thread does now is another question's, for which it must not be ended.
        if (isSettled) return
        const spent = (user + system) / 1000 - usedMs
        if (spent >= limits.timeMs || performance.now() - began > patience * limits.timeMs) settle({ ended: 'too_slow' })
        else timer = again(limits.timeMs - spent)
      }
      // A thread that has ended answers no questions; the listeners above say so.
      const again = (ms: number): NodeJS.Timeout => setTimeout(() => void look().catch(left), Math.max(ms, 5))
      let timer = again(limits.timeMs)
      worker.on('message', said).on('error', broke).on('exit', left)
      worker.postMessage(question)
    })

  return { ask, end: async () => void (await worker.terminate()) }
}
