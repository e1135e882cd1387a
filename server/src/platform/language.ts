/** The caller's language from `Accept-Language`, which carries the stored locale. */
import { type Locale, locales } from '@soigne/contract/wire'

/** The best of en, fr, ar for a header; English without one. */
export function localeOf(header: string | undefined): Locale {
  let best: { locale: Locale; weight: number } | null = null
  for (const part of (header ?? '').slice(0, 200).split(',')) {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
    const locale = locales.find((known) => tag === known || tag.startsWith(`${known}-`))
    const quality = parameters.find((parameter) => parameter.trim().startsWith('q='))
    const weight = quality ? Number(quality.trim().slice(2)) || 0 : 1
    if (locale && weight > (best?.weight ?? 0)) best = { locale, weight }
  }
  return best?.locale ?? 'en'
}
