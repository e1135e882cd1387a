// A thread that makes chunks of the crowd, one after another.
import { parentPort, workerData } from 'node:worker_threads'
import { readDemoContent } from '#/content/read-content.ts'
import type { DemoHost } from '#/host.ts'
import { type ChunkRequest, makeChunk } from './chunk.ts'

/** What a thread is started with. */
export interface ThreadData {
  hostModule: string
  taken: readonly string[]
}

const { hostModule, taken } = workerData as ThreadData
const { demoHost: host } = (await import(hostModule)) as { demoHost: DemoHost }
const sources = { content: readDemoContent(), host, taken: new Set(taken) }

parentPort?.on('message', (request: ChunkRequest) => {
  const chunk = makeChunk(request, sources)
  parentPort?.postMessage(
    chunk,
    chunk.tables.map(({ text }) => text.buffer),
  )
})
