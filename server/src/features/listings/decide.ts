// What to do with a place that was read, beside what is stored of it.
import { parseInstant } from '#/platform/instants.ts'
import type { RawPlace } from '#/features/listing-facts/service.ts'
import type { StoredListing } from './store.ts'

export type Decision =
  | 'new'
  | 'update'
  /** Gone once, there again. */
  | 'back'
  | 'unchanged'
  /** We know something newer. */
  | 'older'

export interface FileAge {
  /** A newer file of this area has been read. */
  isOlder: boolean
}

/** Positive when the place was edited after what is stored; 0 when the source does not count its edits. */
export function editOrder(place: Pick<RawPlace, 'version' | 'editedAt'>, stored: Pick<StoredListing, 'version' | 'editedAt'>): number {
  if (place.version !== null && stored.version !== null && place.version !== stored.version) return place.version - stored.version
  if (place.editedAt !== null && stored.editedAt !== null) return parseInstant(place.editedAt) - parseInstant(stored.editedAt)
  return 0
}

export function decide(place: RawPlace, stored: StoredListing | undefined, { isOlder }: FileAge): Decision {
  // Who is not in the newer file had gone by then.
  if (!stored) return isOlder ? 'older' : 'new'
  const order = editOrder(place, stored)
  const isSame = place.digest.equals(stored.digest)
  if (isOlder) return order > 0 ? (stored.goneAt === null ? 'update' : 'back') : isSame && stored.goneAt === null ? 'unchanged' : 'older'
  if (stored.goneAt !== null) return 'back'
  if (isSame) return 'unchanged'
  return order < 0 ? 'older' : 'update'
}
