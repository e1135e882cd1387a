/** Stored files: re-encoded pictures on the local disk, under random names. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { FileStorage } from '@flystorage/file-storage'
import { LocalStorageAdapter } from '@flystorage/local-fs'
import sharp from 'sharp'
import { refuse } from './refuse.ts'

sharp.concurrency(1)

export interface Files {
  /** Decodes, turns upright, crops to a square, drops metadata, stores as WebP. Refuses wrong_type for anything else than JPEG, PNG, WebP. */
  saveSquarePicture(bytes: Uint8Array, side: number): Promise<string>
  read(key: string): Promise<Uint8Array | null>
  remove(key: string): Promise<void>
}

/** A key this module made: nothing else is ever read from the disk. */
const keyPattern = /^pictures\/[0-9a-f]{32}\.webp$/

export function openFiles(dataDir: string): Files {
  const storage = new FileStorage(new LocalStorageAdapter(join(dataDir, 'files')))
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
      await storage.write(key, encoded)
      return key
    },
    async read(key) {
      if (!keyPattern.test(key) || !(await storage.fileExists(key))) return null
      return storage.readToUint8Array(key)
    },
    async remove(key) {
      if (keyPattern.test(key)) await storage.deleteFile(key)
    },
  }
}
