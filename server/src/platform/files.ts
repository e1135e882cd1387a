/** Stored files: re-encoded pictures under random names. */
import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Decoder } from './decoder.ts'
import type { FileStore } from './file-store.ts'
import { refuse } from './refuse.ts'

export interface Files {
  /** Decodes, turns upright, crops to a square, drops metadata, stores as WebP. Refuses wrong_type for anything else than JPEG, PNG, WebP. */
  saveSquarePicture(bytes: Uint8Array, side: number): Promise<string>
  read(key: string): Promise<Uint8Array | null>
  remove(key: string): Promise<void>
  close(): void
}

/** A key this module made: nothing else is ever read. */
const keyPattern = /^pictures\/[0-9a-f]{32}\.webp$/

export function openFiles(store: FileStore, decoder: Decoder): Files {
  return {
    async saveSquarePicture(bytes, side) {
      const answer = await decoder.picture(bytes, { fit: 'square', sizes: [side], pixels: 40_000_000 })
      const made = answer.ok ? answer.pictures[0] : undefined
      if (!made) throw refuse('wrong_type')
      const key = `pictures/${randomBytes(16).toString('hex')}.webp`
      await store.put(key, made.bytes, 'image/webp')
      return key
    },
    async read(key) {
      const found = keyPattern.test(key) ? await store.get(key) : null
      return found && buffer(found.body)
    },
    async remove(key) {
      if (keyPattern.test(key)) await store.remove(key)
    },
    close() {
      decoder.close()
      store.close()
    },
  }
}
