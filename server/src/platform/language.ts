/** The caller's language from `Accept-Language`, which carries the stored locale. */
import { type Locale, locales } from '@soigne/contract/wire'
import Negotiator from 'negotiator'

/** A header longer than this is nobody's list of languages. */
const longestHeader = 200

/** The language somebody chose on the site, as the browser's cookie keeps it. */
export const localeOfCookie = (header: string | undefined): string | undefined => /(?:^|;\s*)locale=(\w+)(?:;|$)/.exec(header ?? '')?.[1]

/** Of whoever opens a page of a trial: what they chose here, else what their browser asks for. */
export function localeOfVisitor(headers: { cookie?: string | undefined; 'accept-language'?: string | undefined }): Locale {
  const chosen = localeOfCookie(headers.cookie)
  return locales.find((locale) => locale === chosen) ?? localeOf(headers['accept-language'])
}

/** The best of en, fr, ar for a header; English without one. */
export function localeOf(header: string | undefined): Locale {
  if (!header) return 'en'
  const best = new Negotiator({ headers: { 'accept-language': header.slice(0, longestHeader) } }).language([...locales])
  return locales.find((locale) => locale === best) ?? 'en'
}
