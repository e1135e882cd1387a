/** Files on a disk, which all processes of the site share. */
import { hourMs } from '@soigne/contract/time'
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { checkKey, type FileFacts, type FileStore, typeOfKey } from './file-store.ts'

/** No write takes this long: what is older was begun by a process that is no more. */
const abandonedAfterMs = hourMs

const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(String((error as { code?: unknown }).code))

const orNull = (error: unknown): null => {
  if (isMissing(error)) return null
  throw error
}

async function factsOf(handle: FileHandle, type: string): Promise<FileFacts | null> {
  const facts = await handle.stat({ bigint: true })
  if (!facts.isFile()) return null
  // Every put is a new file, so its number tells two contents of one moment apart.
  return { type, bytes: Number(facts.size), etag: `"${facts.ino.toString(36)}-${facts.size.toString(36)}-${facts.mtimeNs.toString(36)}"` }
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY)
  // Windows has no such thing; the file itself is safe there.
  await handle.sync().catch(() => {})
  await handle.close()
}

async function removeAbandoned(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name)
    const begun = await stat(path).catch(orNull)
    if (begun && Date.now() - begun.mtimeMs > abandonedAfterMs) await rm(path, { force: true })
  }
}

export async function openDiskFiles(dataDir: string): Promise<FileStore> {
  const root = join(dataDir, 'files')
  const incoming = join(root, '.incoming')
  await mkdir(incoming, { recursive: true })
  await removeAbandoned(incoming)
  return {
    async put(key, bytes, type) {
      checkKey(key, type)
      const path = join(root, key)
      const unfinished = join(incoming, randomUUID())
      await mkdir(dirname(path), { recursive: true })
      try {
        const handle = await open(unfinished, 'wx')
        try {
          await handle.writeFile(bytes)
          await handle.sync()
        } finally {
          await handle.close()
        }
        await rename(unfinished, path)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
      await syncDirectory(dirname(path))
    },
    async get(key, range) {
      const type = typeOfKey(key)
      const handle = type === null ? null : await open(join(root, key)).catch(orNull)
      if (type === null || !handle) return null
      const facts = await factsOf(handle, type).catch(orNull)
      if (!facts || facts.bytes === 0) await handle.close()
      if (!facts) return null
      if (facts.bytes === 0) return { ...facts, body: Readable.from([]) }
      return { ...facts, body: handle.createReadStream(range && { start: range.from, end: range.to }) }
    },
    async stat(key) {
      const type = typeOfKey(key)
      const handle = type === null ? null : await open(join(root, key)).catch(orNull)
      if (type === null || !handle) return null
      try {
        return await factsOf(handle, type)
      } finally {
        await handle.close()
      }
    },
    async remove(key) {
      if (typeOfKey(key) !== null) await rm(join(root, key), { force: true })
    },
    close() {},
  }
}
