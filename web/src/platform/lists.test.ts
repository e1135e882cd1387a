import { expect, it } from 'vitest'
import { placeText } from './lists.ts'

const lyon = { name: 'Lyon', region: 'Auvergne-Rhône-Alpes', country: 'France' }

it.each([
  ['en', lyon, 'Lyon, Auvergne-Rhône-Alpes, France'],
  ['fr', lyon, 'Lyon, Auvergne-Rhône-Alpes, France'],
  ['ar', { name: 'ليون', region: 'Auvergne-Rhône-Alpes', country: 'فرنسا' }, 'ليون، Auvergne-Rhône-Alpes، فرنسا'],
  ['ar', { name: 'تونس', region: null, country: 'تونس' }, 'تونس، تونس'],
  ['ar', { name: 'جليز', region: 'مراكش' }, 'جليز، مراكش'],
])('[C-29] the parts of a place in %s have the comma of the language', (locale, place, expected) => {
  expect(placeText(place, locale)).toBe(expected)
})
