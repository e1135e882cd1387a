// Threads that make the crowd chunk by chunk, no further ahead than it can be stored.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { DemoHost } from '#/host.ts'
import type { CopyText } from '#/storage/rows-by-table.ts'
import type { ChunkRequest } from './chunk.ts'
import type { ThreadData } from './chunk-thread.ts'

/** Finished chunks may wait for the database; more than this many for each thread would only take memory. */
const ahead = 2

export interface ChunksRequest {
  chunks: Iterator<ChunkRequest>
  threads: number
  /** References that people have. */
  taken: readonly string[]
  host: DemoHost
}

/** Yields every chunk; which comes first depends on the threads. Ends them when nobody asks any more. */
export async function* makeChunks({ chunks, threads, taken, host }: ChunksRequest): AsyncGenerator<CopyText> {
  const workers = Array.from(
    { length: threads },
    () =>
      new Worker(new URL('./chunk-thread.ts', import.meta.url), {
        workerData: { hostModule: host.module, taken } satisfies ThreadData,
        resourceLimits: { maxYoungGenerationSizeMb: 64 },
      }),
  )
  const ready: CopyText[] = []
  const waiting: Worker[] = []
  let failed: Error | null = null
  let underWay = 0
  let wake: () => void = () => {}
  const give = (worker: Worker): void => {
    if (ready.length >= ahead * threads) return void waiting.push(worker)
    const next = chunks.next()
    if (next.done) return
    underWay++
    worker.postMessage(next.value)
  }
  for (const worker of workers) {
    worker.on('error', (error: Error) => {
      failed ??= error
      wake()
    })
    worker.on('message', (chunk: CopyText) => {
      underWay--
      ready.push(chunk)
      give(worker)
      wake()
    })
  }
  try {
    await Promise.all(workers.map((worker) => once(worker, 'online')))
    for (const worker of workers) give(worker)
    for (;;) {
      if (failed) throw failed
      const chunk = ready.shift()
      if (chunk) {
        for (const worker of waiting.splice(0)) give(worker)
        yield chunk
      } else if (underWay === 0) return
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
}
