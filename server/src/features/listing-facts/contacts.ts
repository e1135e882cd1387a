// Telephone numbers and websites in one form; what cannot be read is dropped. Email addresses are never read at all.
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { Tags } from './record.ts'

export interface Contact {
  value: string | null
  /** Something was given and none of it could be used. */
  dropped: boolean
}

const nothing: Contact = { value: null, dropped: false }

const given = (tags: Tags, keys: readonly string[]): string[] =>
  keys
    .flatMap((key) => tags[key] ?? [])
    // Marks nobody sees, such as the direction of writing, come along when people copy.
    .map((value) => value.replaceAll(/\p{Cf}/gu, ''))
    .filter((value) => value.trim() !== '' && !/^<nul>$/i.test(value.trim()))

function international(text: string, countryCode: string): string | null {
  // Several numbers in one tag; "+41 (0) 44" is written by many and meant without the zero.
  for (const part of text.split(/[;,]| \/ |\bou\b|\bor\b/)) {
    // Of 22/23 at the end the first is meant.
    const number = part
      .replace(/\(0\)/g, '')
      .trim()
      .replace(/^((?:\D*\d){7,}) ?\/ ?\d{1,2}$/, '$1')
    if (number.length < 3 || number.length > 40) continue
    const country = isSupportedCountry(countryCode) ? (countryCode satisfies CountryCode) : undefined
    const parsed = parsePhoneNumberFromString(number, country)
    if (parsed?.isValid() && !parsed.ext) return parsed.formatInternational()
  }
  return null
}

/** The first valid number, as `+33 1 46 06 01 23`. */
export function phoneOf(tags: Tags, countryCode: string): Contact {
  const values = given(tags, ['phone', 'contact:phone', 'contact:mobile', 'mobile'])
  if (values.length === 0) return nothing
  for (const value of values) {
    const number = international(value, countryCode)
    if (number !== null) return { value: number, dropped: false }
  }
  return { value: null, dropped: true }
}

const longestUrl = 500

function webAddress(text: string): string | null {
  const value = text.trim()
  if (value.length > longestUrl || /[\s@<>"\\^`{|}]/.test(value)) return null
  const typed = /^[a-z][a-z0-9+.-]*:/i.test(value) && !/^[\w.-]+:\d+(?:\/|$)/.test(value) ? value : `https://${value.replace(/^\/+/, '')}`
  const url = URL.parse(typed)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null
  // A public name with a dot and a top level of letters: no addresses of machines, no names of one's own network.
  if (!/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:[a-z]{2,24}|xn--[a-z0-9-]{2,40})$/.test(url.hostname)) return null
  if (/\.(?:localhost|local|internal|invalid|test|example)$/.test(url.hostname)) return null
  return url.href.length > longestUrl ? null : url.href
}

/** The first http(s) address that can be opened from anywhere. */
export function websiteOf(tags: Tags): Contact {
  const values = given(tags, ['website', 'contact:website', 'url'])
  if (values.length === 0) return nothing
  for (const value of values.flatMap((one) => one.split(/;\s*(?=https?:|www\.)/))) {
    const address = webAddress(value)
    if (address !== null) return { value: address, dropped: false }
  }
  return { value: null, dropped: true }
}
