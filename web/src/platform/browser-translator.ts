// The browser's translator: it starts with what the document carries and fetches the rest when a page first asks.
import type { i18n } from 'i18next'
import { catalogueElementId, type CatalogueFile } from './catalogues.ts'
import { pageTranslator, type TextsByNamespace } from './page-translator.ts'

// Their names cost every page of the site half a kilobyte: those of pages for the signed-in alone are fetched with the first of them.
const files = import.meta.glob<CatalogueFile>(
  [
    './*/*.json',
    '!./*/{calendars,customers,dashboard,day-sheet,diary,institute-settings,rearranging,diary-sessions,leave-requests,sales,services,settings,setup,team,till}.json',
  ],
  { base: '/src/locales' },
)

async function load(locale: string, namespace: string): Promise<TextsByNamespace[string]> {
  const file = `./${locale}/${namespace}.json`
  const read = files[file] ?? (await import('./signed-in-catalogues.ts')).signedInCatalogues[file]
  return read ? ((await read()).default as TextsByNamespace[string]) : {}
}

export function browserTranslator(locale: string): i18n {
  const text = document.getElementById(catalogueElementId)?.textContent
  const carried: Record<string, TextsByNamespace> = text ? JSON.parse(text) : {}
  return pageTranslator(locale, carried[locale] ?? {}, (namespace) => load(locale, namespace))
}
