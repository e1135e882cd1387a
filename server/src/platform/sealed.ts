/** What must come back but be read by nobody else, such as tokens of a provider: AES-256-GCM, with the name of the key before it. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Keys by name; the first seals, all of them open. */
export type SealingKeys = readonly { id: string; key: Buffer }[]

/** A key made of a secret, where none was given. */
export const keysOfSecret = (secret: string): SealingKeys => [
  { id: 'secret', key: Buffer.from(hkdfSync('sha256', secret, '', 'sealed values', 32)) },
]

const ivBytes = 12
const tagBytes = 16

/** `purpose` is bound to the text: what was sealed for one is not opened for another. */
export function seal(keys: SealingKeys, purpose: string, text: string): string {
  const [first] = keys
  if (!first) throw new Error('there is no key to seal with')
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', first.key, iv).setAAD(Buffer.from(`${first.id}:${purpose}`))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return `${first.id}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`
}

/** Null when it was not sealed with a key we know for this purpose, or was changed since. */
export function unseal(keys: SealingKeys, purpose: string, sealed: string): string | null {
  const [id = '', rest = ''] = sealed.split('.')
  const known = keys.find((one) => one.id === id)
  const bytes = Buffer.from(rest, 'base64url')
  if (!known || bytes.length < ivBytes + tagBytes) return null
  try {
    const decipher = createDecipheriv('aes-256-gcm', known.key, bytes.subarray(0, ivBytes))
      .setAAD(Buffer.from(`${id}:${purpose}`))
      .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
