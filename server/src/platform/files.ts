/** Stored files: re-encoded pictures under random names. */
import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import type { FileStore } from './file-store.ts'
import { refuse } from './refuse.ts'

sharp.concurrency(1)

export interface Files {
  /** Decodes, turns upright, crops to a square, drops metadata, stores as WebP. Refuses wrong_type for anything else than JPEG, PNG, WebP. */
  saveSquarePicture(bytes: Uint8Array, side: number): Promise<string>
  read(key: string): Promise<Uint8Array | null>
  remove(key: string): Promise<void>
  close(): void
}

/** A key this module made: nothing else is ever read. */
const keyPattern = /^pictures\/[0-9a-f]{32}\.webp$/

export function openFiles(store: FileStore): Files {
  return {
    async saveSquarePicture(bytes, side) {
      const limits = { limitInputPixels: 40_000_000, failOn: 'error' as const }
      const format = await sharp(bytes, limits)
        .metadata()
        .then(
          (data) => data.format,
          () => null,
        )
      if (format !== 'jpeg' && format !== 'png' && format !== 'webp') throw refuse('wrong_type')
      const encoded = await sharp(bytes, limits)
        .rotate()
        .resize(side, side, { fit: 'cover' })
        .webp({ quality: 82 })
        .toBuffer()
        .catch(() => {
          throw refuse('wrong_type')
        })
      const key = `pictures/${randomBytes(16).toString('hex')}.webp`
      await store.put(key, encoded, 'image/webp')
      return key
    },
    async read(key) {
      const found = keyPattern.test(key) ? await store.get(key) : null
      return found && buffer(found.body)
    },
    async remove(key) {
      if (keyPattern.test(key)) await store.remove(key)
    },
    close: () => store.close(),
  }
}
