// What a document carries of the texts: its own language, and what its routes name.
import i18next, { type i18n } from 'i18next'
import { afterEach, describe, expect, it } from 'vitest'
import { browserTranslator } from './browser-translator.ts'
import { carriedCataloguesJson, catalogueElementId, translatorOptions } from './catalogues.ts'
import { serverTranslator } from './server-translator.ts'

function translatorOf(locale: string, resources: Parameters<typeof i18next.init>[0]['resources']): i18n {
  const translator = i18next.createInstance()
  void translator.init({ ...translatorOptions, lng: locale, ...(resources && { resources }) })
  return translator
}

const two = { site: { hello: 'Bonjour' }, booking: { title: 'Réserver' }, help: { title: 'Aide' } }

afterEach(() => document.getElementById(catalogueElementId)?.remove())

describe('the texts a document carries', () => {
  it('are of one language and of the named namespaces', () => {
    const translator = translatorOf('fr', { fr: two, en: { site: { hello: 'Hello' } } })
    expect(JSON.parse(carriedCataloguesJson(translator, ['site', 'booking']))).toEqual({
      fr: { site: two.site, booking: two.booking },
    })
  })

  it('never end the element they stand in', () => {
    const translator = translatorOf('en', { en: { site: { hello: '</script><b>' } } })
    const json = carriedCataloguesJson(translator, ['site'])
    expect(json).not.toContain('<')
    expect(JSON.parse(json)).toEqual({ en: { site: { hello: '</script><b>' } } })
  })

  it('are what the browser starts with; another namespace is fetched when it is asked for', async () => {
    const element = document.createElement('script')
    element.id = catalogueElementId
    element.type = 'application/json'
    element.textContent = carriedCataloguesJson(serverTranslator('en'), ['site'])
    document.body.append(element)
    const translator = browserTranslator('en')
    expect(translator.hasLoadedNamespace('site')).toBe(true)
    expect(translator.t('links.login')).toBe('Login')
    expect(translator.hasLoadedNamespace('verification')).toBe(false)
    await translator.loadNamespaces('verification')
    expect(translator.t('title', { ns: 'verification' })).toBe('Email Confirmation')
  })

  it('are found by the browser for every namespace of every language, those of pages for the signed-in too', async () => {
    const names = Object.keys(import.meta.glob('./*/*.json', { base: '/src/locales' })).map((path) =>
      path.slice(2, -'.json'.length).split('/'),
    )
    expect(names.length).toBeGreaterThan(100)
    for (const locale of ['en', 'fr', 'ar']) {
      const translator = browserTranslator(locale)
      for (const [language, namespace = ''] of names) {
        if (language !== locale) continue
        await translator.loadNamespaces(namespace)
        expect(translator.getResourceBundle(locale, namespace), `${locale} ${namespace}`).toEqual(
          serverTranslator(locale).getResourceBundle(locale, namespace),
        )
      }
    }
  })

  it('are English on the pages of a language that lacks them, under the name of that language', () => {
    const translator = serverTranslator('fr')
    expect(translator.language).toBe('fr')
    expect(translator.t('wait', { ns: 'verification', count: 1 })).toMatch(/1/)
    expect(Object.keys(JSON.parse(carriedCataloguesJson(translator, ['verification'])) as object)).toEqual(['fr'])
  })

  it('say one second and sixty seconds', () => {
    const say = (count: number) => serverTranslator('en').t('wait', { ns: 'verification', count })
    expect([say(1), say(60)]).toEqual(['Please try again in 1 seconds', 'Please try again in 60 seconds'])
  })
})
