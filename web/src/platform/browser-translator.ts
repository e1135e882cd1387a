// The browser's translator: it starts with what the document carries and fetches the rest when a page first asks.
import type { i18n } from 'i18next'
import { catalogueElementId } from './catalogues.ts'
import { pageTranslator, type TextsByNamespace } from './page-translator.ts'

/** One module of texts for each language. */
const languages = import.meta.glob<{ texts: Record<string, object> }>('../locales/*.ts')

/** Where the texts are that only the signed-in need is fetched with the first of them. */
async function load(locale: string, namespace: string): Promise<TextsByNamespace[string]> {
  const file = `./${locale}/${namespace}.json`
  const everybodys = (await languages[`../locales/${locale}.ts`]?.())?.texts[file]
  if (everybodys) return everybodys as TextsByNamespace[string]
  const read = (await import('./signed-in-catalogues.ts')).signedInCatalogues[file]
  return read ? ((await read()).default as TextsByNamespace[string]) : {}
}

export function browserTranslator(locale: string): i18n {
  const text = document.getElementById(catalogueElementId)?.textContent
  const carried: Record<string, TextsByNamespace> = text ? JSON.parse(text) : {}
  return pageTranslator(locale, carried[locale] ?? {}, (namespace) => load(locale, namespace))
}
