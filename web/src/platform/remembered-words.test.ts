import i18next, { type i18n } from 'i18next'
import { describe, expect, it, vi } from 'vitest'
import { rememberWords } from './remembered-words.ts'

function translatorOf(locale: string): i18n {
  const site = { hello: 'Hello', to: 'Hello {{name}}', visits_one: '{{count}} visit', visits_other: '{{count}} visits', list: ['a', 'b'] }
  const translator = i18next.createInstance()
  const other = { site: { hello: 'Bonjour' }, more: { hello: 'Salut' } }
  void translator.init({ lng: locale, fallbackLng: 'en', defaultNS: 'site', initAsync: false, resources: { en: { site }, fr: other } })
  return translator
}

/** What is said through words that are looked up by their keys only. */
type Say = (key: string, filling?: Record<string, unknown>) => unknown
const sayIn = (translator: i18n, locale: string, namespace: string): Say =>
  (translator.getFixedT as unknown as (locale: string, namespace: string) => Say)(locale, namespace)

describe('words that are remembered', () => {
  const asked: [key: string, filling?: Record<string, unknown>][] = [
    ['hello'],
    ['to', { name: 'Ana' }],
    ['to', { name: 'Zoé' }],
    ['to', { name: 'Ana'.repeat(40) }],
    ['visits', { count: 1 }],
    ['visits', { count: 2 }],
    ['list', { returnObjects: true }],
    ['not.there'],
    ['not.there', { defaultValue: 'missing' }],
  ]

  it.each(['en', 'fr'])('are the same as those that are not, the first time and later, in %s', (locale) => {
    const plain = sayIn(translatorOf(locale), locale, 'site')
    const translator = translatorOf(locale)
    rememberWords(translator)
    for (const _round of [1, 2, 3])
      for (const one of asked) expect(sayIn(translator, locale, 'site')(...one), JSON.stringify(one)).toEqual(plain(...one))
  })

  it('are looked up once for the same filling', () => {
    const translator = translatorOf('en')
    rememberWords(translator)
    const lookUp = vi.spyOn(translator, 't')
    const say = (): Say => sayIn(translator, 'en', 'site')
    for (const _round of [1, 2, 3]) for (const count of [1, 2]) say()('visits', { count })
    expect(lookUp).toHaveBeenCalledTimes(2)
  })

  it('are told apart by language and namespace', () => {
    const translator = translatorOf('fr')
    rememberWords(translator)
    expect(['site', 'more', 'site'].map((namespace) => sayIn(translator, 'fr', namespace)('hello'))).toEqual([
      'Bonjour',
      'Salut',
      'Bonjour',
    ])
    expect(sayIn(translator, 'en', 'site')('hello')).toBe('Hello')
  })

  it('are forgotten before there are too many of them', () => {
    const translator = translatorOf('en')
    rememberWords(translator)
    const lookUp = vi.spyOn(translator, 't')
    const say = sayIn(translator, 'en', 'site')
    for (let count = 0; count <= 5000; count++) say('visits', { count })
    say('visits', { count: 0 })
    expect(lookUp).toHaveBeenCalledTimes(5002)
  })
})
