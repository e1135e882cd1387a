/** Random secrets and what is stored of them. */
import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

/** 256 random bits as URL-safe text. */
export const randomToken = (): string => randomBytes(32).toString('base64url')

/** SHA-256 of a token: enough for 256 random bits, which nobody can guess. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Six random digits. */
export const randomCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')

/** Keyed hash of a short code, bound to whom it was sent. */
export const hashCode = (secret: string, owner: string, code: string): Buffer =>
  createHmac('sha256', secret).update(`${owner}:${code}`).digest()

/** Compares in constant time. */
export const sameBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)
