// What both translators share: one JSON file for each language and namespace, English where one is missing.
import type { i18n, InitOptions, ResourceKey } from 'i18next'
import { fallbackLocale } from './locale.ts'

/** Namespace by language. */
export type Catalogues = Record<string, Record<string, ResourceKey>>
export type CatalogueFile = { default: ResourceKey }

/** The element of the document that carries the catalogues of its routes. */
export const catalogueElementId = 'catalogues'

/** A route module names the namespaces its page needs before it is hydrated: `export const handle = { namespaces: ["login"] }`. */
export type RouteHandle = { namespaces: readonly string[] }

export const translatorOptions = {
  fallbackLng: fallbackLocale,
  defaultNS: 'site',
  interpolation: { escapeValue: false },
  initAsync: false,
} satisfies InitOptions

/** What the document carries for its routes, so that hydration waits for no catalogue. */
export function carriedCatalogues(translator: i18n, namespaces: Iterable<string>): Catalogues {
  const carried: Catalogues = {}
  for (const locale of new Set([translator.language, fallbackLocale])) {
    for (const namespace of namespaces) {
      const bundle: unknown = translator.getResourceBundle(locale, namespace)
      if (typeof bundle === 'object' && bundle !== null) (carried[locale] ??= {})[namespace] = bundle
    }
  }
  return carried
}
