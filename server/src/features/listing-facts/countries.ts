// What follows from the country a place is in: its currency, the languages one can expect, how an address is written.
import type { Language } from '@soigne/contract/wire'
import { languages } from '@soigne/contract/wire'
import table from './countries.json' with { type: 'json' }

const currencies = new Map(Object.entries(table.currencies).flatMap(([currency, list]) => list.split(' ').map((code) => [code, currency])))
const spoken: Readonly<Record<string, string>> = table.spoken
const numberFirst = new Set(table.numberFirst.split(' '))
const territories: Readonly<Record<string, string>> = table.territories

export const isCountry = (code: string): boolean => currencies.has(code)

/** @returns the currency of a country; euros where nobody lives */
export const currencyOf = (countryCode: string): string => currencies.get(countryCode) ?? 'EUR'

/** The languages of the product that are spoken by most people there, or Other. */
export function languagesOf(countryCode: string): Language[] {
  const found = languages.filter((language) => spoken[language]?.split(' ').includes(countryCode))
  return found.length > 0 ? found : ['Other']
}

/** 14 rue X, as in France; Xstrasse 14 elsewhere. */
export const putsNumberFirst = (countryCode: string): boolean => numberFirst.has(countryCode)

/** Réunion is in France, for an address. */
export const isWithin = (countryCode: string, country: string): boolean =>
  countryCode === country || (territories[country]?.split(' ').includes(countryCode) ?? false)
