import type { passwordLength } from '@soigne/contract/session'

/** Fewest characters of a password; the compiler holds it to the contract, whose schemas stay out of the scripts. */
export const passwordMinimum: (typeof passwordLength)['min'] = 10
