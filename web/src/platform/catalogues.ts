// What both translators share: one JSON file for each language and namespace. Each translator speaks one language; what it
// lacks is filled up with English when the pages are built (`complete-catalogue.ts`).
import type { i18n, InitOptions, ResourceKey } from 'i18next'

/** Namespace by language. */
export type Catalogues = Record<string, Record<string, ResourceKey>>
export type CatalogueFile = { default: ResourceKey }

/** The element of the document that carries the catalogues of its routes. */
export const catalogueElementId = 'catalogues'

/** A route module names the namespaces its page needs before it is hydrated: `export const handle = { namespaces: ["login"] }`. */
export type RouteHandle = { namespaces: readonly string[] }

/** Names, times and prices keep their own direction within an Arabic sentence; addresses of pages stay as they are. */
export const isolated = (language: string, value: unknown): string =>
  language === 'ar' && typeof value === 'string' && value !== '' && !/^https?:/.test(value) ? `\u2068${value}\u2069` : String(value)

export const translatorOptions = {
  fallbackLng: false,
  defaultNS: 'site',
  interpolation: { escapeValue: false },
  initAsync: false,
} satisfies InitOptions

function carriedCatalogues(translator: i18n, namespaces: readonly string[]): Catalogues {
  const carried: Record<string, ResourceKey> = {}
  for (const namespace of namespaces) {
    const bundle: unknown = translator.getResourceBundle(translator.language, namespace)
    if (typeof bundle === 'object' && bundle !== null) carried[namespace] = bundle
  }
  return { [translator.language]: carried }
}

const written = new WeakMap<i18n, Map<string, string>>()

/** What the document carries for its routes, so that hydration waits for no catalogue; written once for the same namespaces. */
export function carriedCataloguesJson(translator: i18n, namespaces: readonly string[]): string {
  const ofTranslator = written.get(translator) ?? new Map<string, string>()
  written.set(translator, ofTranslator)
  const key = namespaces.join(' ')
  const known = ofTranslator.get(key)
  if (known !== undefined) return known
  const json = JSON.stringify(carriedCatalogues(translator, namespaces)).replaceAll('<', String.raw`\u003c`)
  ofTranslator.set(key, json)
  return json
}
