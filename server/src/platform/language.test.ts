import { expect, it } from 'vitest'
import { localeOf } from './language.ts'

it.each([
  [undefined, 'en'],
  ['', 'en'],
  ['fr', 'fr'],
  ['ar', 'ar'],
  ['fr-CA', 'fr'],
  ['AR-ma', 'ar'],
  ['de', 'en'],
  ['de, fr;q=0.5', 'fr'],
  ['en;q=0.2, ar;q=0.9', 'ar'],
  ['fr;q=0, en', 'en'],
  ['fr;q=0', 'en'],
  ['frisian', 'en'],
  ['*', 'en'],
  ['fr;q=nonsense', 'en'],
  [';;;,,,', 'en'],
  [`${'x,'.repeat(5000)}fr`, 'en'],
])('[C-08] the header %j asks for %s', (header, locale) => {
  expect(localeOf(header)).toBe(locale)
})
