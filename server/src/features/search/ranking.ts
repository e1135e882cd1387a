/**
 * The order "recommended", the same for everyone. Nobody can pay for a place in it. The help page states these figures.
 *
 * Each institute is given a number: the sum of five parts, each between 0 and 1, times its weight.
 *
 *   words      how well its name and menu answer what was typed (0 for all when nothing was typed): four fifths for words found as they
 *              were typed (three fifths of that for words found by their category or with a letter mistaken), one fifth for those in its name
 *   distance   1 at the asked point, ½ at 3 km, falling on (0 for all when no point was asked)
 *   rating     the average of the four grades, from 3 stars (0) to 5 stars (1); with few reviews it leans towards 4 stars,
 *              as if ten visitors before had given 4
 *   soon       1 when the asked service can be booked within the next 48 hours; looked up for the first 60 by the other parts
 *   bookable   1 when the institute takes bookings here; this weighs more than distance, rating and soon together, so that of two
 *              that answer the words equally well the one that can be booked comes first
 *
 * Rating and bookable are the same wherever one asks from: the database keeps their sum as `institutes.standing`, with the same figures.
 */
export const weights = { words: 4, distance: 3, rating: 2, soon: 1, bookable: 7 } as const

/** At this distance half of the part is left. */
export const halfDistanceKm = 3
/** A time within so many hours is soon. */
export const soonHours = 48
/** "Soon" is looked up for this many institutes, the first by the other parts; the rest follow them. */
export const soonWindow = 60
/** What a word counts that was found by its category or with a mistake. */
export const looseWord = 0.6
/** The share of words found in the name. */
export const nameShare = 0.2
