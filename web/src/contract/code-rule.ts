import type { codeLength as length, resendCooldownMs as cooldown } from '@soigne/contract/verification'

// The compiler holds these to the contract, whose schemas stay out of the scripts.
export const codeLength: typeof length = 6
export const resendCooldownMs: typeof cooldown = 60_000
