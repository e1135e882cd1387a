/**
 * The order "recommended", the same for everyone. Nobody can pay for a place in it. The help page states these figures.
 *
 * Each institute is given a number: the sum of five parts, each between 0 and 1, times its weight.
 *
 *   words      how well its name and menu answer what was typed (0 for all when nothing was typed)
 *   distance   1 at the asked point, ½ at 3 km, falling on (0 for all when no point was asked)
 *   rating     the average of the four grades, from 3 stars (0) to 5 stars (1); with few reviews it leans towards 4 stars,
 *              as if ten visitors before had given 4
 *   soon       1 when the asked service can be booked within the next 48 hours
 *   bookable   1 when the institute takes bookings here; this weighs more than distance, rating and soon together, so that of two
 *              that answer the words equally well the one that can be booked comes first
 */

export const weights = { words: 4, distance: 3, rating: 2, soon: 1, bookable: 7 } as const

/** At this distance half of the part is left. */
export const halfDistanceKm = 3
/** The reviews that every institute is lent, and their stars. */
export const lentReviews = 10
export const lentStars = 4
/** A time within so many hours is soon. */
export const soonHours = 48
/** "Soon" is looked up for this many institutes, the first by the other parts; the rest follow them. */
export const soonWindow = 60

export interface Ranked {
  /** 0…1; null when nothing was typed. */
  words: number | null
  distanceKm: number | null
  rating: number | null
  ratingCount: number
  claimed: boolean
}

/** The sum of all parts but "soon". */
export function merit({ words, distanceKm, rating, ratingCount, claimed }: Ranked): number {
  const stars = ((rating ?? 0) * ratingCount + lentStars * lentReviews) / (ratingCount + lentReviews)
  return (
    weights.words * (words ?? 0) +
    weights.distance * (distanceKm === null ? 0 : halfDistanceKm / (halfDistanceKm + distanceKm)) +
    weights.rating * Math.min(Math.max((stars - 3) / 2, 0), 1) +
    weights.bookable * (claimed ? 1 : 0)
  )
}

/** What a free time within `soonHours` adds. Both instants in milliseconds since the epoch. */
export const meritOfSoon = (firstTime: number | null, now: number): number =>
  firstTime !== null && firstTime <= now + soonHours * 3_600_000 ? weights.soon : 0
