/** Keys of files and the addresses they are served at. A private file's address is signed and expires. */
import type { Instant } from '@soigne/contract/time'
import { createHmac, randomBytes } from 'node:crypto'
import { extensionOf } from '#/platform/file-store.ts'
import { sameBytes } from '#/platform/tokens.ts'

/** An address works for at least this long after it was given out, and a quarter of an hour longer at most. */
const lifeSeconds = 3600
/** Addresses given out within the same quarter of an hour are equal, so that a browser asks once. */
const stepSeconds = 900

/** `pictures/<32 hex>.webp`; a private file's key begins with `private/`. */
const keyPattern = /^(pictures|private)\/[0-9a-f]{32}(?:-(\d{2,4}))?\.[a-z0-9]+$/

export function newKey(isPrivate: boolean, type: string): string {
  const extension = extensionOf(type)
  if (extension === null) throw new TypeError(`files of ${type} cannot be kept`)
  return `${isPrivate ? 'private' : 'pictures'}/${randomBytes(16).toString('hex')}.${extension}`
}

/** The key of a smaller size of a picture. */
export const variantKey = (key: string, size: number): string => key.replace(/\.[a-z0-9]+$/, `-${size}$&`)

export interface AskedFile {
  /** The file itself. */
  key: string
  /** What is asked for: it, or a variant of it. */
  asked: string
  isPrivate: boolean
}

/** What an address under `/files/` asks for; null when there can be no such file. */
export function askedFile(path: string): AskedFile | null {
  const found = keyPattern.exec(path)
  if (!found) return null
  const [, folder, size] = found
  return { key: size === undefined ? path : path.replace(`-${size}.`, '.'), asked: path, isPrivate: folder === 'private' }
}

const proofOf = (secret: string, key: string, until: number): Buffer =>
  createHmac('sha256', `${secret}\nfiles`).update(`${key}\n${until}`).digest()

/** Where a file is served. The proof covers the file, so all of its sizes. */
export function addressOf(secret: string, now: Instant, key: string, size?: number): string {
  const path = `/files/${size === undefined ? key : variantKey(key, size)}`
  if (!key.startsWith('private/')) return path
  const until = Math.ceil(now / 1000 / stepSeconds) * stepSeconds + lifeSeconds
  return `${path}?until=${until}&proof=${proofOf(secret, key, until).toString('base64url')}`
}

/** How many seconds an address still works; null when its proof is wrong, 0 when its time is over. */
export function secondsLeft(
  secret: string,
  now: Instant,
  key: string,
  { until, proof }: { until?: unknown; proof?: unknown },
): number | null {
  if (typeof until !== 'string' || !/^\d{1,12}$/.test(until) || typeof proof !== 'string') return null
  if (!sameBytes(Buffer.from(proof, 'base64url'), proofOf(secret, key, Number(until)))) return null
  return Math.max(0, Math.floor(Number(until) - now / 1000))
}
