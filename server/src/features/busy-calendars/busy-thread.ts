// The thread that reads calendars of strangers: rules that repeat for ever keep a reader busy for ever. It is ended when it takes too long.
import { parentPort } from 'node:worker_threads'
import type { Said } from '#/platform/limited-thread.ts'
import { type BusyQuestion, type BusySpans, readBusy } from './busy-times.ts'

function say(answer: BusySpans | 'no_calendar' | 'too_much' | null): void {
  const { user, system } = process.threadCpuUsage()
  parentPort?.postMessage({ answer, usedMs: (user + system) / 1000 } satisfies Said<BusySpans | 'no_calendar' | 'too_much'>)
}

parentPort?.on('message', (question: BusyQuestion) => {
  try {
    say(readBusy(question))
  } catch {
    say('no_calendar')
  }
})
say(null)
