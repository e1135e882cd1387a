// A thread that makes chunks of the crowd, one after another.
import { parentPort, workerData } from 'node:worker_threads'
import { readDemoContent } from '#/features/demo/service.ts'
import { type ChunkWish, makeChunk } from './chunk.ts'

const content = readDemoContent()
const taken = new Set((workerData as { taken: string[] }).taken)

parentPort?.on('message', (wish: ChunkWish) => {
  const chunk = makeChunk(wish, content, taken)
  parentPort?.postMessage(
    chunk,
    chunk.tables.map(({ text }) => text.buffer),
  )
})
