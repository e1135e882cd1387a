// Small facts of an institute worked out for its page: sections of the menu, today's weekday, pictures for the gallery.
import type { Institute, Service } from '@soigne/contract/institutes'
import { coverAddress, roomAddress, workAddress } from '#/theme/art/art-address.ts'
import { pickIndex, randomFrom } from '#/theme/art/random.ts'
import { dayOf } from '#/platform/time.ts'
import { weekdayOf } from '#/ui/calendar-days.ts'

export const weekdayOrder = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

export type MenuSection = { name: string; services: readonly Service[] }

export function menuSections(services: readonly Service[]): MenuSection[] {
  return [...Map.groupBy(services, ({ section }) => section)].map(([name, items]) => ({ name, services: items }))
}

export function todayWeekday(now: number, timeZone: string): string {
  return weekdayOrder[weekdayOf(dayOf(now, timeZone)) - 1] ?? 'Monday'
}

/** Midnight to midnight. */
export const isAllDay = ({ opensAt, closesAt }: { opensAt: string; closesAt: string }): boolean =>
  opensAt === '00:00' && closesAt === '00:00'

/** Whether it never closes. */
export const isAlwaysOpen = ({ openingHours }: Pick<Institute, 'openingHours'>): boolean =>
  openingHours.length > 0 && openingHours.every(({ ranges }) => ranges.some(isAllDay))

/** Whether its hours are known: open data often has none, and that does not mean closed. */
export const hasHours = ({ openingHours }: Pick<Institute, 'openingHours'>): boolean => openingHours.some(({ ranges }) => ranges.length > 0)

export type GalleryPicture = { url: string; alt: string; isArt: boolean }

const galleryPlaces = 5
const drawn = /^\/art\/(?:cover|room|work)\//

/** A room, the work, another room, the work of its second trade if it has one; which rooms follows from the seed. */
function roomsAndWork(categories: readonly string[], seed: string): string[] {
  const [category = 'hair', second = category] = categories
  const first = pickIndex(randomFrom(`gallery ${seed}`), 4)
  return [
    roomAddress(category, seed, first),
    workAddress(category, seed, 0),
    roomAddress(second, seed, (first + 2) % 4),
    workAddress(second, seed, 1),
  ]
}

/** Real pictures alone, or cut paper alone: the two are never mixed. A place nobody manages has one band and no rooms. */
export function galleryPictures({
  pictures,
  categories,
  slug,
  claimed,
}: Pick<Institute, 'pictures' | 'categories' | 'slug' | 'claimed'>): GalleryPicture[] {
  const real = pictures.filter(({ url }) => !url.startsWith('/art/'))
  if (real.length > 0) return real.slice(0, galleryPlaces).map((picture) => ({ ...picture, isArt: false }))
  const [category = 'hair'] = categories
  if (!claimed) return [{ url: coverAddress({ category, seed: slug, shape: 'wide' }), alt: '', isArt: true }]
  const [cover = coverAddress({ category, seed: slug }), ...more] = pictures.map(({ url }) => url).filter((url) => drawn.test(url))
  const urls = [...new Set([cover, ...more, ...roomsAndWork(categories, slug)])]
  return urls.slice(0, galleryPlaces).map((url) => ({ url, alt: '', isArt: true }))
}
