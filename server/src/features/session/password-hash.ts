/** argon2id, two at once: a flood of sign-ins must leave the machine its breath. */
import { hash, verify } from '@node-rs/argon2'
import { randomToken } from '#/platform/tokens.ts'
import { concurrencyGate } from './turns.ts'

const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The line before the hasher, shared by all who hash. */
export const hashingTurn = concurrencyGate(2, 40)

// The same characters may reach us composed or decomposed, by keyboard.
const normal = (password: string): string => password.normalize('NFKC')

export const hashPassword = (password: string): Promise<string> => hashingTurn(() => hash(normal(password), cost))

let decoy: Promise<string> | undefined
/** A hash nobody knows the password of: checking against it takes as long as against a real one. */
export const decoyHash = (): Promise<string> => (decoy ??= hash(randomToken(), cost))

/** Compares without taking a turn; callers hold one. */
export const isPassword = (stored: string, password: string): Promise<boolean> => verify(stored, normal(password))
