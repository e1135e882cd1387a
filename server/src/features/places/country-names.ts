// Names of countries and of their regions in the three languages: of countries from the runtime's own tables.
import type { Locale } from '@soigne/contract/wire'
import { foldText } from '#/platform/fold-text.ts'
import countryCodes from './country-codes.json' with { type: 'json' }
import regionNames from './region-names.json' with { type: 'json' }

const locales: readonly Locale[] = ['en', 'fr', 'ar']
const names: Readonly<Record<Locale, Intl.DisplayNames>> = {
  en: new Intl.DisplayNames('en', { type: 'region' }),
  fr: new Intl.DisplayNames('fr', { type: 'region' }),
  ar: new Intl.DisplayNames('ar', { type: 'region' }),
}

/** The country's name in a language; its code when the runtime knows none. */
export const countryName = (code: string, locale: Locale): string => names[locale].of(code) ?? code

const regionsIn: Readonly<Record<Locale, Readonly<Record<string, string>>>> = regionNames

/** A region is stored as it calls itself; one that a language has no name for keeps that. */
export const regionName = (countryCode: string, region: string | null, locale: Locale): string | null =>
  region === null ? null : (regionsIn[locale][`${countryCode} ${region}`] ?? region)

let byName: Map<string, string> | null = null

function countriesByName(): Map<string, string> {
  if (byName) return byName
  const known = new Map<string, string>([
    ['uk', 'GB'],
    ['usa', 'US'],
    ['uae', 'AE'],
  ])
  for (const code of countryCodes) {
    known.set(code.toLowerCase(), code)
    for (const locale of locales) known.set(foldText(countryName(code, locale)), code)
  }
  byName = known
  return known
}

/** The code of a country named in any of the three languages, or by its code; null for anything else. */
export const countryCodeOf = (text: string): string | null => countriesByName().get(foldText(text)) ?? null
