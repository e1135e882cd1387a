// Small facts of an institute worked out for its page: sections of the menu, today's weekday, pictures for the gallery.
import type { Institute, Service } from '@soigne/contract/institutes'
import { coverAddress, interiorAddress } from '#/theme/art/art-address.ts'
import { dayOf } from '#/platform/time.ts'
import { weekdayOf } from '#/ui/calendar-days.ts'

export const weekdayOrder = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

export type MenuSection = { name: string; services: readonly Service[] }

export function menuSections(services: readonly Service[]): MenuSection[] {
  return [...Map.groupBy(services, ({ section }) => section)].map(([name, items]) => ({ name, services: items }))
}

/** The service times are shown for before anything is chosen: the shortest that can be booked. */
export function defaultService({ services, claimed }: Pick<Institute, 'services' | 'claimed'>): Service | null {
  const bookable = claimed ? services.filter(({ performers }) => performers.length > 0) : []
  return bookable.reduce<Service | null>((best, one) => (best === null || one.durationMinutes < best.durationMinutes ? one : best), null)
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

/** Real pictures alone, or cut paper alone: the two are never mixed. A place nobody manages has one band and no rooms. */
export function galleryPictures({
  pictures,
  categories,
  slug,
  claimed,
}: Pick<Institute, 'pictures' | 'categories' | 'slug' | 'claimed'>): GalleryPicture[] {
  const real = pictures.filter(({ url }) => !url.startsWith('/art/'))
  if (real.length > 0) return real.slice(0, galleryPlaces).map((picture) => ({ ...picture, isArt: false }))
  const art = pictures.map(({ url }) => url)
  const [category = 'hair'] = categories
  if (!claimed) return [{ url: coverAddress({ category, seed: slug, shape: 'wide' }), alt: '', isArt: true }]
  const rooms = ['shelf', 'mirror', 'window', 'basin'].map((kind) => interiorAddress(slug, kind))
  const urls = [...new Set([art[0] ?? coverAddress({ category, seed: slug }), ...art.slice(1), ...rooms])]
  return urls.slice(0, galleryPlaces).map((url) => ({ url, alt: '', isArt: true }))
}
