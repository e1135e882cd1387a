/** The port to where files are kept: by key, so that every process finds what any of them has put. */
import type { Readable } from 'node:stream'

/** What is known of a stored file without reading it. */
export interface FileFacts {
  /** Its media type. */
  type: string
  bytes: number
  /** Quoted as the header ETag has it; another content under the same key has another one. */
  etag: string
}

/** Both ends are part of it, as in HTTP. */
export interface ByteRange {
  from: number
  to: number
}

export interface FileStore {
  /** All of it or nothing: nobody reads half a file. Overwrites. @throws TypeError when the key is malformed or does not end as its type does */
  put(key: string, bytes: Uint8Array, type: string): Promise<void>
  /** The facts of the whole file and its bytes, or those of a range of it; null when there is none. A body that is not read must be destroyed. */
  get(key: string, range?: ByteRange): Promise<(FileFacts & { body: Readable }) | null>
  stat(key: string): Promise<FileFacts | null>
  /** Removing what is not there is no failure. */
  remove(key: string): Promise<void>
  close(): void
}

/** The type of a file is told by the end of its key: a disk has no other place for it. */
const types: Readonly<Record<string, string>> = {
  webp: 'image/webp',
  png: 'image/png',
  pdf: 'application/pdf',
  pack: 'application/octet-stream',
  json: 'application/json',
}

const keyPattern = /^[a-z][a-z-]*(?:\/[a-z0-9-]{1,80}){1,4}\.(\w+)$/

/** The media type of a key; null for anything that is no key, so that no path leaves the store. */
export function typeOfKey(key: string): string | null {
  const extension = keyPattern.exec(key)?.[1]
  return extension !== undefined && Object.hasOwn(types, extension) ? (types[extension] ?? null) : null
}

/** What a key of this media type ends with. */
export const extensionOf = (type: string): string | null => Object.entries(types).find(([, known]) => known === type)?.[0] ?? null

/** @throws TypeError */
export function checkKey(key: string, type: string): void {
  if (typeOfKey(key) !== type) throw new TypeError(`'${key}' is no key for ${type}`)
}
