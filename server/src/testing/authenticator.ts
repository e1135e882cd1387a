/** A device that makes passkeys and signs with them, as a browser hands on what it says. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const site = 'http://soigne.test'

/** The little of CBOR that devices write: whole numbers, bytes, texts and maps. */
type Cbor = number | string | Buffer | Map<number | string, Cbor>
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff])
}
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one)])])
}

const digest = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
const clientData = (type: string, challenge: string, origin: string): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

/** What is not as it should be. */
export interface Otherwise {
  origin?: string
  rpId?: string
  /** Nobody showed that they are its owner. */
  unverified?: true
  /** How often it says that it signed. */
  count?: number
  userHandle?: string | null
  format?: string
  credentialId?: Buffer
}

export class Authenticator {
  readonly id = randomBytes(16)
  count = 0
  #handle = ''
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

  #data({ rpId = new URL(site).hostname, unverified, count }: Otherwise, more: Buffer[] = []): Buffer {
    const counted = Buffer.alloc(4)
    counted.writeUInt32BE(count ?? this.count)
    const flags = 1 | (unverified ? 0 : 4) | (more.length > 0 ? 64 : 0)
    return Buffer.concat([digest(rpId), Buffer.from([flags]), counted, ...more])
  }

  /** Answers what `beginPasskey` asked. */
  make(options: { challenge: string; user: { id: string } }, otherwise: Otherwise = {}) {
    this.#handle = options.user.id
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const key = cbor(
      new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    )
    const id = otherwise.credentialId ?? this.id
    const named = [Buffer.alloc(16), Buffer.from([id.length >> 8, id.length & 0xff]), id, key]
    const attestation = cbor(
      new Map<string, Cbor>([
        ['fmt', otherwise.format ?? 'none'],
        ['attStmt', new Map()],
        ['authData', this.#data(otherwise, named)],
      ]),
    )
    const told = clientData('webauthn.create', options.challenge, otherwise.origin ?? site)
    return {
      id: id.toString('base64url'),
      rawId: id.toString('base64url'),
      type: 'public-key',
      response: { clientDataJSON: told.toString('base64url'), attestationObject: attestation.toString('base64url') },
    }
  }

  /** Answers what `beginPasskeySignIn` asked. */
  sign(options: { challenge: string }, otherwise: Otherwise = {}) {
    this.count += 1
    const data = this.#data(otherwise)
    const told = clientData('webauthn.get', options.challenge, otherwise.origin ?? site)
    const signature = sign('sha256', Buffer.concat([data, digest(told)]), this.#keys.privateKey)
    const { userHandle = this.#handle } = otherwise
    return {
      id: this.id.toString('base64url'),
      rawId: this.id.toString('base64url'),
      type: 'public-key',
      response: {
        clientDataJSON: told.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle,
      },
    }
  }
}
