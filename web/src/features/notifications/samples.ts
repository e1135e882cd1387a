// The three notifications that greet a new user. They live in this browser alone, for each account on its own.
import { readStored, storageKeys, writeStored } from '#/platform/storage.ts'
import { instantText, parseInstant } from '#/platform/time.ts'

export const sampleNames = ['welcome', 'appointments', 'reminders'] as const
export type SampleName = (typeof sampleNames)[number]
/** The word on connecting a calendar comes and goes with the connection; whether it was read or removed is kept like that of a sample. */
const localNames = [...sampleNames, 'calendar'] as const
export type LocalName = (typeof localNames)[number]

/** When an account was first seen here, and what has become of its samples. */
export interface SampleState {
  since: string
  read: LocalName[]
  removed: LocalName[]
}

export const isLocalName = (value: unknown): value is LocalName => (localNames as readonly unknown[]).includes(value)
const namesIn = (value: unknown): LocalName[] => (Array.isArray(value) ? value.filter(isLocalName) : [])

function readAll(): Record<string, unknown> {
  try {
    const all: unknown = JSON.parse(readStored(storageKeys.notifications) ?? '{}')
    return typeof all === 'object' && all !== null ? { ...all } : {}
  } catch {
    return {}
  }
}

function keptSamples(userId: string): SampleState | null {
  const known = readAll()[userId]
  const kept = typeof known === 'object' && known !== null ? (known as Record<string, unknown>) : null
  if (!kept || typeof kept['since'] !== 'string' || Number.isNaN(parseInstant(kept['since']))) return null
  return { since: kept['since'], read: namesIn(kept['read']), removed: namesIn(kept['removed']) }
}

/** Of an account that was not seen here before all are there, from now on. */
export const samplesOf = (userId: string, now: number): SampleState =>
  keptSamples(userId) ?? { since: instantText(now), read: [], removed: [] }

/** Keeps since when those of a new account are there. */
export function seedSamples(userId: string, state: SampleState): void {
  if (!keptSamples(userId)) keepSamples(userId, state)
}

export function keepSamples(userId: string, state: SampleState): void {
  writeStored(storageKeys.notifications, JSON.stringify({ ...readAll(), [userId]: state }))
}
