// The keys of what is asked about paying, apart from those every page brings.
import { queryKeys } from './query-keys.ts'

export const paymentKeys = {
  /** What became of paying a hold, or a visit. */
  word: (id: string) => [...queryKeys.holds, id, 'payment'],
  /** Saved cards of one's own. */
  cards: ['cards'],
  /** What was paid for a visit. */
  visit: (id: string) => [...queryKeys.appointment(id), 'payments'],
} as const
