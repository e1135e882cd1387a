// The thread that asks again: hundreds of questions to the engine, which nobody's booking waits for.
import { parentPort } from 'node:worker_threads'
import type { InstituteDiary } from '@soigne/scheduling/model'
import { type ChangedRules, replay, type Replayed } from '@soigne/scheduling/replay'
import type { Said } from '#/platform/limited-thread.ts'

export interface ReplayQuestion {
  diary: InstituteDiary
  changed: ChangedRules
  past: Parameters<typeof replay>[2]
}

function say(answer: Replayed | null): void {
  const { user, system } = process.threadCpuUsage()
  parentPort?.postMessage({ answer, usedMs: (user + system) / 1000 } satisfies Said<Replayed>)
}

parentPort?.on('message', ({ diary, changed, past }: ReplayQuestion) => say(replay(diary, changed, past)))
say(null)
