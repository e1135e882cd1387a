/** Visits to the pages of a crowd: few institutes are known to everybody, most to a few, and people search where they live. */
import { dayMs } from '@soigne/contract/time'
import type { Crowd } from './crowd.ts'
import type { HttpRequest } from './http-connections.ts'

const filters = ['', '', '', '&category=hair', '&category=nails', '&what=massage', '&what=manicure', '&day=tomorrow', '&sort=soonest']

export const asBrowser = (path: string, locale = 'en'): HttpRequest => ({
  path,
  headers: { 'accept-encoding': 'gzip, deflate, br', accept: 'text/html', ...(locale !== 'en' && { cookie: `locale=${locale}` }) },
})
export const localeAt = (n: number): string => (n % 20 === 7 ? 'ar' : n % 7 === 3 ? 'fr' : 'en')

const tomorrow = (): string => new Date(Date.now() + dayMs).toISOString().slice(0, 10)

/** The path of a list of a place with the filter of a number. */
export const listPath = (city: string, n: number): string =>
  `/institutes?place=${encodeURIComponent(city)}${(filters[n % filters.length] ?? '').replace('tomorrow', tomorrow())}`

interface Known {
  slug: string
  city: string
}

/** All published institutes, the best known first; the same order in every run. */
export async function knownInstitutes({ db }: Crowd): Promise<Known[]> {
  const { rows } = await db.query<Known>(
    `select slug, city from institutes where state = 'published' and claimed order by md5(slug || 'known')`,
  )
  return rows
}

/** The same draws from 0 to 1 in every run (the additive recurrence of the golden ratio and of two more irrational numbers). */
const drawAt = (n: number, step: number): number => (n * step) % 1

/**
 * So many visits: a fifth to the home page, a third to lists, two fifths to institutes, the rest to pages of text. The institute of rank r is
 * visited as often as 1/r; the city of a list is that of any institute, so large ones are asked for more.
 */
export function visitsTo(known: readonly Known[], count: number, from = 0): HttpRequest[] {
  return Array.from({ length: count }, (_, i) => {
    const n = from + i + 1
    const draw = drawAt(n, 0.618_033_988_749_895)
    const pick = drawAt(n, 0.414_213_562_373_095)
    const locale = localeAt(Math.floor(drawAt(n, 0.732_050_807_568_877) * 140))
    if (draw < 0.2) return asBrowser('/', locale)
    if (draw < 0.53) return asBrowser(listPath(known[Math.floor(pick * known.length)]?.city ?? 'Lyon', Math.floor(pick * 7919)), locale)
    if (draw < 0.93) return asBrowser(`/salon/${known[Math.floor(known.length ** pick) - 1]?.slug ?? ''}`, locale)
    return asBrowser(n % 2 === 0 ? '/terms' : '/contact', locale)
  })
}
