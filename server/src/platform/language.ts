/** The caller's language from `Accept-Language`, which carries the stored locale. */
import { type Locale, locales } from '@soigne/contract/wire'
import Negotiator from 'negotiator'

/** A header longer than this is nobody's list of languages. */
const longestHeader = 200

/** The best of en, fr, ar for a header; English without one. */
export function localeOf(header: string | undefined): Locale {
  if (!header) return 'en'
  const best = new Negotiator({ headers: { 'accept-language': header.slice(0, longestHeader) } }).language([...locales])
  return locales.find((locale) => locale === best) ?? 'en'
}
