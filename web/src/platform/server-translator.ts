// The translator of rendered pages and of tests: it has every catalogue.
import i18next, { type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { translatorOptions, type CatalogueFile, type Catalogues } from './catalogues.ts'
import { rememberWords } from './remembered-words.ts'

const filePattern = /\/locales\/([a-z]+)\/([a-z-]+)\.json$/

function allCatalogues(): Catalogues {
  const catalogues: Catalogues = {}
  const files = import.meta.glob<CatalogueFile>('/src/locales/*/*.json', { eager: true })
  for (const [path, file] of Object.entries(files)) {
    const [, locale, namespace] = filePattern.exec(path) ?? []
    if (locale && namespace) (catalogues[locale] ??= {})[namespace] = file.default
  }
  return catalogues
}

const made = new Map<string, i18n>()

/** One translator for each language, made when first asked for. */
export function serverTranslator(locale: string): i18n {
  const known = made.get(locale)
  if (known) return known
  const translator = i18next.createInstance()
  void translator.use(initReactI18next).init({ ...translatorOptions, lng: locale, resources: allCatalogues() })
  // Nothing is loaded later, so there is nothing to wait for.
  translator.hasLoadedNamespace = () => true
  rememberWords(translator)
  made.set(locale, translator)
  return translator
}
