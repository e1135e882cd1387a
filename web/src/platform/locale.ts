// The language of the interface. Local storage is the truth; a cookie mirrors it so that documents come in it.
import type { Locale } from '@soigne/contract/wire'
import { readStored, storageKeys, writeStored } from './storage.ts'

export const fallbackLocale: Locale = 'en'

const directions: Readonly<Record<Locale, 'ltr' | 'rtl'>> = { en: 'ltr', fr: 'ltr', ar: 'rtl' }

/** Languages by the names their readers know, in the order they are offered. */
export const languageNames: Readonly<Record<Locale, string>> = { en: 'English', fr: 'Français', ar: 'العربية' }
export const languages = Object.keys(languageNames) as readonly Locale[]

export function isLocale(value: unknown): value is Locale {
  return typeof value === 'string' && Object.hasOwn(directions, value)
}

export function directionOf(locale: string): 'ltr' | 'rtl' {
  return isLocale(locale) ? directions[locale] : 'ltr'
}

/** The language that answers of the server come in: the stored one; while none was chosen, that of the page (`?lang=`), which is English otherwise. */
export function answerLocale(): Locale {
  const stored = readStored(storageKeys.locale)
  const shown = document.documentElement.lang
  return [stored, shown].find(isLocale) ?? fallbackLocale
}

function cookieLocale(): string | undefined {
  return /(?:^|;\s*)locale=(\w+)/.exec(document.cookie)?.[1]
}

/** Whether the browser keeps it. Reading it back also waits until it does: Chromium sends a reload on its way beside a cookie just written. */
function writeCookie(locale: Locale): boolean {
  document.cookie = `locale=${locale}; path=/; max-age=31536000; samesite=lax`
  return cookieLocale() === locale
}

/**
 * Brings storage, cookie and document together when a page starts: a document that came in another language than the stored
 * one is fetched again, once. A `?lang=` address is read in its language and chooses none for good.
 */
export function settleLocale(address: URL): void {
  if (isLocale(address.searchParams.get('lang'))) return
  const stored = readStored(storageKeys.locale)
  if (!isLocale(stored) || cookieLocale() === stored) return
  if (writeCookie(stored) && document.documentElement.lang !== stored) location.reload()
}

/** Keeps a language and shows the page that is open in it: same path, query and hash. */
export function chooseLocale(locale: Locale): void {
  writeStored(storageKeys.locale, locale)
  writeCookie(locale)
  const address = new URL(location.href)
  if (!address.searchParams.has('lang')) return location.reload()
  address.searchParams.delete('lang')
  location.replace(address)
}

/** The address of a path in a language, for crawlers and shared links. */
export function pathIn(locale: Locale, path: string): string {
  return locale === fallbackLocale ? path : `${path}${path.includes('?') ? '&' : '?'}lang=${locale}`
}
