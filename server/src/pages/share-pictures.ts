/** Draws the pictures shown when a page is shared: one at a time in a process of its own, each once for all processes and releases that draw it alike. */
import { hash } from 'node:crypto'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { FileStore } from '#/platform/file-store.ts'
import { LostWork, openProcessPool } from '#/platform/process-pool.ts'
import { type RefusalError, refuse } from '#/platform/refuse.ts'
import { singleFlight } from '#/platform/single-flight.ts'
import { openTurns } from '#/platform/turns.ts'

/** As the networks that show them ask for. */
const size = { width: 1200, height: 630 }
const keptInMemory = 200

export interface SharePictures {
  /** The picture of a drawing, which is read only when nobody has it at hand. @throws unavailable beyond a short line */
  of(name: string, network: string, readSvg: () => Promise<Buffer | null>): Promise<Buffer | null>
  close(): void
}

const later = (): RefusalError => refuse('unavailable', undefined, { retryAfter: 3 })

export function openSharePictures({ files }: { files: FileStore }, { waiting = 4, patienceMs = 5000 } = {}): SharePictures {
  const pool = openProcessPool({
    program: join(import.meta.dirname, 'share-picture-process.mjs'),
    atOnce: 1,
    waiting: 1,
    limitMs: 20_000,
    memoryMb: 600,
    idleMs: 30_000,
  })
  const lookingTurn = openTurns({ atOnce: 2, waiting: 40, refusal: later })
  const drawingTurn = openTurns({ atOnce: 1, waiting, keepsBusy: true, refusal: later })
  const pictures = new Map<string, Buffer>()
  const flights = singleFlight<Buffer | null>()

  const draw = async (svg: Buffer, key: string): Promise<Buffer> => {
    const answer = (await pool.run({ svg, ...size }).catch((error: unknown) => {
      throw error instanceof LostWork ? later() : error
    })) as { png?: Uint8Array; error?: string }
    if (!answer.png) throw new Error(`a picture could not be drawn: ${answer.error}`)
    const png = Buffer.from(answer.png)
    await files.put(key, png, 'image/png')
    return png
  }
  const find = async (network: string, readSvg: () => Promise<Buffer | null>): Promise<Buffer | null> => {
    const drawing = await lookingTurn(network, async () => {
      const svg = await readSvg()
      if (!svg) return null
      // Another design of the same has another key.
      const key = `share-pictures/${hash('sha256', svg, 'hex')}.png`
      const stored = await files.get(key)
      return { svg, key, stored: stored && (await buffer(stored.body)) }
    })
    return drawing && (drawing.stored ?? drawingTurn(network, () => draw(drawing.svg, drawing.key)))
  }
  return {
    async of(name, network, readSvg) {
      const known = pictures.get(name)
      if (known) return known
      const coming = flights(name, async () => {
        const picture = await find(network, readSvg)
        if (picture) pictures.set(name, picture)
        if (pictures.size > keptInMemory) pictures.delete(pictures.keys().next().value ?? '')
        return picture
      })
      // What takes longer is there for who comes back.
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(later()), patienceMs)
        coming.then(resolve, reject).finally(() => clearTimeout(timer))
      })
    },
    close: () => pool.close(),
  }
}
