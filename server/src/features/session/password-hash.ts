/** argon2id, on half of the processors: a flood of sign-ins must leave the others their breath. */
import { hash, verify } from '@node-rs/argon2'
import { processorsForWork } from '#/platform/processors.ts'
import { randomToken } from '#/platform/tokens.ts'
import { openTurns } from '#/platform/turns.ts'

const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The line before the hasher, shared by all who hash; the key is a network. */
export const hashingTurn = openTurns({ atOnce: processorsForWork, waiting: 80, keepsBusy: true })

// The same characters may reach us composed or decomposed, by keyboard.
const normal = (password: string): string => password.normalize('NFKC')

export const hashPassword = (password: string, network: string): Promise<string> => hashingTurn(network, () => hash(normal(password), cost))

let decoy: Promise<string> | undefined
/** A hash nobody knows the password of: checking against it takes as long as against a real one. */
export const decoyHash = (): Promise<string> => (decoy ??= hash(randomToken(), cost))

/** Compares without taking a turn; callers hold one. */
export const isPassword = (stored: string, password: string): Promise<boolean> => verify(stored, normal(password))
