/** The program of a thread that makes pages of the built web, as many at once as it is asked for. */
import { parentPort, workerData } from 'node:worker_threads'
import { createRequestHandler } from 'react-router'
import { makePage, type Said, type Web, type WebBuild } from './page-maker.ts'
import type { FromThread, ToThread } from './page-threads.ts'

const build = (await import((workerData as { entry: string }).entry)) as WebBuild
// The handler reckons its table of routes once.
const web: Web = { build, handle: createRequestHandler(build, 'production') }

const waiting = new Map<number, (said: Said) => void>()
let readings = 0
const tell = (message: FromThread): void => parentPort?.postMessage(message)

const ask = (id: number, name: string, input: unknown): Promise<Said> =>
  new Promise((resolve) => {
    const reading = ++readings
    waiting.set(reading, resolve)
    tell({ kind: 'read', id, reading, name, input })
  })

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'said') {
    waiting.get(message.reading)?.(message.said)
    waiting.delete(message.reading)
    return
  }
  const { id, asked } = message
  makePage(web, asked, (name, input) => ask(id, name, input)).then(
    (page) => tell({ kind: 'made', id, page }),
    (error: unknown) => tell({ kind: 'failed', id, error: String((error as Error)?.stack ?? error) }),
  )
})
tell({ kind: 'ready' })
