// The browser's translator: it starts with what the document carries and fetches the rest when a page first asks.
import type { i18n } from 'i18next'
import { catalogueElementId, type CatalogueFile } from './catalogues.ts'
import { pageTranslator, type TextsByNamespace } from './page-translator.ts'

const files = import.meta.glob<CatalogueFile>('./*/*.json', { base: '/src/locales' })

async function load(locale: string, namespace: string): Promise<TextsByNamespace[string]> {
  const read = files[`./${locale}/${namespace}.json`]
  return read ? ((await read()).default as TextsByNamespace[string]) : {}
}

export function browserTranslator(locale: string): i18n {
  const text = document.getElementById(catalogueElementId)?.textContent
  const carried: Record<string, TextsByNamespace> = text ? JSON.parse(text) : {}
  return pageTranslator(locale, carried[locale] ?? {}, (namespace) => load(locale, namespace))
}
