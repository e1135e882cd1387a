// What a search offers as one tap; any other value stands in the filter form.
import type { SortOrder } from '@soigne/contract/institutes'

/** Grades offered as a floor. */
export const ratingFloors = ['4', '4.5', '4.8'] as const
/**
 * Price ceilings in whole units of the currency: a visit costs ten times as many dirhams as euros, and a hundred times as many yen.
 * None where no price is known: thirty of an unknown currency may be nothing or a fortune.
 */
export function priceCeilings(typicalPrice: number | undefined): string[] {
  if (typicalPrice === undefined) return []
  const scale = 10 ** Math.max(0, Math.round(Math.log10(typicalPrice / 50)))
  return [30, 50, 80, 120].map((one) => String(one * scale))
}
/** Kilometres around the place. */
export const radii = ['2', '5', '10', '25', '50'] as const
/** Orders as they are shown: what most people look for first. */
export const shownOrders = ['recommended', 'soonest', 'nearest', 'rating', 'price'] as const satisfies readonly SortOrder[]
