/** A provider of identities for trials: real keys, codes and tokens over the real protocol, and people who are made up on its page. Absent in production. */
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { minuteMs } from '@soigne/contract/time'
import { localClient } from '#/features/identities/service.ts'
import { systemClock } from '#/platform/clock.ts'
import { seal, type SealingKeys, unseal } from '#/platform/sealed.ts'
import { randomToken } from '#/platform/tokens.ts'

export interface Person {
  subject: string
  email: string
  name: string
  emailVerified: boolean
}
interface Code extends Person {
  nonce: string | null
  challenge: string
  redirectUri: string
  scope: string
  until: number
}
interface Access {
  subject: string
  scope: string
  until: number
}
/** What a protocol answers. */
export interface Answer {
  status: number
  body: Record<string, unknown>
}

const codeLifeMs = minuteMs
const accessLifeMs = 60 * minuteMs
const purpose = 'local refresh token'
const wrong = (error: string, text: string): Answer => ({ status: 400, body: { error, error_description: text } })
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The state of one stand-in. It keeps nothing on disk: refresh tokens carry what they open, so they outlive a restart. */
export class LocalIssuer {
  readonly #codes = new Map<string, Code>()
  readonly #access = new Map<string, Access>()
  readonly #revoked = new Set<string>()
  #made: { publicKey: KeyObject; privateKey: KeyObject } | null = null
  readonly #keyId = randomUUID()
  readonly #sealingKeys: SealingKeys
  /** Read each time: the port is known once the server listens. */
  readonly issuer: () => string
  constructor(issuer: () => string, sealingKeys: SealingKeys) {
    this.issuer = issuer
    this.#sealingKeys = sealingKeys
  }

  /** Made when somebody first signs in: it takes a tenth of a second, and most trials never need it. */
  get #keys(): { publicKey: KeyObject; privateKey: KeyObject } {
    return (this.#made ??= generateKeyPairSync('rsa', { modulusLength: 2048 }))
  }

  describe(): Record<string, unknown> {
    const issuer = this.issuer()
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      revocation_endpoint: `${issuer}/revoke`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      authorization_response_iss_parameter_supported: true,
    }
  }

  jwks(): { keys: object[] } {
    return { keys: [{ ...this.#keys.publicKey.export({ format: 'jwk' }), kid: this.#keyId, use: 'sig', alg: 'RS256' }] }
  }

  giveCode(of: Omit<Code, 'until'>): string {
    const code = randomToken()
    this.#codes.set(code, { ...of, until: systemClock.now() + codeLifeMs })
    return code
  }

  #idToken(of: Person, nonce: string | null): string {
    const at = Math.floor(systemClock.now() / 1000)
    const { subject: sub, email, name, emailVerified: email_verified } = of
    const claims = { iss: this.issuer(), aud: localClient.clientId, sub, email, email_verified, name, iat: at, exp: at + 600 }
    const text = `${encoded({ alg: 'RS256', kid: this.#keyId, typ: 'JWT' })}.${encoded({ ...claims, ...(nonce !== null && { nonce }) })}`
    return `${text}.${createSign('RSA-SHA256').update(text).sign(this.#keys.privateKey).toString('base64url')}`
  }

  #tokens(of: { subject: string; scope: string }): Record<string, unknown> {
    const token = randomToken()
    this.#access.set(token, { subject: of.subject, scope: of.scope, until: systemClock.now() + accessLifeMs })
    return { access_token: token, token_type: 'Bearer', expires_in: accessLifeMs / 1000, scope: of.scope }
  }

  /** What the token endpoint says to a form. */
  answer(form: URLSearchParams, authorization: string | undefined): Answer {
    const [id, secret] = authorization?.startsWith('Basic ')
      ? Buffer.from(authorization.slice(6), 'base64').toString().split(':').map(decodeURIComponent)
      : [form.get('client_id'), form.get('client_secret')]
    if (id !== localClient.clientId || secret !== localClient.clientSecret)
      return { status: 401, body: { error: 'invalid_client', error_description: 'unknown client or wrong secret' } }
    if (form.get('grant_type') === 'authorization_code') return this.#exchange(form)
    if (form.get('grant_type') === 'refresh_token') return this.#refresh(form.get('refresh_token') ?? '')
    return wrong('unsupported_grant_type', 'a code or a refresh token')
  }

  #exchange(form: URLSearchParams): Answer {
    const name = form.get('code') ?? ''
    const code = this.#codes.get(name)
    // A code is good once, whatever comes of it.
    this.#codes.delete(name)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!code || code.until < systemClock.now()) return wrong('invalid_grant', 'the code is unknown, used or too old')
    if (code.redirectUri !== form.get('redirect_uri')) return wrong('invalid_grant', 'the code was given for another address')
    if (code.challenge !== challenge) return wrong('invalid_grant', 'the verifier does not fit')
    const { subject, scope, nonce } = code
    const refresh = { refresh_token: seal(this.#sealingKeys, purpose, JSON.stringify({ id: randomUUID(), subject, scope })) }
    return { status: 200, body: { ...this.#tokens({ subject, scope }), ...refresh, id_token: this.#idToken(code, nonce) } }
  }

  #opened(token: string): { subject: string; scope: string } | null {
    const text = unseal(this.#sealingKeys, purpose, token)
    return text === null ? null : (JSON.parse(text) as { subject: string; scope: string })
  }

  #refresh(token: string): Answer {
    const opened = this.#opened(token)
    if (!opened || this.#revoked.has(opened.subject)) return wrong('invalid_grant', 'Token has been expired or revoked.')
    return { status: 200, body: this.#tokens(opened) }
  }

  /** Who an access token speaks for, with what it may do. */
  bearerOf(authorization: string | undefined): { subject: string; scope: string } | null {
    const found = this.#access.get(authorization?.replace(/^Bearer /, '') ?? '')
    return found && found.until > systemClock.now() ? found : null
  }

  /** As at Google: with one token all goes that its person has let us do. */
  revoke(token: string): void {
    const opened = this.#opened(token)
    if (opened) this.takeBack(opened.subject)
  }

  /** As people do in their account at the provider: all that was let is taken back. Letting anew makes new tokens. */
  takeBack(subject: string): void {
    this.#revoked.add(subject)
    for (const [token, access] of this.#access) if (access.subject === subject) this.#access.delete(token)
  }
  letAgain(subject: string): void {
    this.#revoked.delete(subject)
  }

  /** As time does. */
  expireAccess(): void {
    this.#access.clear()
  }
}
