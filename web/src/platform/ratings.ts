// A rating with one digit: cut down, so that 5.0 is nothing less.

/** 4.9 for 4.95. */
export function ratingText(average: number, locale: string): string {
  // What a sum of stars divided by their number lacks by arithmetic is not missing: 4.6 may come as 4.5999999.
  const shown = (Math.floor(average * 10 + 1e-6) / 10).toFixed(1)
  return locale === 'fr' ? shown.replace('.', ',') : shown
}
