// What the browser does with passkeys; null where somebody changed their mind.
import type { MadeCredential, PasskeyCreation, PasskeyRequest, SignedCredential } from '@soigne/contract/passkeys'
import { usePageSettings } from '#/platform/page-settings.ts'
import { useHydrated } from '#/ui/use-hydrated.ts'

const canUse = () =>
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'

/** A trial is opened under other names too; passkeys are for one. */
const isSite = (publicUrl: string) => publicUrl === '' || URL.parse(publicUrl)?.hostname === window.location.hostname

/** Yes until the page knows better, so that nothing moves where it is so, which is nearly everywhere. */
export function usePasskeysHere(): boolean {
  const { publicUrl } = usePageSettings()
  const hydrated = useHydrated()
  return !hydrated || (canUse() && isSite(publicUrl))
}

const isChangeOfMind = (error: unknown) =>
  error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError')

/** The device has a passkey of this account already. */
export const isKnownHere = (error: unknown) => error instanceof DOMException && error.name === 'InvalidStateError'

async function answered<T>(asking: Promise<Credential | null>): Promise<T | null> {
  try {
    const credential = await asking
    return credential instanceof PublicKeyCredential ? (credential.toJSON() as T) : null
  } catch (error) {
    if (isChangeOfMind(error)) return null
    throw error
  }
}

export async function makePasskey(options: PasskeyCreation): Promise<MadeCredential | null> {
  const made = await answered<MadeCredential>(
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  )
  if (!made) return null
  const { id, rawId, type, response } = made
  return { id, rawId, type, response: { clientDataJSON: response.clientDataJSON, attestationObject: response.attestationObject } }
}

export async function signByPasskey(options: PasskeyRequest): Promise<SignedCredential | null> {
  const signed = await answered<SignedCredential>(
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  )
  if (!signed) return null
  const { id, rawId, type, response } = signed
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return { id, rawId, type, response: { clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) } }
}
