/** A program for threads that make pages, which does what the path of the asked page says: well, never, or not at all. */
import { parentPort, workerData } from 'node:worker_threads'
import type { MadePage, Said } from '#/pages/page-maker.ts'
import type { FromThread, ToThread } from '#/pages/page-threads.ts'

const { failsToStart = false, deaths } = workerData as { failsToStart?: boolean; deaths?: Int32Array }
if (failsToStart) throw new Error('cannot start')

const tell = (message: FromThread): void => parentPort?.postMessage(message)
const page = (text: string): MadePage => ({ status: 200, headers: [], body: Buffer.from(text), brotli: null })
const waiting = new Map<number, (said: Said) => void>()
const hoard: string[][] = []

const paths: Record<string, (id: number) => void> = {
  '/plain': (id) => tell({ kind: 'made', id, page: page('plain') }),
  '/reads': (id) => {
    waiting.set(id, (said) => tell({ kind: 'made', id, page: page(JSON.stringify(said)) }))
    tell({ kind: 'read', id, reading: id, name: 'institute', input: { params: { slug: 'x' } } })
  },
  '/fails': (id) => tell({ kind: 'failed', id, error: 'broken inside' }),
  '/loops': () => {
    for (;;);
  },
  '/ends': () => process.exit(3),
  '/ends-once': (id) => {
    if (deaths && Atomics.add(deaths, 0, 1) === 0) process.exit(3)
    tell({ kind: 'made', id, page: page('at last') })
  },
  '/fills': () => {
    for (let n = 0; ; n++) hoard.push(Array.from({ length: 1000 }, (_, at) => `${n} ${at}`))
  },
}

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'said') waiting.get(message.reading)?.(message.said)
  else paths[new URL(message.asked.url).pathname]?.(message.id)
})
tell({ kind: 'ready' })
