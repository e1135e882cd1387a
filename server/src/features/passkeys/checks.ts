/** What a browser is asked to make or to sign, and whether what came back is that. */
import type { MadeCredential, PasskeyCreation, PasskeyRequest, SignedCredential } from '@soigne/contract/passkeys'
import { minuteMs } from '@soigne/contract/time'
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { decodeAttestationObject } from '@simplewebauthn/server/helpers'
import type { AppContext } from '#/platform/app-context.ts'

/** How long a question stands, at the server and in the browser. */
export const challengeLifeMs = 5 * minuteMs

/** EdDSA, ES256 and RS256: what devices have. */
const algorithms = [-8, -7, -257]

/** The one site whose passkeys these are: where people type it, and letters lead. */
function siteOf(context: AppContext): { origin: string; rpId: string } {
  const { origin, hostname } = new URL(context.publicUrl())
  return { origin, rpId: hostname }
}

/** What devices know an account by. */
const handleOf = (userId: string): string => Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')

export function creationFor(
  context: AppContext,
  { userId, email, name, challenge, known }: { userId: string; email: string; name: string; challenge: string; known: readonly Buffer[] },
): PasskeyCreation {
  return {
    challenge,
    rp: { id: siteOf(context).rpId, name: 'Soigné' },
    user: { id: handleOf(userId), name: email, displayName: name },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: challengeLifeMs,
    // A device keeps one for an account.
    excludeCredentials: known.map((id) => ({ type: 'public-key', id: id.toString('base64url') })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  }
}

/** Names nobody: the device shows whose passkeys it has. */
export const requestFor = (context: AppContext, challenge: string): PasskeyRequest => ({
  challenge,
  rpId: siteOf(context).rpId,
  timeout: challengeLifeMs,
  allowCredentials: [],
  userVerification: 'required',
})

type TakeChallenge = (challenge: string) => Promise<boolean>

export interface MadeKey {
  credentialId: Buffer
  publicKey: Buffer
  signCount: number
}

/** Null when it is not what was asked for. */
export async function madeKeyOf(context: AppContext, credential: MadeCredential, takeChallenge: TakeChallenge): Promise<MadeKey | null> {
  const { origin, rpId } = siteOf(context)
  try {
    // None was asked for; others would have certificates looked up where they say.
    if (decodeAttestationObject(Buffer.from(credential.response.attestationObject, 'base64url')).get('fmt') !== 'none') return null
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...credential, clientExtensionResults: {} },
      expectedChallenge: takeChallenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      supportedAlgorithmIDs: algorithms,
    })
    if (!verified) return null
    const { id, publicKey, counter } = registrationInfo.credential
    return { credentialId: Buffer.from(id, 'base64url'), publicKey: Buffer.from(publicKey), signCount: counter }
  } catch (error) {
    context.log.info({ err: (error as Error).message }, 'a passkey was not added')
    return null
  }
}

/** How often the key has signed, as its device counts; null when this account's key did not sign what was asked. */
export async function signCountOf(
  context: AppContext,
  credential: SignedCredential,
  { userId, publicKey, takeChallenge }: { userId: string; publicKey: Buffer; takeChallenge: TakeChallenge },
): Promise<number | null> {
  const { origin, rpId } = siteOf(context)
  const { userHandle, ...signed } = credential.response
  if (userHandle !== handleOf(userId)) return null
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...credential, response: signed, clientExtensionResults: {} },
      expectedChallenge: takeChallenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      // Compared where it is stored, so that of two at once one is behind.
      credential: { id: credential.id, publicKey: new Uint8Array(publicKey), counter: 0 },
    })
    return verified ? authenticationInfo.newCounter : null
  } catch (error) {
    context.log.info({ err: (error as Error).message }, 'a passkey opened nothing')
    return null
  }
}
