// The browser's translator: it starts with what the document carries and fetches the rest when a page first asks.
import i18next, { type BackendModule, type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { catalogueElementId, translatorOptions, type CatalogueFile, type Catalogues } from './catalogues.ts'
import { fallbackLocale } from './locale.ts'

const files = import.meta.glob<CatalogueFile>('./*/*.json', { base: '/src/locales' })

const onDemand: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read(locale, namespace, done) {
    const load = files[`./${locale}/${namespace}.json`] ?? files[`./${fallbackLocale}/${namespace}.json`]
    if (!load) {
      done(null, {})
      return
    }
    load().then(
      (file) => done(null, file.default),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), null),
    )
  },
}

function carried(): Catalogues {
  const text = document.getElementById(catalogueElementId)?.textContent
  const catalogues: Catalogues = text ? JSON.parse(text) : {}
  return catalogues
}

export function browserTranslator(locale: string): i18n {
  const resources = carried()
  const translator = i18next.createInstance()
  void translator
    .use(onDemand)
    .use(initReactI18next)
    .init({
      ...translatorOptions,
      lng: locale,
      resources,
      ns: [...new Set(Object.values(resources).flatMap((namespaces) => Object.keys(namespaces)))],
      partialBundledLanguages: true,
    })
  return translator
}
