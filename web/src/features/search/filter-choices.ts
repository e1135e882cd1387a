// What a search offers as one tap; any other value stands in the filter form.

/** Grades offered as a floor. */
export const ratingFloors = ['4', '4.5', '4.8'] as const
/** Price ceilings, in whole units of the currency. */
export const priceCeilings = ['30', '50', '80', '120'] as const
/** Kilometres around the place. */
export const radii = ['2', '5', '10', '25', '50'] as const
