import { expect, it } from 'vitest'
import { ratingText } from './ratings.ts'

it.each([
  [5, '5.0', '5,0'],
  [4.95, '4.9', '4,9'],
  [4.999, '4.9', '4,9'],
  [4.9, '4.9', '4,9'],
  [(4 + 5 + 4 + 5 + 5) / 5, '4.6', '4,6'],
  [0.7 + 0.1 + 3.5, '4.3', '4,3'],
  [1, '1.0', '1,0'],
])('an average of %s is shown as %s, never as more than it is', (average, english, french) => {
  expect(ratingText(average, 'en')).toBe(english)
  expect(ratingText(average, 'ar')).toBe(english)
  expect(ratingText(average, 'fr')).toBe(french)
})
