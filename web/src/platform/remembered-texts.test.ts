import i18next, { type i18n } from 'i18next'
import { describe, expect, it, vi } from 'vitest'
import { rememberedTranslation } from './remembered-texts.ts'

function translatorOf(locale: string): i18n {
  const site = { hello: 'Hello', to: 'Hello {{name}}', visits_one: '{{count}} visit', visits_other: '{{count}} visits', list: ['a', 'b'] }
  const translator = i18next.createInstance()
  const other = { site: { hello: 'Bonjour' }, more: { hello: 'Salut' } }
  void translator.init({ lng: locale, fallbackLng: 'en', defaultNS: 'site', initAsync: false, resources: { en: { site }, fr: other } })
  return translator
}

/** What is said through texts that are looked up by their keys only. */
type Say = (key: string, values?: Record<string, unknown>) => unknown
const plainIn = (translator: i18n, namespace: string): Say =>
  (translator.getFixedT as unknown as (locale: null, namespace: string) => Say)(null, namespace)
const sayIn = (translator: i18n, namespaces?: string | readonly string[]): Say =>
  rememberedTranslation(translator, namespaces).t as unknown as Say

describe('texts that are remembered', () => {
  const asked: [key: string, values?: Record<string, unknown>][] = [
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
    const plain = plainIn(translatorOf(locale), 'site')
    const translator = translatorOf(locale)
    for (const _round of [1, 2, 3])
      for (const one of asked) expect(sayIn(translator, 'site')(...one), JSON.stringify(one)).toEqual(plain(...one))
  })

  it('are looked up once for the same values', () => {
    const translator = translatorOf('en')
    const lookUp = vi.spyOn(translator, 't')
    for (const _round of [1, 2, 3]) for (const count of [1, 2]) sayIn(translator, 'site')('visits', { count })
    expect(lookUp).toHaveBeenCalledTimes(2)
  })

  it('are told apart by translator and namespace; of several the first needs no prefix', () => {
    const translator = translatorOf('fr')
    expect(['site', 'more', 'site'].map((namespace) => sayIn(translator, namespace)('hello'))).toEqual(['Bonjour', 'Salut', 'Bonjour'])
    expect(sayIn(translator, ['more', 'site'])('hello')).toBe('Salut')
    expect(sayIn(translator, ['more', 'site'])('site:hello')).toBe('Bonjour')
    expect(sayIn(translator)('hello')).toBe('Bonjour')
    expect(sayIn(translatorOf('en'), 'site')('hello')).toBe('Hello')
  })

  it('are forgotten before there are too many of them', () => {
    const translator = translatorOf('en')
    const lookUp = vi.spyOn(translator, 't')
    const say = sayIn(translator, 'site')
    for (let count = 0; count <= 5000; count++) say('visits', { count })
    say('visits', { count: 0 })
    expect(lookUp).toHaveBeenCalledTimes(5002)
  })
})
