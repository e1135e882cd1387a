// The translator of rendered pages and of tests: it has every catalogue.
import i18next, { type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { isolated, translatorOptions, type CatalogueFile, type Catalogues } from './catalogues.ts'
import { fallbackLocale } from './locale.ts'

const filePattern = /\/locales\/([a-z]+)\/([a-z-]+)\.json$/

/** Of each language what there is; a namespace that it lacks is English. */
function allCatalogues(): Catalogues {
  const catalogues: Catalogues = {}
  const files = import.meta.glob<CatalogueFile>('/src/locales/*/*.json', { eager: true })
  for (const [path, file] of Object.entries(files)) {
    const [, locale, namespace] = filePattern.exec(path) ?? []
    if (locale && namespace) (catalogues[locale] ??= {})[namespace] = file.default
  }
  return catalogues
}

const catalogues = allCatalogues()
const made = new Map<string, i18n>()

/** i18next calls it escaping; texts are escaped where they are shown, so that it is free for the direction of values. */
const interpolationOf = (locale: string) =>
  locale === 'ar'
    ? { escapeValue: true, useRawValueToEscape: true, escape: (value: unknown) => isolated(locale, value) }
    : { escapeValue: false }

/** One translator for each language, made when first asked for. */
export function serverTranslator(locale: string): i18n {
  const known = made.get(locale)
  if (known) return known
  const translator = i18next.createInstance()
  const resources = { [locale]: { ...catalogues[fallbackLocale], ...catalogues[locale] } }
  void translator.use(initReactI18next).init({ ...translatorOptions, interpolation: interpolationOf(locale), lng: locale, resources })
  made.set(locale, translator)
  return translator
}
