/** Languages say the same: the product's own, and each way to differ is seen. */
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { checkProduct, checkTranslations, declaredFaults } from './check-translations.ts'

const english = {
  title: 'Hello {{name}}',
  link: 'Read <terms>the terms</terms>',
  visits_one: '{{count}} visit',
  visits_other: '{{count}} visits',
}
const french = {
  title: 'Bonjour {{name}}',
  link: 'Lire <terms>les conditions</terms>',
  visits_one: '{{count}} visite',
  visits_many: '{{count}} de visites',
  visits_other: '{{count}} visites',
}
const arabic = {
  title: '{{name}} أهلاً',
  link: '<terms>الشروط</terms>',
  visits_zero: 'لا زيارات',
  visits_one: 'زيارة واحدة',
  visits_two: 'زيارتان',
  visits_few: '{{count}} زيارات',
  visits_many: '{{count}} زيارة',
  visits_other: '{{count}} زيارة',
}

type Texts = Record<string, string>
const check = (languages: Record<string, Texts>): string[] =>
  checkTranslations(
    new Map(Object.entries({ en: english, ...languages }).map(([locale, texts]) => [locale, new Map(Object.entries(texts))])),
  )
const without = (texts: Texts, key: string): Texts => Object.fromEntries(Object.entries(texts).filter(([one]) => one !== key))

test('the languages of the product say the same', () => {
  expect(checkProduct(resolve(import.meta.dirname, '..'))).toEqual([])
})

test('languages that say the same are in order, each with the plural forms it has', () => {
  expect(check({ fr: french, ar: arabic })).toEqual([])
})

test('a missing text, an unknown one and a missing plural form are seen', () => {
  expect(check({ fr: without(french, 'title') })).toEqual(['fr title: is missing'])
  expect(check({ fr: { ...french, more: 'Plus' } })).toEqual(['fr more: is not in English'])
  expect(check({ ar: without(arabic, 'visits_two') })).toEqual(['ar visits: the form two is missing'])
  expect(check({ ar: { title: arabic.title, link: arabic.link } })).toEqual(['ar visits: is missing'])
})

test('other placeholders and other marks are seen; the number may be left out where the word says it', () => {
  expect(check({ fr: { ...french, title: 'Bonjour {{nom}}' } })).toEqual(['fr title: other placeholders than in English'])
  expect(check({ fr: { ...french, link: 'Lire les conditions' } })).toEqual(['fr link: other placeholders than in English'])
  expect(check({ fr: { ...french, visits_one: '{{count}} visite de {{name}}' } })).toEqual([
    'fr visits_one: other placeholders than in English',
  ])
  expect(check({ fr: { ...french, visits_other: 'des visites' } })).toEqual(['fr visits_other: the number is missing'])
})

test('a number without plural forms is seen in English already', () => {
  expect(checkTranslations(new Map([['en', new Map([['wait', 'Wait {{count}} seconds']])]]))).toEqual([
    'en wait: a number without plural forms',
  ])
  expect(checkTranslations(new Map())).toEqual(['en: there are no texts'])
})

test('a language is declared when it has every screen, and not before', () => {
  const screens = new Map([
    [
      'en',
      new Map([
        ['site a', 'A'],
        ['home b', 'B'],
      ]),
    ],
    [
      'fr',
      new Map([
        ['site a', 'A'],
        ['home b', 'B'],
      ]),
    ],
    ['ar', new Map([['site a', 'أ']])],
  ])
  expect(declaredFaults(screens, ['en', 'fr'])).toEqual([])
  expect(declaredFaults(screens, ['en', 'fr', 'ar'])).toEqual(['ar: siteLanguages declares it, but screens are missing'])
  expect(declaredFaults(screens, ['en'])).toEqual(['fr: has every screen and is not in siteLanguages'])
})
