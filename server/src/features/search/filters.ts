// The filters of a search that one row of institutes decides.

import type { Point } from '#/features/institutes/service.ts'

/** Edges in degrees; `west` greater than `east` reaches over the antimeridian. */
export interface Box {
  west: number
  south: number
  east: number
  north: number
}

/** Can be paid online in this way. */
export interface PaidOnline {
  method: string
  /** Only on an account of its own that takes payments; null where nobody can be paid online. */
  needsAccount: boolean | null
}

export interface RowFilters {
  /** Folded words, each of which must be found, or else the institute be of one of the categories it may stand for. */
  words?: readonly string[]
  /** Distances are from here. */
  origin?: Point
  /** A place was named that nobody knows. */
  nowhere?: boolean
  /** Within this distance of the origin. */
  radiusKm?: number
  area?: Box
  category?: string
  audience?: string
  atHome?: boolean
  language?: string
  minRating?: number
  paidOnline?: PaidOnline
}
