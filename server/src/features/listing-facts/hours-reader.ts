// Reads opening hours of OpenStreetMap in a thread that may use little memory and little time: real strings keep naive readers busy for ever.
import { type Ended, type LimitedThread, type Limits, startThread } from '#/platform/limited-thread.ts'
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

// The slowest of 45,000 real texts takes a sixth of this time, and a third of it where a processor is shared.
const usualLimits: Limits = { timeMs: 1000, memoryMb: 96 }

const failures: Readonly<Record<Ended, [HoursFailure, string]>> = {
  too_slow: ['too_slow', 'takes too long to read'],
  too_much_memory: ['too_much_memory', 'needs too much memory'],
  broken: ['unreadable', 'broke the reader'],
}

/** One text at a time; the thread is started when it is first needed, and again after it had to be ended. */
export function openHoursReader(limits: Limits = usualLimits): HoursReader {
  let thread: Promise<LimitedThread<HoursQuestion, HoursAnswer>> | null = null
  let turn: Promise<unknown> = Promise.resolve()
  let next = 0
  let ended = 0

  const ask = async (question: HoursQuestion): Promise<HoursAnswer> => {
    thread ??= startThread(new URL('./hours-thread.ts', import.meta.url), limits)
    try {
      const outcome = await (await thread).ask(question)
      if ('answer' in outcome) return outcome.answer
      ended++
      thread = null
      const [reason, message] = failures[outcome.ended]
      return { id: question.id, ok: false, reason, message }
    } catch (error) {
      // One that could not start is not asked again.
      thread = null
      throw error
    }
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
      const last = await thread?.catch(() => null)
      thread = null
      await last?.end()
    },
  }
}
